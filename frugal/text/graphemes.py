"""Where a text may be cut without tearing apart what a reader sees as one character.

The extended grapheme clusters of UAX #29 as far as `unicodedata` alone can tell. Where it differs from the standard
it mostly joins more, so that a boundary found here is one there too.
"""

import unicodedata

LONGEST_CLUSTER = 64
"""Code points; longer runs of joined characters occur in hostile text only and are cut anywhere."""

_JOINER = "\u200d"
_EXTENDING_CATEGORIES = frozenset({"Mn", "Me", "Mc"})
_EXTENDING = frozenset("\u200c\u200d\u0e33\u0eb3\uff9e\uff9f")  # joiners, SARA AM, half-width voicing marks
_BREAKING_CATEGORIES = frozenset({"Cc", "Zl", "Zp"})
_PREPENDED = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
_VIRAMA_CLASS = 9
_LEADING, _VOWEL, _TRAILING, _OPEN_SYLLABLE, _CLOSED_SYLLABLE = "L", "V", "T", "LV", "LVT"
_HANGUL_JOINS = frozenset(
    {
        (_LEADING, _LEADING), (_LEADING, _VOWEL), (_LEADING, _OPEN_SYLLABLE), (_LEADING, _CLOSED_SYLLABLE),
        (_OPEN_SYLLABLE, _VOWEL), (_OPEN_SYLLABLE, _TRAILING), (_VOWEL, _VOWEL), (_VOWEL, _TRAILING),
        (_CLOSED_SYLLABLE, _TRAILING), (_TRAILING, _TRAILING),
    }
)  # fmt: skip


def is_boundary(text: str, index: int, start: int = 0) -> bool:
    """Tell whether *text* may be cut before *index*; *start* is a known boundary at or before it."""
    if index <= start or index >= len(text):
        return True
    before, after = text[index - 1], text[index]
    if before < "\u0300" and after < "\u0300":
        return not (before == "\r" and after == "\n")
    if not _BREAKING_CATEGORIES.isdisjoint((unicodedata.category(before), unicodedata.category(after))):
        return True
    if _is_regional(after) and before not in _PREPENDED:
        return _regional_run(text, index, start) % 2 == 0
    return not _joins(before, after)


def boundary_before(text: str, index: int, start: int = 0) -> int:
    """Return the last boundary at or before *index*, or *index* if there is none after *start* within reach."""
    if index >= len(text):
        return len(text)
    for candidate in range(index, max(start, index - LONGEST_CLUSTER), -1):
        if is_boundary(text, candidate, start):
            return candidate
    return index


def _joins(before: str, after: str) -> bool:
    if _extends(after) or before in _PREPENDED or (_hangul(before), _hangul(after)) in _HANGUL_JOINS:
        return True
    if before == _JOINER:
        return not (after.isascii() or after.isspace())
    return unicodedata.combining(before) == _VIRAMA_CLASS and unicodedata.category(after) == "Lo"


def _extends(character: str) -> bool:
    code = ord(character)
    return (
        unicodedata.category(character) in _EXTENDING_CATEGORIES
        or character in _EXTENDING
        or 0x1F3FB <= code <= 0x1F3FF  # skin tones
        or 0xE0020 <= code <= 0xE007F  # tags of a sub-region's flag
    )


def _is_regional(character: str) -> bool:
    return 0x1F1E6 <= ord(character) <= 0x1F1FF


def _regional_run(text: str, index: int, start: int) -> int:
    """Return how many regional indicators stand directly before *index*."""
    first = index
    while first > start and _is_regional(text[first - 1]):
        first -= 1
    return index - first


def _hangul(character: str) -> str:
    code = ord(character)
    if 0xAC00 <= code <= 0xD7A3:
        return _CLOSED_SYLLABLE if (code - 0xAC00) % 28 else _OPEN_SYLLABLE
    if 0x1100 <= code <= 0x115F or 0xA960 <= code <= 0xA97C:
        return _LEADING
    if 0x1160 <= code <= 0x11A7 or 0xD7B0 <= code <= 0xD7C6:
        return _VOWEL
    if 0x11A8 <= code <= 0x11FF or 0xD7CB <= code <= 0xD7FB:
        return _TRAILING
    return ""
