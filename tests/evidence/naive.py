"""Matching once more, written from the rules alone: slow, plain, and nothing of the real one in it but the stems."""

import unicodedata

from frugal.text.stem import stem

UNSEEN = {0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFEFF, 0xFFA0}
UNSEEN |= {*range(0x180B, 0x1810), *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)}
UNSEEN |= {*range(0xFE00, 0xFE10), *range(0xFFF0, 0xFFF9), *range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B)}
UNSEEN |= {*range(0xE0000, 0xE1000)}
INNER_JAMO = {*range(0x1160, 0x1200), *range(0xD7B0, 0xD7FC)}
LEADING_JAMO = {*range(0x1100, 0x1160), *range(0xA960, 0xA97D)}
SPACELESS = {"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "THAI", "LAO", "KHMER", "MYANMAR", "IDEOGRAPHIC"}


def form(text: str) -> str:
    seen = "".join(character for character in text if ord(character) not in UNSEEN)
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", seen).casefold())


def is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M"


def is_word(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNM"


def is_spaceless(characters: str) -> bool:
    """Tell whether one of *characters* is of a script without spaces."""
    names = (unicodedata.name(character, "").replace("-", " ").split() for character in characters)
    return any(not SPACELESS.isdisjoint(name) for name in names)


def is_spaced(text: str, place: int) -> bool:
    """Tell whether a word character of a spaced script stands at *place*; a mark is what its base is."""
    if not is_word(text[place]):
        return False
    while place >= 0 and is_mark(text[place]):
        place -= 1
    return place < 0 or not is_word(text[place]) or not is_spaceless(text[place])


def is_edge(text: str, place: int) -> bool:
    """Tell whether a match may begin or end at *place*."""
    if place in (0, len(text)):
        return True
    before, after = text[place - 1], text[place]
    if is_mark(after) or ord(after) in INNER_JAMO:
        return False
    if ord(before) in LEADING_JAMO and ord(after) in LEADING_JAMO:
        return False
    return not (is_spaced(text, place - 1) and is_spaced(text, place))


def words(text: str) -> list[str]:
    """Return the words of a form; a run of a script without spaces is one."""
    found: list[str] = []
    for place, character in enumerate(text):
        if not is_word(character):
            found.append("")
        elif place and is_word(text[place - 1]) and is_spaced(text, place) == is_spaced(text, place - 1):
            found[-1] += character
        else:
            found.append(character)
    return [word for word in found if word]


def stem_of(word: str) -> str:
    for umlaut, spelled in (("ä", "ae"), ("ö", "oe"), ("ü", "ue")):
        word = word.replace(umlaut, spelled)
    return stem(word)


def end_of_word(text: str, place: int) -> int:
    while place < len(text) and is_word(text[place]) and is_spaced(text, place):
        place += 1
    return place


def end_of(kind: str, wanted: str, text: str, place: int) -> int | None:
    """Return where a match of *wanted*, a form, that begins at *place* ends."""
    if kind == "literal":
        return literal_end(wanted, text, place)
    parts = words(wanted)
    if kind == "prefix":
        return prefix_end("".join(parts), text, place)
    end: int | None = place
    for number, part in enumerate(parts):
        start = end if not number else after_gap(text, end, is_spaceless(parts[number - 1][0] + part[0]))
        end = None if start is None else part_end(kind, part, text, start)
        if end is None:
            return None
    return end


def after_gap(text: str, place: int, touches: bool) -> int | None:
    """Return where the next word begins; without a gap only where *touches*."""
    start = place
    while place < len(text) and not is_word(text[place]):
        place += 1
    return place if place > start or touches else None


def part_end(kind: str, part: str, text: str, place: int) -> int | None:
    """Return where a word of a phrase or a stem that begins at *place* ends."""
    if is_spaceless(part[0]) or kind == "phrase":
        end = place + len(part) if text.startswith(part, place) else place
    else:
        end = end_of_word(text, place)
        end = end if stem_of(text[place:end]) == stem_of(part) else place
    return end if end > place and is_edge(text, place) and is_edge(text, end) else None


def literal_end(wanted: str, text: str, place: int) -> int | None:
    pieces = wanted.split()
    for number, piece in enumerate(pieces):
        if number:
            gap = place
            while place < len(text) and text[place].isspace():
                place += 1
            if place == gap:
                return None
        if not text.startswith(piece, place):
            return None
        place += len(piece)
    return place


def prefix_end(wanted: str, text: str, place: int) -> int | None:
    if not text.startswith(wanted, place):
        return None
    end = place + len(wanted)
    if is_spaced(wanted, len(wanted) - 1):
        is_inside_letter = end < len(text) and (is_mark(text[end]) or ord(text[end]) in INNER_JAMO)
        return None if is_inside_letter else end_of_word(text, end)
    return end


def matches(kind: str, clause: str, text: str) -> list[tuple[int, int]]:
    """Return the spans in the form of *text*, from left to right, not overlapping."""
    wanted = " ".join(form(clause).split())
    folded = form(text)
    spans: list[tuple[int, int]] = []
    place = 0
    while place < len(folded):
        end = end_of(kind, wanted, folded, place)
        if end is not None and end > place and is_edge(folded, place) and is_edge(folded, end):
            spans.append((place, end))
            place = end
        else:
            place += 1
    return spans


def is_askable(kind: str, clause: str) -> bool:
    """Tell whether a clause may be asked."""
    wanted = " ".join(form(clause).split())
    found = words(wanted)
    if not found or not 1 <= len(clause) <= 200:
        return False
    if kind != "prefix":
        return True
    inner = wanted.strip("".join({c for c in wanted if not is_word(c)}))
    is_one = inner == "".join(found)
    return is_one and (len(inner) >= 2 or not is_spaced(inner, 0))
