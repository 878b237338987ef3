"""The constants of the ranking, each decided by a measurement in `messung/`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tuning:
    """What each part of the ranking weighs; 0 switches a part off. Shares are shares of a word's weight."""

    k1: float = 0.9
    b: float = 0.4
    exact: float = 0.6
    """A word spelled as in the query, beside its stem."""
    passage: float = 0.4
    """The best passage, beside the whole text, where a text is long."""
    passage_words: int = 60
    """Length of a passage, stop words included; a text of more counted words is long."""
    phrase: float = 0.5
    """Two words of the query in sequence."""
    piece_phrase: float = 0.05
    """The same for two pieces of a run without spaces, which overlap and say the same twice."""
    title: float = 0.2
    """A word in the title."""
    whole: float = 0.5
    """An identifier spelled as in the query, for each of its parts."""
    apart: float = 0.3
    """What is left of the parts of a word with a number behind it (`uniq26`) where they do not stand together."""
    tag: float = 0.3
    """A tag that equals a word of the query."""
    also: float = 0.5
    """A word that stands in the search words only."""
    expansion: float = 0.5
    """A store word that contains a word of the query or lies in it."""
    near: float = 0.3
    """A store word spelled nearly like an unknown word of the query."""
    neighbour_words: float = 0.4
    """A word that the text lacks and the entry written just before or after has."""
    neighbour_score: float = 0.1
    """The whole score of the better neighbour."""
    neighbour_falloff: float = 0.7
    """The share left for each step further away."""
    neighbour_reach: int = 2
    """Steps to each side."""
    neighbour_length: float = 30.0
    """Counted words up to which a text is helped in full; a longer one less, inversely to its length."""
    neighbour_candidates: int = 10
    """Candidates whose neighbours are looked at."""
    feedback: float = 0.5
    """The telling words of the first hits, in shares of the first hit's score."""
    feedback_from: int = 5
    """Hits whose words are taken."""
    feedback_words: int = 8
    """How many of them."""
    feedback_kept: int = 2
    """First hits that stay where they are."""
    feedback_candidates: int = 40
    """Hits that are reordered."""
    postings: int = 4_000
    """Documents that all words may have together without any being left out at first; see `essential.py`."""
    expected: float = 0.9
    """Score expected of the last hit, in shares of all weights: decides how many words are asked at first."""
    candidates: int = 120
    """Documents scored for the words of the query at most, and half as many for its expansions."""
    least_candidates: int = 60
    """Documents scored however few match."""
    matches_a_candidate: int = 20
    """Matches for each document scored, between the two."""

    def candidates_of(self, matches: int) -> int:
        """Return how many of *matches* documents are scored."""
        return min(self.candidates, max(self.least_candidates, matches // self.matches_a_candidate))
