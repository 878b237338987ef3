"""The text of a mail: words of headers, bodies in whatever charset, HTML as text, what was written and what was quoted."""

import re
from email.header import decode_header
from email.message import Message as Mail
from typing import NamedTuple

from frugal_modes.evidence.importers.mailhtml import html_text

_CHARSETS = {
    "unknown-8bit": "",
    "x-unknown": "",
    "default_charset": "",
    "8bit": "",
    "default": "",
    "binary": "",
}
_ATTRIBUTION = re.compile(
    r"^\s*(on\b.{0,200}\bwrote|am\b.{0,200}\bschrieb\b.{0,100}|le\b.{0,200}\ba écrit|el\b.{0,200}\bescribió"
    r"|.{0,120}\b(wrote|schrieb|writes|schreibt))\s*:\s*$",
    re.IGNORECASE,
)
_ATTRIBUTION_HEAD = re.compile(r"^\s*(on|am|le|el)\b.{0,200}$", re.IGNORECASE)
_ORIGINAL = re.compile(
    r"^\s*(-{2,}\s*(original message|original appointment|forwarded message|ursprüngliche nachricht"
    r"|weitergeleitete nachricht|message d'origine|mensaje original)\s*-{2,}|_{20,})\s*$",
    re.IGNORECASE,
)
_OUTLOOK = re.compile(r"^\s*\*?(from|von|de)\s?:\*?\s.+", re.IGNORECASE)
_OUTLOOK_NEXT = re.compile(r"^\s*\*?(sent|date|gesendet|datum|envoyé|enviado|to|an)\s?:\*?\s", re.IGNORECASE)
_SIGNATURE = re.compile(r"^-- ?$")
_QUOTE = re.compile(r"^\s?>")


class Decoded(NamedTuple):
    """A text, and whether its charset had to be guessed."""

    text: str
    is_repaired: bool = False


def decode_words(header: str) -> str:
    """Return a header with its encoded words read; one that nobody can read stays as it is."""
    if "=?" not in header:
        return _plain(header)
    try:
        pieces = decode_header(header)
    except Exception:  # binascii, LookupError, ValueError: whatever is wrong, the header says it raw
        return _plain(header)
    words = [
        decoded(piece, charset or "").text if isinstance(piece, bytes) else piece for piece, charset in pieces
    ]
    return _plain("".join(words))


def _plain(text: str) -> str:
    """Return *text* on one line; bytes that the parser carried along are read as they most likely were meant."""
    if any("\udc80" <= char <= "\udcff" for char in text):
        text = decoded(text.encode("utf-8", "surrogateescape"), "").text
    return " ".join(text.split())


def decoded(data: bytes, charset: str) -> Decoded:
    """Return *data* as text: in the charset it names, else UTF-8, else the code page that mail programs write."""
    name = charset.strip().strip("\"'").lower()
    name = _CHARSETS.get(name, name)
    if name and name not in ("us-ascii", "ascii"):
        try:
            return Decoded(data.decode(name))
        except (LookupError, UnicodeError, ValueError):
            pass
    if data.isascii():
        return Decoded(data.decode("ascii"), bool(name) and name not in ("us-ascii", "ascii"))
    try:
        return Decoded(data.decode("utf-8"), is_repaired=True)
    except UnicodeDecodeError:
        return Decoded(data.decode("cp1252", "replace"), is_repaired=True)


def body_of(mail: "Mail[str, str]") -> Decoded:
    """Return what a mail says: its plain text, or its HTML as text; attachments are left out."""
    plain: list[Decoded] = []
    html: list[Decoded] = []
    for part in _parts(mail, 0):
        found = _payload(part)
        if found is None:
            continue
        (html if part.get_content_type() == "text/html" else plain).append(found)
    kept = plain if any(part.text.strip() for part in plain) else html
    texts = [html_text(part.text) if kept is html else part.text for part in kept]
    text = "\n\n".join(text.strip("\n") for text in texts if text.strip())
    return Decoded(text.replace("\r\n", "\n"), any(part.is_repaired for part in kept))


def _parts(mail: "Mail[str, str]", depth: int) -> "list[Mail[str, str]]":
    """Return the text parts of a mail; of alternatives those that can be read, a forwarded mail is an attachment."""
    if depth > 12:
        return []
    payload = mail.get_payload()
    if mail.get_content_maintype() == "multipart" and isinstance(payload, list):
        return [found for part in payload if isinstance(part, Mail) for found in _parts(part, depth + 1)]
    is_text = (
        mail.get_content_type() in ("text/plain", "text/html") or mail.get_content_maintype() == "multipart"
    )
    disposition = str(mail.get("Content-Disposition", "")).strip().lower()
    return (
        [mail]
        if is_text and not disposition.startswith("attachment") and not isinstance(payload, list)
        else []
    )


def _payload(part: "Mail[str, str]") -> Decoded | None:
    try:
        data = part.get_payload(decode=True)
        charset = part.get_param("charset", "")
    except Exception:  # a transfer encoding that cannot be undone leaves nothing to read
        return None
    name = charset[2] if isinstance(charset, tuple) else charset
    return decoded(data, str(name or "")) if isinstance(data, bytes) else None


def without_quotes(body: str) -> str:
    """Return *body* without quoted lines, the lines that announce them, what was copied below, and the signature."""
    lines = body.split("\n")
    kept: list[str] = []
    for index, line in enumerate(lines):
        if _SIGNATURE.match(line) or _ORIGINAL.match(line) or _is_copied_head(lines, index):
            break
        if _QUOTE.match(line):
            _drop_attribution(kept)
        elif not (_ATTRIBUTION.match(line) and _is_last_word(lines, index)):
            kept.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip("\n").rstrip()


def _drop_attribution(kept: list[str]) -> None:
    """Take back the line, or the two lines, that say who is quoted now."""
    end = len(kept)
    while end and not kept[end - 1].strip():
        end -= 1
    is_long = end > 1 and bool(_ATTRIBUTION_HEAD.match(kept[end - 2]))
    if is_long and _ATTRIBUTION.match(" ".join(kept[end - 2 : end])):
        del kept[end - 2 :]
    elif end and _ATTRIBUTION.match(kept[end - 1]):
        del kept[end - 1 :]


def _is_last_word(lines: list[str], index: int) -> bool:
    """Tell whether nothing follows but blank lines and a signature."""
    rest = [line for line in lines[index + 1 :] if line.strip()]
    return not rest or bool(_SIGNATURE.match(rest[0]))


def _is_copied_head(lines: list[str], index: int) -> bool:
    """Tell whether the head of an older mail begins here, as some programs copy it below an answer."""
    if not _OUTLOOK.match(lines[index]):
        return False
    following = [line for line in lines[index + 1 : index + 4] if line.strip()]
    return any(_OUTLOOK_NEXT.match(line) for line in following[:2])
