"""Where a file lies: in a folder that a program syncs, on a disk of another machine, opened by whom."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

SYNCED_NAMES = {
    "dropbox": "Dropbox",
    "onedrive": "OneDrive",
    "google drive": "Google Drive",
    "googledrive": "Google Drive",
    "my drive": "Google Drive",
    "icloud drive": "iCloud",
    "iclouddrive": "iCloud",
    "mobile documents": "iCloud",
    "com~apple~clouddocs": "iCloud",
    "nextcloud": "Nextcloud",
    "owncloud": "ownCloud",
    "syncthing": "Syncthing",
}
"""How such folders are called, in lower case; `OneDrive - Firm` and `GoogleDrive-me@example.org` begin alike."""
JOINTS = (" -", "-", " (")
MARKS = {
    ".dropbox": "Dropbox",
    ".dropbox.cache": "Dropbox",
    ".stfolder": "Syncthing",
    ".stignore": "Syncthing",
    ".nextcloudsync.log": "Nextcloud",
    ".owncloudsync.log": "ownCloud",
    ".tmp.drivedownload": "Google Drive",
}
"""What those programs leave in a folder that they sync."""
NETWORK_TYPES = frozenset(
    {
        "9p",
        "afs",
        "afpfs",
        "ceph",
        "cifs",
        "coda",
        "davfs",
        "fuse.cephfs",
        "fuse.davfs2",
        "fuse.gcsfuse",
        "fuse.glusterfs",
        "fuse.rclone",
        "fuse.s3fs",
        "fuse.sshfs",
        "glusterfs",
        "lustre",
        "ncpfs",
        "nfs",
        "nfs4",
        "smb3",
        "smbfs",
        "sshfs",
        "webdav",
    }
)
MOUNTS = Path("/proc/self/mounts")
PROCESSES = Path("/proc")


def sync_service(path: Path, exists: Callable[[Path], bool] = Path.exists) -> str | None:
    """Return the service that syncs the folder of *path*, by the names above it or by what it left there."""
    for folder in path.parents:
        for mark, service in MARKS.items():
            if exists(folder / mark):
                return service
        name = folder.name.casefold()
        for known, service in SYNCED_NAMES.items():
            if name == known or name.startswith(tuple(known + joint for joint in JOINTS)):
                return service
    return None


def network_type(path: Path, mounts: str) -> str | None:
    """Return the type of the network file system that *path* lies on; *mounts* is the text of `/proc/self/mounts`."""
    if str(path).startswith("\\\\"):
        return "UNC"
    best, found = -1, ""
    for line in mounts.splitlines():
        parts = line.split(" ")
        if len(parts) < 3:
            continue
        place = Path(_unescaped(parts[1]))
        if (place == path or place in path.parents) and len(
            place.parts
        ) >= best:  # a later one covers an earlier one
            best, found = len(place.parts), parts[2]
    return found if found in NETWORK_TYPES else None


def _unescaped(text: str) -> str:
    """Return a path of the mount table with its octal escapes resolved (fstab(5))."""
    return text.replace("\\040", " ").replace("\\011", "\t").replace("\\012", "\n").replace("\\134", "\\")


def read_mounts() -> str:
    """Return the mount table, "" where there is none to read."""
    try:
        return MOUNTS.read_text("utf-8", "surrogateescape")
    except OSError:
        return ""


def openers(path: Path) -> list[str] | None:
    """Return the other processes that have *path* open, as `1234 (name)`; None where that cannot be asked.

    Processes of other users are seen only by root.
    """
    if not sys.platform.startswith("linux") or not PROCESSES.is_dir():
        return None
    wanted = os.path.realpath(path)
    own = str(os.getpid())
    found = [
        f"{process.name} ({_name_of(process)})"
        for process in _processes()
        if process.name != own and wanted in _opened_by(process)
    ]
    return sorted(found, key=lambda one: int(one.partition(" ")[0]))


def _processes() -> Iterator[Path]:
    try:
        yield from (process for process in PROCESSES.iterdir() if process.name.isdecimal())
    except OSError:
        return


def _opened_by(process: Path) -> Iterator[str]:
    try:
        for handle in (process / "fd").iterdir():
            try:
                yield os.readlink(handle)  # noqa: PTH115 - the text of the link is compared
            except OSError:  # closed meanwhile
                continue
    except OSError:  # ended, or another user's
        return


def _name_of(process: Path) -> str:
    try:
        return (process / "comm").read_text("utf-8", "replace").strip()
    except OSError:
        return "?"
