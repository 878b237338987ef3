"""Links as keys: two spellings of one address give the same key (RFC 3986 section 6.2)."""

import re
from urllib.parse import quote, urlsplit

LONGEST_LINK = 2_048
"""Characters of a longer link are nobody's idea of a source."""

NOT_IN_LINK = (
    r"\x00-\x20\x7f-\xa0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000-\u3003\u3008-\u3011\ufeff"
    '"“”„‟«»‹›|`{}\\\\^（），．：；！？'
)
"""What ends a link in running text, for a character class: space, controls, quotes and full-width punctuation."""

TRAILING = ".,;:!?'‘’‚*/"
"""What is punctuation at the end of a link, or means nothing there."""

_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_TRACKING = re.compile(r"utm_.*|gclid|fbclid", re.IGNORECASE | re.DOTALL)
_UNRESERVED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
_PLAIN_IN_PATH = _UNRESERVED | frozenset("!$&'()*+,;=:@")
_PLAIN_IN_QUERY = _UNRESERVED | frozenset("!$'()*,;:@/?")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_CASELESS_HOSTS = frozenset({"github.com", "gitlab.com", "huggingface.co"})


def link_key(link: str) -> str | None:
    """Return *link* without scheme, `www.`, user, default port, fragment and tracking; None for a bare host."""
    try:
        parts = urlsplit(link if "://" in link[:8] else f"https://{link}")
        port = parts.port
        host = _ascii((parts.hostname or "").removeprefix("www.").rstrip("."))
    except ValueError:
        return None
    path = _normal(parts.path, _PLAIN_IN_PATH)
    if host in _CASELESS_HOSTS:
        path = _caseless_repository(path)
    if query := _query(parts.query):
        path += f"?{query}"
    key = path.rstrip(TRAILING)
    if not host or not key.strip("/"):
        return None
    return f"{host}{_shown_port(port, parts.scheme)}{key}"


def _shown_port(port: int | None, scheme: str) -> str:
    return "" if port is None or port == _DEFAULT_PORTS.get(scheme) else f":{port}"


def _ascii(host: str) -> str:
    """Return *host* in the letters that are sent; one that is no name of a host stays as it is."""
    if host.isascii():
        return host
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return host


def _normal(text: str, plain: frozenset[str]) -> str:
    """Return *text* with needless escapes decoded, the others in upper case, and characters beyond ASCII escaped."""

    def decoded(match: re.Match[str]) -> str:
        char = chr(int(match[1], 16))
        return char if char in plain else match[0].upper()

    return _NOT_ASCII.sub(lambda match: quote(match[0]), _ESCAPE.sub(decoded, text))


def _query(query: str) -> str:
    """Return the parameters in order, without those that only track."""
    pairs = [_normal(pair.replace("%20", "+"), _PLAIN_IN_QUERY) for pair in query.split("&") if pair]
    return "&".join(sorted(pair for pair in pairs if not _TRACKING.fullmatch(pair.partition("=")[0])))


def _caseless_repository(path: str) -> str:
    """Lower the first two parts of a path at hosts that ignore their case, and drop `.git` from the second."""
    parts = path.split("/")
    parts[1:3] = [part.lower() for part in parts[1:3]]
    if len(parts) > 2:
        parts[2] = parts[2].removesuffix(".git")
    return "/".join(parts)
