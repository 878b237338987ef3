"""Source keys: the same paper, book or page recognised by its arXiv id, DOI, ISBN or link, however it is spelled.

Keys are compared for equality, never as substrings. Shapes: arXiv identifier scheme (old and since 2007), DOI handbook
section 2.2, ISBN-13 as in ISO 2108, URLs as in RFC 3986.
"""

import re
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit


class SourceKey(NamedTuple):
    """One recognised source; *type* is `arxiv`, `doi`, `isbn` or `url`."""

    type: str
    key: str


_OLD_ARCHIVES = (
    "acc-phys|adap-org|alg-geom|ao-sci|astro-ph|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|comp-gas|cond-mat|cs|dg-ga|"
    "funct-an|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math|math-ph|mtrl-th|nlin|nucl-ex|nucl-th|patt-sol|physics|plasm-ph|"
    "q-alg|q-bio|quant-ph|solv-int|supr-con"
)
_NEW_ID = r"\d{4}\.\d{4,5}"
_OLD_ID = rf"(?:{_OLD_ARCHIVES})(?:\.[A-Za-z-]{{2,10}})?/\d{{7}}"
_VERSION = r"(?:v\d{1,3})?"
_END = r"(?![\w/])"
_ARXIV_WORD = re.compile(
    rf"\barxiv\b[\s:#.]{{0,3}}(?:(?:e-?print|preprint|id|abs)[\s:]{{0,3}})?({_NEW_ID}|{_OLD_ID}){_VERSION}{_END}",
    re.IGNORECASE,
)
_ARXIV_LINK = re.compile(
    rf"arxiv\.org/(?:abs|pdf|html|format|src)/({_NEW_ID}|{_OLD_ID}){_VERSION}(?:\.pdf)?(?![\w])", re.IGNORECASE
)
_ARXIV_BARE = re.compile(rf"(?<![\w./-])({_OLD_ID}){_VERSION}{_END}", re.IGNORECASE)
_ARXIV_DOI = re.compile(rf"10\.48550/arxiv\.({_NEW_ID}|{_OLD_ID}){_VERSION}{_END}", re.IGNORECASE)

_DOI = re.compile(r"(?<![\w./])(?:doi:\s?)?(10\.\d{4,9}/[^\s\"“”„‟«»‹›|`]+)", re.IGNORECASE)
_DOI_LINK = re.compile(r"https?://(?:www\.)?(?:dx\.)?doi\.org/(10\.\d{4,9}/[^\s\"“”„‟«»‹›|`]+)", re.IGNORECASE)
_ISBN = re.compile(r"\bISBN(?:-1[03])?[:\s]{0,3}((?:97[89][\s-]?)?(?:\d[\s-]?){9}[\dXx])(?!\d)", re.IGNORECASE)
_URL = re.compile(r"\bhttps?://[^\s\"“”„‟«»‹›|`<>]+", re.IGNORECASE)

_PAIRS = {")": "(", ">": "<", "]": "["}
_TRAILING = ".,;:'’‘!?*"
_TRACKING = re.compile(r"utm_.*|gclid|fbclid", re.IGNORECASE)
_CASELESS_HOSTS = ("github.com", "gitlab.com", "huggingface.co")
_UNRESERVED = "-._~!$&'()*+,;=:@"


def source_keys(text: str) -> tuple[SourceKey, ...]:
    """Return the distinct source keys of *text*: arXiv ids first, then DOIs, ISBNs and links."""
    found: dict[SourceKey, None] = {}
    for pattern in (_ARXIV_WORD, _ARXIV_LINK, _ARXIV_DOI, _ARXIV_BARE):
        for match in pattern.finditer(text):
            found[SourceKey("arxiv", _arxiv(match[1]))] = None
    for pattern in (_DOI_LINK, _DOI):
        for match in pattern.finditer(text):
            if doi := _doi(match[1]):
                found[SourceKey("doi", doi)] = None
    for match in _ISBN.finditer(text):
        if isbn := _isbn(match[1]):
            found[SourceKey("isbn", isbn)] = None
    for match in _URL.finditer(text):
        if url := _url(match[0]):
            found[SourceKey("url", url)] = None
    return tuple(found)


def _arxiv(identifier: str) -> str:
    """Return the id in lower case, without version and subject class (`math.GT/0309136` is `math/0309136`)."""
    archive, slash, number = identifier.lower().partition("/")
    return f"{archive.split('.')[0]}/{number}" if slash else archive


def _doi(raw: str) -> str | None:
    """Return the DOI in lower case, percent-decoded; None for arXiv's own DOIs, which count as arXiv ids."""
    doi = _trimmed(unquote(_trimmed(raw))).lower()
    if doi.startswith("10.48550/arxiv.") or doi.endswith("/"):
        return None
    return doi


def _trimmed(text: str) -> str:
    """Drop trailing punctuation and closing brackets that nothing opened."""
    text = _cut_unbalanced(text)
    while text and (text[-1] in _TRAILING or _is_unbalanced(text)):
        text = text[:-1]
    return text


def _cut_unbalanced(text: str) -> str:
    """Return *text* up to its first closing bracket that nothing opened."""
    open_count = dict.fromkeys(_PAIRS.values(), 0)
    for index, char in enumerate(text):
        if char in open_count:
            open_count[char] += 1
        elif char in _PAIRS:
            if not open_count[_PAIRS[char]]:
                return text[:index]
            open_count[_PAIRS[char]] -= 1
    return text


def _is_unbalanced(text: str) -> bool:
    last = text[-1]
    return last in _PAIRS and text.count(last) > text.count(_PAIRS[last])


def _isbn(raw: str) -> str | None:
    """Return the 13 digits of an ISBN, None if its check digit is wrong."""
    digits = re.sub(r"[\s-]", "", raw).upper()
    if len(digits) == 10:
        if "X" in digits[:9]:
            return None
        values = [10 if char == "X" else int(char) for char in digits]
        if sum(value * (10 - index) for index, value in enumerate(values)) % 11:
            return None
        body = "978" + digits[:9]
        return body + str(-_sum13(body) % 10)
    if len(digits) == 13 and digits.isdigit() and not _sum13(digits) % 10:
        return digits
    return None


def _sum13(digits: str) -> int:
    return sum(int(char) * (3 if index % 2 else 1) for index, char in enumerate(digits))


def _url(raw: str) -> str | None:
    """Return the link without scheme, `www.`, user, default port, fragment and tracking; None for a bare host."""
    try:
        parts = urlsplit(_trimmed(raw))
        port = parts.port
    except ValueError:
        return None
    host = (parts.hostname or "").removeprefix("www.").rstrip(".")
    if not host or host in ("doi.org", "dx.doi.org") or _is_arxiv_source(host, parts.path):
        return None
    path = quote(unquote(parts.path), safe=_UNRESERVED + "/").rstrip("/.,;")
    if host in _CASELESS_HOSTS:
        path = _caseless_repository(path)
    query = _query(parts.query)
    if not path.strip("/") and not query:
        return None
    shown_port = f":{port}" if port and port not in (80, 443) else ""
    return f"{host}{shown_port}{path}" + (f"?{query}" if query else "")


def _is_arxiv_source(host: str, path: str) -> bool:
    return host.endswith("arxiv.org") and bool(_ARXIV_LINK.search(f"arxiv.org{path}"))


def _query(query: str) -> str:
    pairs = [pair for pair in parse_qsl(query, keep_blank_values=True) if not _TRACKING.fullmatch(pair[0])]
    return urlencode(sorted(pairs))


def _caseless_repository(path: str) -> str:
    """Lower the first two parts of a path at hosts that ignore their case, and drop `.git`."""
    parts = path.split("/")
    parts[1:3] = [part.lower().removesuffix(".git") for part in parts[1:3]]
    return "/".join(parts)
