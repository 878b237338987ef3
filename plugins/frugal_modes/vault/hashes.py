"""The content hash of a card, a hint that two cards may say the same, and where older cards kept it."""

import re
from hashlib import sha256

HASH_CHARACTERS = 16
_CRLF = re.compile(r"(?<!\r)\r+\n")
_COMMENT = re.compile(r"<!--\s*contentHash:\s*([0-9A-Za-z]{1,128})\s*-->", re.IGNORECASE)


def with_line_feeds(text: str) -> str:
    """Return *text* with CRLF as LF, also where it was made of CRLF once more (CR CR LF)."""
    return _CRLF.sub("\n", text) if "\r\n" in text else text


def content_hash(title: str, body: str) -> str:
    """Return the first 16 hex digits of SHA-256 over trimmed title, line feed, trimmed body."""
    text = f"{with_line_feeds(title).strip()}\n{with_line_feeds(body).strip()}"
    return sha256(text.encode()).hexdigest()[:HASH_CHARACTERS]


def hash_comment(body: str) -> tuple[int, str] | None:
    """Return where an HTML comment with the hash starts, if it is the last line that is not blank, and the hash."""
    end = len(body.rstrip())
    start = max(body.rfind("\n", 0, end), body.rfind("\r", 0, end)) + 1
    match = _COMMENT.fullmatch(body[start:end].strip())
    return (start, match[1].lower()) if match else None
