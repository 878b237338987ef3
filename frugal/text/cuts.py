"""Where a paragraph that is too long is cut: line, sentence, semicolon, comma, blank, in this order.

Never inside a code fence that fits, never inside a character as the reader sees it. Both sides keep a length that is
worth an entry of its own wherever the fences allow it.
"""

import re
from collections.abc import Iterator, Sequence

from frugal.text.blocks import Block, Span, line_start
from frugal.text.graphemes import boundary_before, is_boundary

LONGEST = 1200
SHORTEST = 40

_CLOSERS = r"""["'”’»“‘«›‹)\]*_`]*"""
# With the blanks behind it, so that a run of line ends is one place to cut and not as many as it is long.
_LINE_END = re.compile(r"[\n\r\u2028\u2029\x0b\x0c\x85]\s*+")
_SENTENCE_END = re.compile(rf"""(?P<mark>[.!?…]++){_CLOSERS}(?=\s)|[。！？｡]++["”’」』）》〉】]*""")
_KINDS = (
    _LINE_END,
    _SENTENCE_END,
    re.compile(r";(?=\s)|[；]"),
    re.compile(r",(?=\s)|[，、､]"),
    re.compile(r"\S(?=\s)"),
)
_NEXT = re.compile(r"\s*")
_LINE_BREAK = re.compile("[\r\n]")

_WORD_BEFORE = re.compile(r"[^\s(\[{\"'„“‚«*_/]*\Z")
_LONGEST_ABBREVIATION = 24
_ROMAN = re.compile(r"[IVXLCDM]{2,}")
_LISTED = """
    abb abk abs abschn al allg anh anm approx apr art aufl aug av ave bd beisp bes betr bl blvd bsp bspw bzgl bzw ca
    cf ch chap co col corp def dept dez dgl di dipl dir dr ed eds eg eigtl einschl engl entspr eq esp est et etc
    evtl exkl ext feb fig figs fr frl geb gef gegr gen ggf ggfs gov hd hon hr hrn hrsg ie inc incl ing inkl insb
    insbes jan jh jr jul jun kap kath kl konst lat lfd lt ltd max med mi min mio mo mr mrd mrs ms mt nachf no nos
    nov nr nrn nto oct okt op orig phil pl pp prof prot pt publ rd ref rel resp rev röm sa sec sekt sen sep sept sog
    sogen sp sr st std stk str stv tab taf tel tsd tw univ unv urspr usf usw var ver verf verh vgl viz vol vols vs
    wg wiss zb ziff zit zs zt ztr zur zus zzgl zzt übers
"""
_ABBREVIATIONS = frozenset(_LISTED.split())


def stretches(body: str, block: Block) -> Iterator[Span]:
    """Yield *block* in stretches of at most LONGEST characters, without the blanks between them."""
    fences = [fence for fence in block.fences if fence[1] - fence[0] <= LONGEST]
    start = block.start
    while block.end - start > LONGEST:
        end, next_start = _best_cut(body, start, block.end, fences) or _forced_cut(
            body, start, block.end, fences
        )
        yield start, end
        start = next_start
    yield start, block.end


def _best_cut(body: str, start: int, end: int, fences: Sequence[Span]) -> Span | None:
    """Return where the left side ends and the right one begins, at the last place of the best kind there is."""
    limits = start + SHORTEST, min(start + LONGEST, end - 1) + 1
    for kind in _KINDS:
        for match in reversed(list(kind.finditer(body, *limits))):
            left, right = cut = _cut_at(body, match.end() if kind is not _LINE_END else match.start(), start)
            if left - start < SHORTEST or end - right < SHORTEST or _tears(left, fences):
                continue
            if not is_boundary(body, left, start) or not is_boundary(body, right, start):
                continue
            if kind is not _SENTENCE_END or _ends_sentence(body, match, start=start, following=body[right]):
                return cut
    return None


def _cut_at(body: str, index: int, start: int) -> Span:
    """Return the end of what stands before *index* and the start of what follows, its indentation included."""
    left = start + len(body[start:index].rstrip())
    following = _NEXT.match(body, index)
    right = following.end() if following else index
    return left, line_start(body, right, left) if _LINE_BREAK.search(body, left, right) else right


def _tears(index: int, fences: Sequence[Span]) -> bool:
    return any(first < index < last for first, last in fences)


def _ends_sentence(body: str, match: re.Match[str], *, start: int, following: str) -> bool:
    """Tell whether a full stop is none of an abbreviation, an initial or a number."""
    if following.islower():
        return False
    if match["mark"] != ".":
        return True
    stop = match.start()
    before = _WORD_BEFORE.search(body[max(start, stop - _LONGEST_ABBREVIATION) : stop])
    word = before[0].rpartition(".")[2] if before else ""
    if not word:
        return True
    is_number = word[-1].isdigit() or _ROMAN.fullmatch(word) is not None
    return not is_number and len(word) > 1 and word.casefold() not in _ABBREVIATIONS


def _forced_cut(body: str, start: int, end: int, fences: Sequence[Span]) -> Span:
    """Return a cut where no mark and no blank allows one: between two characters, or beside a fence."""
    index = boundary_before(body, min(start + LONGEST, end - SHORTEST), start)
    for first, last in fences:
        if first < index < last:
            index = first if first > start else last
    return _cut_at(body, index, start)
