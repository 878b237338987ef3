"""The commands that write the vault: exit codes, bodies from standard input, one object with --json."""

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import pytest

from frugal.cli import console
from frugal.cli.root import run as main
from tests.cli.conftest import Told
from tests.vault.conftest import BODY, OTHER_BODY

Run = Callable[..., Told]
PATH = "03-Knowledge/nginx.md"


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a line of `frugal-memory vault` over a vault of the test's own; *stdin* comes as through a pipe."""
    (tmp_path / "vault").mkdir()
    own = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}

    def run_it(*argv: str, lang: str = "en", stdin: bytes | IO[bytes] | None = None) -> Told:
        capsys.readouterr()
        if isinstance(stdin, bytes):
            (tmp_path / "stdin").write_bytes(stdin)
            stdin = (tmp_path / "stdin").open("rb")
        with stdin or io.BytesIO() as stream:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream, encoding="utf-8"))
            environ = {**own, "MEMORY_LANG": lang, "VAULT_DIR": str(tmp_path / "vault")}
            code = main(("vault", *argv), script="frugal-memory", environ=environ)
        out, err = capsys.readouterr()
        return Told(code, out, err)

    return run_it


def capture(run: Run, title: str = "Nginx", body: str = BODY, *more: str) -> dict[str, Any]:
    told = run("capture", "--title", title, "--body", body, *more, "--json")
    assert told.code == 0, told
    return told.json


def test_capture_takes_its_body_from_a_pipe_or_a_dash(run: Run, tmp_path: Path) -> None:
    piped = run("capture", "--title", "One", stdin=f"{BODY} 阿里云\r\n".encode())
    dashed = run("capture", "--title", "Two", "--body", "-", stdin=OTHER_BODY.encode())

    assert (piped.code, piped.out) == (0, "Stored: #1 03-Knowledge/one.md\n")
    assert dashed.code == 0
    assert (tmp_path / "vault/03-Knowledge/one.md").read_text("utf-8").endswith(f"---\n{BODY} 阿里云\n")


def test_empty_body_is_empty_and_refused(run: Run) -> None:
    told = run("capture", "--title", "One", "--body", "", stdin=BODY.encode())

    assert told.code == 2
    assert "body has 0 characters" in told.err


def test_body_that_is_no_utf8_is_exit_2(run: Run) -> None:
    assert run("capture", "--title", "One", "--body", "-", stdin=b"latin \xe4 text, long enough").code == 2


def test_pipe_that_stays_silent_is_exit_2(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "PATIENCE_S", 0.05)
    reading, writing = os.pipe()

    told = run("capture", "--title", "One", stdin=os.fdopen(reading, "rb"))

    os.close(writing)
    assert told.code == 2
    assert "0.05 s" in told.err
    assert not (tmp_path / "vault/03-Knowledge").exists()


def test_agent_of_the_shell_is_agent(run: Run, tmp_path: Path) -> None:
    capture(run)

    text = (tmp_path / "vault" / PATH).read_text("utf-8")
    assert "\nsubmittedBy: agent\n" in text
    assert "\nsource: agent\n" in text


def test_facts_of_the_text_are_keys_of_the_object(run: Run) -> None:
    found = capture(run)

    assert {key: found[key] for key in ("ok", "action", "id", "ref", "path", "conflict")} == {
        "ok": True,
        "action": "created",
        "id": 1,
        "ref": f"vault:{PATH}",
        "path": PATH,
        "conflict": False,
    }


def test_warnings_go_to_stderr(run: Run) -> None:
    told = run("capture", "--title", "One", "--body", f"{BODY} password=hunter2hunter2")

    assert told.out == "Stored: #1 03-Knowledge/one.md\n"
    assert "assignment x1 (1:60-73)" in told.err
    assert "hunter2" not in told.err


def test_notes_of_a_search_go_to_stderr(run: Run) -> None:
    capture(run)

    told = run("search", "nginx nowhereatall", "-n", "99")

    assert told.code == 0
    assert [line[:2] for line in told.out.splitlines()] == ["1 ", "#1"]
    assert "low confidence" in told.err
    assert "20 used" in told.err


def test_rejected_conflict_is_exit_3_and_keeps_its_fields(run: Run) -> None:
    capture(run)

    told = run("capture", "--title", "NGINX", "--body", OTHER_BODY, "--on-conflict", "reject", "--json")

    assert told.code == 3
    assert (told.json["ok"], told.json["action"], told.json["count"]) == (False, "conflict", 1)
    assert [item["path"] for item in told.json["items"]] == [PATH]


def test_rejected_secret_is_exit_1(run: Run) -> None:
    told = run("capture", "--title", "x", "--body", f"{BODY} 密码：abcd1234x", "--reject-secrets", "--json")

    assert told.code == 1
    assert told.json["secrets"] == [
        {"class": "assignment", "field": "body", "count": 1, "spans": ["1:54-62"]}
    ]


def test_missing_vault_is_exit_2(run: Run, tmp_path: Path) -> None:
    told = run("capture", "--title", "x", "--body", BODY, "--dir", str(tmp_path / "unmounted"))

    assert told.code == 2
    assert "--dir" in told.err
    assert not (tmp_path / "unmounted").exists()


def test_unknown_card_is_exit_1(run: Run) -> None:
    for command in ("update", "delete"):
        assert run(command, "99", *(("--title", "x") if command == "update" else ())).code == 1


def test_update_reads_a_pipe_only_if_there_is_one(run: Run, tmp_path: Path) -> None:
    capture(run)

    run("update", "1", "--tags", "a,b")
    assert (tmp_path / "vault" / PATH).read_text("utf-8").endswith(f"---\n{BODY}\n")

    run("update", "1", stdin=OTHER_BODY.encode())
    assert (tmp_path / "vault" / PATH).read_text("utf-8").endswith(f"---\n{OTHER_BODY}\n")


def test_kind_of_an_update_is_refused_and_supersede_named(run: Run) -> None:
    capture(run)

    told = run("update", "1", "--kind", "tool")

    assert told.code == 1
    assert "supersede" in told.err


def test_supersede_delete_restore_and_purge(run: Run, tmp_path: Path) -> None:
    capture(run)

    assert run("supersede", "1", "--title", "Nginx now", "--body", OTHER_BODY).code == 0
    assert run("delete", "2").code == 0
    assert run("restore", "03-Knowledge/nginx-now.md").code == 0
    assert run("delete", "#2").code == 0
    assert run("purge", "2").code == 0
    assert sorted(path.name for path in (tmp_path / "vault").rglob("*.md")) == ["nginx.md"]


def test_writes_are_told_in_words(run: Run) -> None:
    assert run("capture", "--title", "Nginx", "--body", BODY).out == f"Stored: #1 {PATH}\n"
    assert run("capture", "--title", "Nginx", "--body", BODY).out == f"Nothing to change. #1 {PATH}\n"
    beside = run("capture", "--title", "Nginx", "--body", OTHER_BODY)
    assert beside.out == f"Stored: #2 03-Knowledge/nginx-2.md\nThere already: #1 {PATH}\n"
    assert "vault supersede 1 with the same title and text" in beside.err
    pointed = run("supersede", "1", "--title", "Nginx", "--body", OTHER_BODY).out
    assert pointed.startswith("#2 03-Knowledge/nginx-2.md says the same and takes the place of #1;")
    assert run("update", "2", "--tags", "web").out.startswith("Changed tags: #2 03-Knowledge/nginx-2.md.")
    assert run("delete", "2").out.startswith("Deleted: #2 03-Knowledge/nginx-2.md. It lies in .trash/")
    assert run("restore", "2").out == "Back from the trash: #2 03-Knowledge/nginx-2.md\n"


def test_writes_are_told_in_german_words(run: Run) -> None:
    assert run("capture", "--title", "Nginx", "--body", BODY, lang="de").out == f"Gespeichert: #1 {PATH}\n"
    told = run("supersede", "1", "--title", "Nginx now", "--body", OTHER_BODY, lang="de").out
    assert "an die Stelle von #1" in told
    assert run("delete", "2", lang="de").out.startswith("Gelöscht: #2")


def test_restore_over_a_card_needs_force(run: Run) -> None:
    capture(run)
    run("delete", "1")
    capture(run, body=OTHER_BODY)

    assert run("restore", f".trash/{PATH}").code == 1
    assert run("restore", f".trash/{PATH}", "--force").code == 0


@pytest.mark.parametrize(
    ("argv", "is_asked"),
    [(["--all"], True), (["--older-than", "0d"], True), (["1"], False), (["--all", "--yes"], False)],
)
def test_purge_asks_on_a_terminal_for_batches_alone(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argv: list[str], is_asked: bool
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("frugal.cli.console.confirm", lambda text, yes: bool(asked.append(text)))
    capture(run)
    run("delete", "1")

    told = run("purge", *argv)

    assert bool(asked) == is_asked
    assert (told.code == 1) == is_asked
    assert (tmp_path / "vault/.trash" / PATH).exists() == is_asked


def test_purge_elsewhere_needs_yes(run: Run, tmp_path: Path) -> None:
    capture(run)
    run("delete", "1")

    assert run("purge", "--all").code == 1
    assert run("purge", "--all", "--yes", "--json").json["purged"] == 1


def test_commands_speak_german_under_the_same_names(run: Run) -> None:
    told = run("capture", "--title", "x", "--body", "kurz", lang="de")

    assert told.code == 2
    assert "mindestens 20" in told.err
    assert (
        json.loads(run("capture", "--title", "x", "--body", BODY, "--json", lang="de").out)["action"]
        == "created"
    )
