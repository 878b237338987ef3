"""import of an export: into an empty file as it is, into a filled one as a merge."""

from pathlib import Path

from frugal import paths
from frugal.cli.command import Values
from frugal.cli.contents import refuse_mode, take_in, with_name
from frugal.cli.outcome import Outcome
from frugal.cli.session import Session
from frugal.errors import DamagedExport, UsageError
from frugal.transfer import ends_as_jsonl, from_jsonl, is_jsonl

HEAD_BYTES = 4096
NOT_FOR_EXPORTS = {"with_index": "--with-index", "recursive": "--recursive", "tag": "--tag", "kind": "--kind"}


def looks_like_export(place: Path) -> bool:
    """Tell whether the file *place* begins or ends as an export does: one that lost its start is damaged, not foreign."""
    if not place.is_file():
        return False
    with place.open("rb") as stream:
        start = stream.read(HEAD_BYTES)
        stream.seek(max(place.stat().st_size - HEAD_BYTES, 0))
        return is_jsonl(start) or ends_as_jsonl(stream.read(HEAD_BYTES))


def import_export(session: Session, place: Path, values: Values) -> Outcome:
    """Import the export *place* into the file of the chosen mode, the whole of it or nothing."""
    mode = session.chosen_mode()
    refuse_mode(session, mode, "import")
    for key, option in NOT_FOR_EXPORTS.items():
        if values.get(key):
            raise UsageError("not_for_export", option=option)
    workspace = session.open(mode)
    session.tell_notices()
    try:
        contents = from_jsonl(place.read_bytes())
        if contents.mode != mode.name:
            raise DamagedExport("export_mode", found=contents.mode[:40], mode=mode.name)
        contents = with_name(workspace, contents, place)
        return take_in(session, workspace, contents, is_dry=bool(values["dry_run"]), may_load=True)
    except DamagedExport as error:
        raise DamagedExport(error.key, **{**error.data, "path": paths.shown(place)}) from None
