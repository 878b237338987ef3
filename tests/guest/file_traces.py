"""What a guest has to leave as it is."""

import hashlib
from pathlib import Path


def traces_of(path: Path) -> tuple[str, int, list[str]]:
    """Return the hash of the file, its change time, and the names in its folder."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return digest, path.stat().st_mtime_ns, sorted(file.name for file in path.parent.iterdir())
