"""Files that are evidently no export that can be read, told by their first bytes before 20,000 rejects of one are."""

import codecs
import re

from frugal.api import Refusal

SQLITE = b"SQLite format 3\0"
PACKED = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!\x1a\x07": "rar",
}
OTHERS = {
    b"%PDF-": "PDF",
    b"PAR1": "Parquet",
    b"ARROW1": "Arrow",
    b"!BDN": "PST",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "OLE2",
    b"\x89PNG\r\n": "PNG",
    b"\xff\xd8\xff": "JPEG",
}
_ARRAY = re.compile(rb"\s*\[\s*\{")
_TAR_AT, _TAR = 257, b"ustar"


def fault_of(head: bytes) -> tuple[str, str]:
    """Return the key of a refusal and what a file is that begins with *head*; empty texts if it may be an export."""
    if head.startswith(SQLITE):
        return "import_sqlite", "SQLite"
    if kind := next((name for mark, name in PACKED.items() if head.startswith(mark)), ""):
        return "import_packed", kind
    if head[_TAR_AT : _TAR_AT + len(_TAR)] == _TAR:
        return "import_packed", "tar"
    kind = next((name for mark, name in OTHERS.items() if head.startswith(mark)), "")
    return ("import_binary", kind) if kind else ("", "")


def check_head(head: bytes, label: str) -> None:
    """Raise `Refusal` for a file that is evidently no export, or empty; *head* are its first bytes."""
    if not head:
        raise Refusal("import_empty", path=label)
    key, kind = fault_of(head)
    if key:
        raise Refusal(key, path=label, value=kind)


def check_json(head: bytes, label: str) -> None:
    """Raise `Refusal` for JSON that is in no format of ours where its first bytes *head* tell what to do about it."""
    if _ARRAY.match(head):
        is_day = b'"ts"' in head and b'"type"' in head
        raise Refusal("import_no_slack" if is_day else "import_array", path=label)
    if head.lstrip().startswith(b"{"):
        try:
            codecs.getincrementaldecoder("utf-8")().decode(head)  # the end of it may be cut in the middle
        except UnicodeDecodeError:
            raise Refusal("import_encoding", path=label) from None
