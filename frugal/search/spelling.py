"""Distances between spellings: insertions, deletions, substitutions, swaps of neighbours."""

_ALPHABETS = (
    "abcdefghijklmnopqrstuvwxyz",
    "абвгдежзийклмнопрстуфхцчшщъыьэюя",
    "αβγδεζηθικλμνξοπρστυφχψω",
)


def knows_letters(word: str) -> bool:
    """Whether *word* is written in one of the alphabets whose every letter `one_step_away` tries."""
    return any(set(word) <= set(alphabet) for alphabet in _ALPHABETS)


def one_step_away(word: str) -> set[str]:
    """Return the spellings one step from *word*, in its own letters and the alphabets it uses."""
    letters = set(word)
    for alphabet in _ALPHABETS:
        if not letters.isdisjoint(alphabet):
            letters |= set(alphabet)
    cuts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    found = {left + right[1:] for left, right in cuts if right}
    found |= {left + right[1] + right[0] + right[2:] for left, right in cuts if len(right) > 1}
    found |= {left + letter + right[1:] for left, right in cuts if right for letter in letters}
    found |= {left + letter + right for left, right in cuts for letter in letters}
    return found - {word, ""}


def is_near(left: str, right: str, most: int) -> int:
    """Return the number of steps between two spellings if there are 1 to *most*, else 0."""
    if abs(len(left) - len(right)) > most or len(set(left) ^ set(right)) > 2 * most:
        return 0
    steps = _distance(*_differing(left, right), most)
    return steps if steps <= most else 0


def _differing(left: str, right: str) -> tuple[str, str]:
    """Return what is left of two spellings without what they begin and end with alike: the distance is the same."""
    shorter = min(len(left), len(right))
    start = 0
    while start < shorter and left[start] == right[start]:
        start += 1
    end = 0
    while end < shorter - start and left[-1 - end] == right[-1 - end]:
        end += 1
    return left[start : len(left) - end], right[start : len(right) - end]


def _distance(left: str, right: str, most: int) -> int:
    """Optimal string alignment; anything above *most* comes back as some number above it."""
    before: list[int] = []
    above = list(range(len(right) + 1))
    for row, one in enumerate(left, 1):
        here = [row]
        for column, other in enumerate(right, 1):
            steps = min(above[column] + 1, here[-1] + 1, above[column - 1] + (one != other))
            is_swap = row > 1 and column > 1 and one == right[column - 2] and left[row - 2] == other
            here.append(min(steps, before[column - 2] + 1) if is_swap else steps)
        if min(here) > most:
            return most + 1
        before, above = above, here
    return above[-1]
