"""A store of any size, recombined from the sentences of the public data; the same for the same seed.

An entry is a run of whole sentences until a length drawn from 60 to 110 words is reached (mean about 90 to 100),
with one to three names from a long tail put in, so that the vocabulary grows with the store as a real one does.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from messung.datasets import Entry, cranfield, load_conversations, xquad
from messung.stopwords import ENGLISH, GERMAN

SEED = 20260101
LEAST_WORDS, MOST_WORDS = 60, 110
SENTENCE_WORDS = range(4, 61)
QUESTION_WORDS = range(5, 9)
NAMES = 1_000_000
TAGS = 12

END_OF_SENTENCE = re.compile(r"(?<=[.!?])\s+")
WORD = re.compile(r"\w+")
ONSETS = (
    "b",
    "br",
    "d",
    "dr",
    "f",
    "g",
    "gr",
    "h",
    "j",
    "k",
    "kl",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "st",
    "t",
    "v",
    "w",
    "z",
)
VOWELS = ("a", "e", "i", "o", "u", "ai", "ei", "ou")
CODAS = ("", "", "l", "m", "n", "r", "s", "t", "x", "nd", "rk")


@dataclass(frozen=True)
class Query:
    """A question as it was asked, and its words without stop words: what an assistant would type."""

    whole: str
    words: str


@dataclass(frozen=True)
class Corpus:
    """The material: sentences, and the questions that are asked of what they make up."""

    sentences: tuple[str, ...]
    queries: tuple[Query, ...]

    def entries(self, count: int, *, seed: int = SEED) -> Iterator[Entry]:
        """Yield *count* entries, each with one of a dozen tags; a longer run begins with the shorter one."""
        generator = random.Random(seed)
        for number in range(count):
            text = self._text(generator)
            yield Entry(text, frozenset({str(number)}), f"project{generator.randrange(TAGS)}")

    def _text(self, generator: random.Random) -> str:
        wanted = generator.randint(LEAST_WORDS, MOST_WORDS)
        parts: list[str] = []
        words = 0
        names = generator.randint(1, 3)
        while words < wanted:
            sentence = generator.choice(self.sentences)
            if names:
                sentence = f"{name(generator)}: {sentence}"
                names -= 1
            parts.append(sentence)
            words += len(sentence.split())
        return " ".join(parts)


def name(generator: random.Random) -> str:
    """Return an invented name; few are frequent, most are rare (log-uniform rank, which is Zipf's law)."""
    rank = int(NAMES ** generator.random())
    spelled = random.Random(rank)
    syllables = [
        spelled.choice(ONSETS) + spelled.choice(VOWELS) + spelled.choice(CODAS)
        for _ in range(spelled.randint(2, 4))
    ]
    return "".join(syllables).capitalize()


def load_corpus(folder: Path, *, queries: int = 100) -> Corpus:
    """Return the sentences of XQuAD (en, de), Cranfield and LoCoMo, and *queries* of their questions."""
    collections = [xquad(folder, "en"), xquad(folder, "de"), cranfield(folder)]
    texts = [entry.text for collection in collections for entry in collection.entries]
    asked = [question.text for collection in collections for question in collection.questions]
    for talk in load_conversations(folder):
        texts += [turn.spoken.partition(": ")[2] for session in talk.sessions for turn in session.turns]
        asked += [item.text for item in talk.asked]
    sentences = tuple(sentence for text in texts for sentence in split(text))
    return Corpus(sentences, choose(asked, queries))


def split(text: str) -> Iterator[str]:
    """Yield the sentences of *text* that are neither a scrap nor a page."""
    for sentence in END_OF_SENTENCE.split(" ".join(text.split())):
        if len(sentence.split()) in SENTENCE_WORDS:
            yield sentence


def choose(asked: Sequence[str], count: int, *, seed: int = SEED) -> tuple[Query, ...]:
    """Return *count* questions with 5 to 8 words that are no stop words, drawn with *seed*."""
    stopped = ENGLISH | GERMAN
    fitting = []
    for text in dict.fromkeys(asked):
        words = [word for word in WORD.findall(text) if len(word) > 1 and word.lower() not in stopped]
        if len(words) in QUESTION_WORDS:
            fitting.append(Query(text, " ".join(words)))
    return tuple(random.Random(seed).sample(fitting, min(count, len(fitting))))
