"""A look at the beginning of a file, to tell its format; what cannot be read tells nothing."""

from pathlib import Path

SNIFFED_BYTES = 1024 * 1024
MOST_ARCHIVE_BYTES = 200 * 1024 * 1024


def beginning(path: Path, most: int = SNIFFED_BYTES) -> str:
    """Return at most *most* bytes of *path* as text, "" if it is no UTF-8 or cannot be read."""
    data = first_bytes(path, most)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # Half a character at the cut says nothing; anywhere else the file is no text.
        is_cut = error.start > len(data) - 4 and len(data) == most
        return data[: error.start].decode("utf-8-sig") if is_cut else ""


def first_bytes(path: Path, most: int = SNIFFED_BYTES) -> bytes:
    """Return at most *most* bytes of *path*, none if it cannot be read."""
    try:
        if not path.is_file():
            return b""
        with path.open("rb") as file:
            return file.read(most)
    except OSError:
        return b""


def archive(path: Path) -> bytes:
    """Return the whole of a zip, nothing for other files and larger ones."""
    if first_bytes(path, 4) != b"PK\x03\x04":
        return b""
    data = first_bytes(path, MOST_ARCHIVE_BYTES + 1)
    return data if len(data) <= MOST_ARCHIVE_BYTES else b""
