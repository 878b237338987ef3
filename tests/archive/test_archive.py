"""The archive: its kinds, ids and settings, on the tools it shares with the memory."""

import hashlib
import json
import re
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from frugal.engine import build_engine
from frugal.settings import Options, load_settings
from frugal_modes.archive import ARCHIVE
from frugal_modes.memory import MEMORY

KINDS = ("finding", "method", "survey", "resource", "gap", "lead", "rejected")
SOURCE = Path(ARCHIVE.package.replace(".", "/"))


def test_every_answer_prints_ids_with_the_name(archive):
    for number in range(1, 6):
        archive.store(f"Tree rings of series {number}.", tags="dendro", kind="finding")
    archive("forget", ids="4", reason="see elsewhere")
    archive.store("Tree rings of series 6.", supersedes="5", kind="method")
    answers = [
        archive("recall", query="tree rings", include_superseded=True),
        archive("recall", query="1-3"),
        archive("recall", query="tree rings", full=True),
        archive("show", ids="1-6,99"),
        archive("topics", tag="dendro"),
        archive("topics", tag="dendro", all=True),
        archive("classify", ids="1-3,77", kind="method"),
        archive("forget", ids="1-4,78"),
        archive("forget", ids="1-3", undo=True),
        archive("consolidate", threshold=0.3),
        archive("remember", text="Tree rings of series 1.", supersedes="3,4,79"),
        archive.refused("show", ids="other#1"),
    ]

    for answer in answers:
        printed = re.findall(r"[\w.]*#\d+", answer.replace("other#1", ""))
        assert all(item.startswith(archive.word("archive") + "#") for item in printed), answer
    assert all("#" in answer for answer in answers[:-1])


def test_bare_ids_and_either_word_are_accepted(archive):
    archive.store("Tree rings.", kind="finding")

    shown = {
        archive("show", ids=ids) for ids in ("1", "#1", "archive#1", "archiv#1", "ARCHIV#1", "archiv#1-#1")
    }

    assert len(shown) == 1
    refused = archive.refused("show", ids="b#1")
    assert " b " in refused
    assert archive.word("archive") in refused


def test_kinds_of_both_languages_are_taken_and_those_of_the_memory_refused(archive):
    for kind in KINDS:
        archive.store(f"A note on {kind}.", kind=kind)
    for german in ("befund", "methode", "ÜBERBLICK", "Werkzeug", "Lücke", "spur", "verworfen"):
        archive.store(f"Notiz zu {german}.", kind=german)

    stored = [row[0] for row in archive.rows("SELECT kind FROM entry_state ORDER BY entry_id")]
    refused = archive.refused("remember", text="x", kind="pitfall")

    assert (
        stored[:7]
        == stored[7:]
        == ["befund", "methode", "ueberblick", "werkzeug", "luecke", "spur", "verworfen"]
    )
    assert ", ".join(archive.word(kind) for kind in (*KINDS, "unsorted")) in refused


def test_leads_and_rejected_are_hidden_and_counted_apart(archive):
    archive.store("Isotope drift in cave ice.", kind="finding")
    for number in range(2):
        archive.store(f"Isotope drift, unchecked {number}.", kind="lead")
    for number in range(3):
        archive.store(f"Isotope drift, refuted {number}.", kind="rejected")

    header = archive("recall", query="isotope drift").splitlines()[0]
    lead, rejected = archive.word("lead"), archive.word("rejected")

    assert archive.pick("1 of 1 match", "1 von 1 Treffer") in header
    assert archive.pick(f'2 in lead hidden (kind="{lead}")', f'2 in spur verborgen (art="{lead}")') in header
    assert (
        archive.pick(
            f'3 in rejected hidden (kind="{rejected}")', f'3 in verworfen verborgen (art="{rejected}")'
        )
        in header
    )
    assert archive("recall", query="isotope drift", kind="lead").startswith(archive.pick("2 of 2", "2 von 2"))
    assert archive("recall", query="isotope drift", kind="alle").startswith(archive.pick("6 of 6", "6 von 6"))


def test_a_dated_note_is_no_chronicle_and_a_long_one_is_told_from_3000_on(archive):
    dated = archive("remember", text="2026-01-02 " + "word " * 500, kind="gap")
    long = archive("remember", text="Another. " + "word " * 700, kind="gap")

    chronicle = archive.pick("chronicle", "Chronik")
    assert chronicle not in dated
    assert "2511" not in dated
    assert "3509" in long


def test_tool_lists_are_small_and_have_descriptions_of_their_own(archive):
    workspace = archive.shell.workspace
    tools = {tool.name: tool for tool in workspace.definitions()}

    assert size_of(workspace) <= 6_144
    assert archive.pick("arXiv", "arXiv") in str(tools["remember"].input_schema)
    assert archive.pick("literature search", "Literatursuche") in tools["recall"].description
    listed = tools["remember"].input_schema["properties"][archive.word("kind")]["enum"]
    assert listed == [archive.word(kind) for kind in KINDS]


def test_a_guests_tool_list_is_smaller_still(open_archive):
    for language in ("en", "de"):
        assert size_of(open_archive(language, is_guest=True).shell.workspace) <= 2_800


def size_of(workspace) -> int:
    tools = [
        {
            "name": tool.name,
            "description": tool.description,
            "inputSchema": tool.input_schema,
            "annotations": {
                "readOnlyHint": tool.is_read_only,
                "destructiveHint": tool.is_destructive,
                "idempotentHint": tool.is_idempotent,
                "openWorldHint": tool.is_open_world,
            },
        }
        for tool in workspace.definitions()
    ]
    result = {"tools": tools, "ttlMs": 0, "cacheScope": "private", "resultType": "complete"}
    return len(json.dumps(result, ensure_ascii=False, separators=(",", ":")).encode())


def test_instructions_are_the_archives_own_and_name_its_ids(archive, open_archive):
    instructions = archive.shell.workspace.instructions
    renamed = open_archive(archive.language, ARCHIVE_NAME="l" * 32).shell.workspace.instructions

    assert f"{archive.word('archive')}#12" in instructions
    assert archive.pick("without tag", "ohne marke") in instructions
    assert f"{'l' * 32}#12" in renamed
    assert len(renamed) <= 600


# Settings


def workspace_of(folder: Path, mode=ARCHIVE, **environ: str):
    values = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder), **environ}
    return build_engine(load_settings(Options(), values), modes=[MEMORY, ARCHIVE]).open(mode)


def test_settings_of_the_memory_have_no_effect_and_its_file_is_never_opened(tmp_path):
    memory = tmp_path / "memory-here.db"
    memory.write_bytes(b"not even a database")
    before = hashlib.sha256(memory.read_bytes()).hexdigest(), memory.stat().st_mtime_ns

    workspace = workspace_of(tmp_path, MEMORY_DB=str(memory), MEMORY_NAME="bad name!")
    with workspace.store.write():
        pass
    workspace.close()

    assert workspace.settings.path == tmp_path / "frugal-memory" / "archive.db"
    assert workspace.surface.id(12) == "archive#12"
    assert (hashlib.sha256(memory.read_bytes()).hexdigest(), memory.stat().st_mtime_ns) == before
    assert sorted(file.name for file in (tmp_path / "frugal-memory").iterdir()) == ["archive.db"]


def test_settings_of_the_archive_have_no_effect_on_the_memory(tmp_path):
    workspace = workspace_of(tmp_path, MEMORY, ARCHIVE_DB=str(tmp_path / "a.db"), ARCHIVE_NAME="lit")

    assert workspace.settings.path == tmp_path / "frugal-memory" / "memory.db"
    assert workspace.settings.name != "lit"


def test_archive_name_overrides_both_words(open_archive):
    archive = open_archive("de", ARCHIVE_NAME="lit")
    stored = archive("remember", text="Tree rings.", art="befund")

    assert "lit#1" in stored
    assert "lit#1" in archive("show", ids="lit#1")
    assert "lit" in archive.refused("show", ids="archiv#1")


@pytest.mark.parametrize(("recorded", "shown"), [("de", "archiv#1"), ("en", "archive#1")])
def test_archive_has_a_language_record_of_its_own(tmp_path, recorded, shown):
    other = "de" if recorded == "en" else "en"
    for workspace in (
        workspace_of(tmp_path, MEMORY, MEMORY_LANG=other),
        workspace_of(tmp_path, MEMORY_LANG=recorded),
    ):
        with closing(workspace), workspace.store.write():
            pass

    workspace = workspace_of(tmp_path)

    assert workspace.surface.language == recorded
    assert workspace.surface.id(1) == shown
    assert workspace.surface.names == {"archive", "archiv"}


# The same code


def test_archive_repeats_no_code_of_the_memory_or_the_engine():
    root = Path(__file__).parents[2]
    own = windows(root / "plugins" / SOURCE)
    others = windows(root / "plugins" / "frugal_modes" / "memory") | windows(root / "frugal")

    assert not own & others


def windows(folder: Path, lines: int = 11) -> set[tuple[str, ...]]:
    """Return every run of *lines* lines of code, blank ones left out."""
    found: set[tuple[str, ...]] = set()
    for file in sorted(folder.rglob("*.py")):
        code = [line.strip() for line in file.read_text("utf-8").splitlines() if line.strip()]
        found.update(tuple(code[start : start + lines]) for start in range(len(code) - lines + 1))
    assert found
    return found


def test_kinds_and_hooks_are_all_that_differs():
    assert ARCHIVE.tools == MEMORY.tools
    assert all(one != other for one, other in pairwise(sorted(kind.english for kind in ARCHIVE.kinds.kinds)))
    assert not {kind.german for kind in ARCHIVE.kinds.kinds} & {kind.german for kind in MEMORY.kinds.kinds}
