"""Source keys: the same paper, book or page recognised by its arXiv id, DOI, ISBN or link, however it is spelled.

Keys are compared for equality, never as substrings. Shapes: arXiv's identifier scheme (of 2007, and the one before),
DOI handbook section 2.2, ISBN-13 as in ISO 2108. Every pattern is bounded, so the time is linear in the text.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

from frugal_modes.archive.links import LONGEST_LINK, NOT_IN_LINK, TRAILING, link_key

LONGEST_SUFFIX = 500


class SourceKey(NamedTuple):
    """One recognised source; *type* is `arxiv`, `doi`, `isbn` or `url`."""

    type: str
    key: str


_ARCHIVES = (
    "acc-phys|adap-org|alg-geom|ao-sci|astro-ph|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|comp-gas|cond-mat|cs|dg-ga|"
    "funct-an|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math-ph|math|mtrl-th|nlin|nucl-ex|nucl-th|patt-sol|physics|plasm-ph|"
    "q-alg|q-bio|quant-ph|solv-int|supr-con"
)
_NEW_ID = r"\d{4}\.\d{4,5}"
_OLD_ID = rf"(?:{_ARCHIVES})(?:\.[A-Za-z-]{{2,10}})?/\d{{7}}"
_ID = rf"(?:{_NEW_ID}|{_OLD_ID})"
_VERSION = r"(?:v\d{1,3})?"
_END = r"(?![\w/])"
_START = r"(?<![A-Za-z0-9])"

_ARXIV_WORD = re.compile(
    rf"{_START}arxiv(?![^\W_])[^\d\n]{{0,20}}?{_START}({_ID}){_VERSION}{_END}"
    rf"((?:\s{{0,3}}(?:,|;|&|and|und)\s{{0,3}}{_ID}{_VERSION}{_END}){{0,50}})",
    re.IGNORECASE,
)
_ARXIV_BARE = re.compile(rf"{_START}(?<![./-])({_OLD_ID}){_VERSION}{_END}", re.IGNORECASE)
_ARXIV_IN_LIST = re.compile(_ID, re.IGNORECASE)
_ARXIV_LINK = re.compile(
    rf"(?:https?://)?(?:[\w-]{{1,20}}\.)?arxiv\.org(?::\d+)?/(?:abs|pdf|html|format)/"
    rf"({_ID}){_VERSION}(?:\.pdf)?(?![\w.])",
    re.IGNORECASE,
)
_ARXIV_DOI = re.compile(rf"10\.48550/arxiv\.({_ID}){_VERSION}", re.IGNORECASE)

_DOI = r"10\.\d{4,9}(?:/|%2f)"
_DOI_BARE = re.compile(
    rf"{_START}(?<![./])(?:doi[:=]?\s?)?({_DOI}[^{NOT_IN_LINK}]{{1,{LONGEST_SUFFIX}}})", re.IGNORECASE
)
_DOI_LINK = re.compile(rf"(?:https?://)?(?:(?:www|dx)\.)?doi\.org/(?:doi:)?({_DOI}[^?#]+)", re.IGNORECASE)
_LINK = re.compile(
    rf"{_START}(?<![@./-])"
    r"(?:https?://|www\.(?=[\w-]+\.)|(?=(?:(?:dx\.)?doi|(?:[\w-]{1,20}\.)?arxiv)\.org/|(?:git(?:hub|lab)\.com|huggingface\.co)/))"
    rf"[^{NOT_IN_LINK}]{{1,{LONGEST_LINK + 1}}}",
    re.IGNORECASE,
)
_DASH = r"[\s\u2010-\u2013-]"
_ISBN = re.compile(
    r"\bISBNs?(?:[-\s]?1[03](?=\D))?[^\d\n]{0,12}"
    rf"((?:97[89]{_DASH}?)?(?:\d{_DASH}?){{9}}[\dXx])(?![\w])",
    re.IGNORECASE,
)

_CLOSING = {")": "(", ">": "<", "]": "["}
_HTML_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9]*/?>|</")
_LATEX_ESCAPE = re.compile(r"\\([_&%#~$])")
_UNCLEAN = re.compile(f"[{NOT_IN_LINK}]")
_EMPHASIS = "*_~"


def source_keys(text: str) -> tuple[SourceKey, ...]:
    """Return the distinct source keys of *text*, in the order in which each way of naming a source finds them."""
    text = _LATEX_ESCAPE.sub(r"\1", text)
    links = list(_links(text))
    found: dict[SourceKey, None] = {}
    for start, end in links:
        if key := _key_of_link(text[start:end]):
            found[key] = None
    rest = _blanked(text, links)
    for identifier in _arxiv_ids(rest):
        found[SourceKey("arxiv", _arxiv(identifier))] = None
    for match in _DOI_BARE.finditer(rest):
        if key := _doi(_trimmed(match[1], _emphasis_before(rest, match.start()))):
            found[key] = None
    for match in _ISBN.finditer(rest):
        if isbn := _isbn(match[1]):
            found[SourceKey("isbn", isbn)] = None
    return tuple(found)


def _links(text: str) -> Iterator[tuple[int, int]]:
    """Yield where links stand; what a closing bracket cuts off is looked at again."""
    at = 0
    while match := _LINK.search(text, at):
        raw = match[0]
        if not _DOI_LINK.match(raw):
            raw = re.split("[<>]", raw, maxsplit=1)[0]
        end = match.start() + len(_trimmed(raw, _emphasis_before(text, match.start())))
        yield match.start(), end
        at = max(end, match.start() + 1) if len(match[0]) <= LONGEST_LINK else match.end()


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    """Return *text* with a line end in place of each span: nothing is read across it."""
    parts: list[str] = []
    at = 0
    for start, end in spans:
        parts += [text[at:start], "\n"]
        at = end
    return "".join([*parts, text[at:]])


def _key_of_link(link: str) -> SourceKey | None:
    """Return the key of one link; a link to arXiv or to a DOI gives only that."""
    if match := _ARXIV_LINK.match(link):
        return SourceKey("arxiv", _arxiv(match[1]))
    if match := _DOI_LINK.match(link):
        return _doi(_trimmed(match[1]))
    if len(link) > LONGEST_LINK:
        return None
    key = link_key(link)
    return SourceKey("url", key) if key else None


def _arxiv_ids(text: str) -> Iterator[str]:
    for match in _ARXIV_WORD.finditer(text):
        yield match[1]
        yield from _ARXIV_IN_LIST.findall(match[2])
    for match in _ARXIV_BARE.finditer(text):
        yield match[1]


def _arxiv(identifier: str) -> str:
    """Return the id in lower case without subject class: `math.GT/0309136` is `math/0309136`."""
    archive, slash, number = identifier.lower().partition("/")
    return f"{archive.split('.')[0]}/{number}" if slash else archive


def _doi(raw: str) -> SourceKey | None:
    """Return the DOI in lower case, percent-decoded; arXiv's own DOIs are arXiv ids."""
    try:
        decoded = unquote(raw, errors="strict")
    except UnicodeDecodeError:
        decoded = raw
    doi = _trimmed(_UNCLEAN.split(decoded, maxsplit=1)[0]).lower()
    if match := _ARXIV_DOI.fullmatch(doi):
        return SourceKey("arxiv", _arxiv(match[1]))
    prefix, _, suffix = doi.partition("/")
    return SourceKey("doi", f"{prefix}/{suffix}") if suffix else None


def _emphasis_before(text: str, start: int) -> str:
    """Return the Markdown emphasis that opens directly before *start*: `**`, `_`."""
    at = start
    while at and text[at - 1] in _EMPHASIS and start - at < 3:
        at -= 1
    return text[at:start]


def _trimmed(text: str, emphasis: str = "") -> str:
    """Return *text* up to a closing bracket that nothing opened or a tag, without punctuation and *emphasis* behind it."""
    if tag := _HTML_TAG.search(text):
        text = text[: tag.start()]
    text = text[: _end_of_balanced(text)].rstrip(TRAILING)
    if emphasis and text.endswith(emphasis[::-1]):
        text = text[: -len(emphasis)].rstrip(TRAILING)
    return text


def _end_of_balanced(text: str) -> int:
    """Return where the first closing bracket stands that nothing opened."""
    opened = dict.fromkeys(_CLOSING.values(), 0)
    for index, char in enumerate(text):
        if char in opened:
            opened[char] += 1
        elif char in _CLOSING:
            if not opened[_CLOSING[char]]:
                return index
            opened[_CLOSING[char]] -= 1
    return len(text)


def _isbn(raw: str) -> str | None:
    """Return the 13 digits of an ISBN, None if its check digit is wrong."""
    digits = re.sub(_DASH, "", raw).upper()
    if not digits.isascii():
        return None
    if len(digits) == 10:
        values = [10 if char == "X" else int(char) for char in digits]
        if sum(value * (10 - index) for index, value in enumerate(values)) % 11:
            return None
        body = "978" + digits[:9]
        return body + str(-_weighted_sum(body) % 10)
    return digits if digits.isdigit() and not _weighted_sum(digits) % 10 else None


def _weighted_sum(digits: str) -> int:
    return sum(int(char) * (3 if index % 2 else 1) for index, char in enumerate(digits))
