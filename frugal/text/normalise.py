"""Spellings of a text made equal: for tags, for identity, for the terms and surfaces of the index.

Python's canonical ordering takes quadratic time in the length of a run of combining marks (100,000 of them: seven
seconds). Such runs occur in hostile text only and are cut or left alone before `unicodedata.normalize` sees them.
"""

import re
import unicodedata

_LONGEST_MARK_RUN = 30  # as in the stream-safe text format of UAX #15
_VARIATION_SELECTORS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0), range(0x180B, 0x1810))
_GRAPHEME_JOINER = 0x34F
# Letters that have no decomposition, spelled as they are typed on a keyboard without them.
_PLAIN_LETTERS = {
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i", "ŋ": "n",
    "ŧ": "t", "ĸ": "k", "ƒ": "f", "ё": "е", "ѐ": "е", "ѝ": "и", "ς": "σ",
}  # fmt: skip
_SPELLED_OUT = {
    "ä": "ae",
    "ö": "oe",
    "ü": "ue",
    "ø": "oe",
    "ǖ": "ue",
    "ǘ": "ue",
    "ǚ": "ue",
    "ǜ": "ue",
    "ȫ": "oe",
    "ǟ": "ae",
}
_STRIPPED_SCRIPTS = frozenset({"LATIN", "GREEK"})
_STRIPPED_MARKS = frozenset({"COMBINING", "ARABIC", "HEBREW", "SYRIAC"})
TATWEEL = "ـ"
"""A stroke that makes an Arabic word longer and is no part of its spelling."""


def script_of(character: str) -> str:
    """Return the first word of the character's Unicode name (`LATIN`, `CJK`, ...), "" where it has none."""
    return unicodedata.name(character, "").partition(" ")[0]


class _Ignorable(dict[int, str | None]):
    """Translation that drops what is never seen: format characters, joiners, variation selectors."""

    def __missing__(self, code: int) -> str | None:
        invisible = (
            unicodedata.category(chr(code)) == "Cf"
            or code == _GRAPHEME_JOINER
            or any(code in selectors for selectors in _VARIATION_SELECTORS)
        )
        self[code] = found = None if invisible else chr(code)
        return found


class _MarkMap(dict[int, str]):
    """Translation into `m` for combining characters and `-` for all others."""

    def __missing__(self, code: int) -> str:
        self[code] = found = "m" if unicodedata.combining(chr(code)) else "-"
        return found


class _Fold(dict[int, str]):
    """Translation of lower-case composed text: accents off, decimal digits to ASCII."""

    def __init__(self, special: dict[str, str]) -> None:
        super().__init__({ord(letter): spelling for letter, spelling in special.items()})

    def __missing__(self, code: int) -> str:
        self[code] = found = _without_accent(chr(code))
        return found


def _without_accent(character: str) -> str:
    script = script_of(character)
    category = unicodedata.category(character)
    if character == TATWEEL or (category == "Mn" and script in _STRIPPED_MARKS):
        return ""
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if script in _STRIPPED_SCRIPTS:
        parts = unicodedata.normalize("NFD", character)
        letters = "".join(part for part in parts if not unicodedata.combining(part))
        return _PLAIN_LETTERS.get(letters, letters)
    return character


_IGNORABLE = _Ignorable()
_MARKS = _MarkMap()
_LONG_RUN = re.compile(f"m{{{_LONGEST_MARK_RUN + 1},}}")
_MAY_CHANGE = re.compile("[\u0300-\U0010ffff]")  # every text of smaller code points is in NFC
_BARE = _Fold(_PLAIN_LETTERS)
_SPELLED = _Fold(_PLAIN_LETTERS | _SPELLED_OUT)


def compose(text: str) -> str:
    """Return *text* in NFKC, without invisible characters and without the rest of absurdly long runs of marks."""
    if text.isascii():
        return text
    visible = text.translate(_IGNORABLE)
    marks = visible.translate(_MARKS)
    kept: list[str] = []
    start = 0
    for run in _LONG_RUN.finditer(marks):
        kept.append(visible[start : run.start() + _LONGEST_MARK_RUN])
        start = run.end()
    kept.append(visible[start:])
    return unicodedata.normalize("NFKC", "".join(kept))


def _lower(word: str) -> str:
    # Folding may take a composed letter apart (`ΐ`), so compose once more.
    return unicodedata.normalize("NFKC", word.casefold())


def bare(word: str) -> str:
    """Return the composed *word* case-folded and without accents; an umlaut becomes its one letter (`kase`)."""
    return word.lower() if word.isascii() else _lower(word).translate(_BARE)


def spelled_out(word: str) -> str:
    """Return the composed *word* like `bare`, but umlauts, ø and ß as two letters (`kaese`)."""
    return word.lower() if word.isascii() else _lower(word).translate(_SPELLED)


def fold_tag(text: str) -> str:
    """Return the form in which tags and filters are compared: NFKC and case-folded."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def identity_text(text: str) -> str:
    """Return the form in which two texts count as identical.

    NFC, line ends as `\\n`, no trailing blanks of lines, no blank lines outside. Case, digits, inner space count.
    """
    lines = _nfc(text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    kept = [line.rstrip() for line in lines]
    return "\n".join(kept).strip("\n")


def identity_hash(text: str) -> bytes:
    """Return 16 bytes that are equal for texts with the same `identity_text`."""
    from hashlib import blake2b  # brings OpenSSL with it, which a search does not need

    return blake2b(identity_text(text).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _nfc(text: str) -> str:
    if text.isascii() or not _MAY_CHANGE.search(text) or _LONG_RUN.search(text.translate(_MARKS)):
        return text
    return unicodedata.normalize("NFC", text)
