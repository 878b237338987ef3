"""The tools as commands: flags for queries, sessions, exit codes, and the owner's own reading and deleting."""

import json
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from corpora import Bench, Opener, clause, message, unlike
from shell_line import Line


@pytest.fixture
def owner(open_bench: Opener) -> Bench:
    bench = open_bench()
    bench.fill(
        [
            message(0, "the harbour is closed", sender="ann", sender_type="client"),
            message(1, "harbours everywhere\nfake line\x1b[2J\u202e", sender="bob", sender_type="internal"),
            message(2, "calm sea", sender="ann", sender_type="client"),
        ]
    )
    return bench


@pytest.mark.parametrize(
    ("flags", "count"),
    [
        (["--literal", "harbour"], 1),
        (["--stem", "harbour"], 2),
        (["--prefix", "harb"], 2),
        (["--phrase", "is closed"], 1),
        (["--literal", "harbour", "--literal", "sea"], 0),
        (["--literal", "harbour", "--literal", "sea", "--any"], 2),
        (["--stem", "harbour", "--none", "closed"], 1),
        (["--sender-type", "client"], 2),
        (["--stem", "harbour", "--sender", "BOB"], 1),
        (["--from", "2026-01-01T01:00", "--to", "2026-01-01T02:00"], 1),
    ],
    ids=str,
)
def test_flags_spell_a_query(owner: Bench, line: Line, flags: list[str], count: int) -> None:
    told = line("measure", *flags, "--json")

    assert told.code == 0
    assert told.json["counts"]["messages"] == count


def test_a_query_may_come_from_a_file_and_from_stdin(owner: Bench, line: Line, tmp_path: Path) -> None:
    query = json.dumps({"clauses": [clause("harbour")]})
    (tmp_path / "query.json").write_text(query, "utf-8")

    from_file = line("measure", "--query", str(tmp_path / "query.json"), "--json")
    from_stdin = line("measure", "--query", "-", "--json", stdin=query)

    assert from_file.json["counts"] == from_stdin.json["counts"]
    assert from_file.json["counts"]["messages"] == 1


def test_json_has_the_fields_of_the_structured_answer(owner: Bench, line: Line) -> None:
    told = line("discover", "--stem", "harbour", "--json").json

    assert told["ok"] is True
    assert (told["command"], told["kind"], told["outcome"]) == ("evidence discover", "discovery", "complete")
    assert len(told["evidence"]) == 2
    assert told["disclosure"]["response_bytes"] > 0


def test_every_line_of_a_message_is_marked_and_no_escape_reaches_the_terminal(
    owner: Bench, line: Line
) -> None:
    shown = line("discover", "--literal", "harbours")

    assert "| harbours everywhere\n| fake line\ufffd[2J\ufffd\n" in shown.out
    assert "\x1b" not in shown.out
    assert "\u202e" not in shown.out


def test_a_session_keeps_accounts_and_refs_between_commands(owner: Bench, line: Line, tmp_path: Path) -> None:
    session = str(tmp_path / "session.json")
    first = line("discover", "--literal", "harbour", "--session", session, "--json").json
    ref = first["evidence"][0]["ref"]

    expanded = line("expand", ref, "--query-ref", first["query_ref"], "--session", session, "--json")
    budget = line("budget", "--session", session, "--json")

    assert expanded.code == 0
    spent = first["disclosure"]["response_bytes"] + expanded.json["disclosure"]["response_bytes"]
    assert budget.json["spent"] == spent
    assert budget.json["items"] == [
        {"query_ref": first["query_ref"], "spent": spent, "left": 48 * 1024 - spent}
    ]
    assert stat.S_IMODE(Path(session).stat().st_mode) == 0o600


def test_errors_of_a_session_are_paid_by_its_investigation(owner: Bench, line: Line, tmp_path: Path) -> None:
    session = str(tmp_path / "session.json")
    line("measure", "--literal", "harbour", "--session", session, EVIDENCE_TOTAL_BYTES="9000")

    refused = line(
        "expand", "m-" + "a" * 13, "--query-ref", "q-" + "a" * 16, "--session", session, "--json",
        EVIDENCE_TOTAL_BYTES="9000",
    )  # fmt: skip

    assert refused.code == 2
    assert refused.json["error"]["code"] == "unknown_query_ref"
    assert 0 < refused.json["total_left"] < 9_000 - refused.json["response_bytes"]


@pytest.mark.parametrize(
    "command", [("budget",), ("expand", "m-aaaaaaaaaaaaa", "--query-ref", "q-a")], ids=str
)
def test_commands_that_need_a_session_say_so(owner: Bench, line: Line, command: tuple[str, ...]) -> None:
    told = line(*command)

    assert told.code == 2
    assert "--session" in told.err


def test_a_file_that_is_no_session_is_left_alone(owner: Bench, line: Line, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("precious", "utf-8")

    told = line("measure", "--literal", "harbour", "--session", str(tmp_path / "notes.txt"))

    assert told.code == 2
    assert (tmp_path / "notes.txt").read_text("utf-8") == "precious"


def test_exit_codes_tell_results_from_refusals(owner: Bench, line: Line, tmp_path: Path) -> None:
    session = str(tmp_path / "session.json")
    first = line("discover", "--literal", "harbour", "--session", session, "--json").json
    (tmp_path / "exports").mkdir(mode=0o700)
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")

    codes = {
        "zero": line("measure", "--literal", "unicorn").code,
        "usage": line("measure", "--literal", "!").code,
        "budget": line(
            "measure", "--literal", "harbour", "--max-bytes", "1536", EVIDENCE_TOTAL_BYTES="1536"
        ).code,
        "undisclosed": line(
            "expand", "m-" + "a" * 13, "--query-ref", first["query_ref"], "--session", session
        ).code,
        "unsafe": line("export", "--literal", "harbour", EVIDENCE_EXPORT_DIR=str(tmp_path / "link")).code,
        "guest": line("export", "--literal", "harbour", "--guest").code,
    }

    assert codes == {"zero": 0, "usage": 2, "budget": 0, "undisclosed": 4, "unsafe": 4, "guest": 4}


def test_a_cut_scan_ends_with_three(owner: Bench, line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    from frugal_modes.evidence import settings

    monkeypatch.setattr(settings, "SECONDS", 0)

    assert line("measure", "--literal", "harbour").code == 3


def test_an_exhausted_investigation_ends_with_four(owner: Bench, line: Line, tmp_path: Path) -> None:
    session = str(tmp_path / "session.json")
    codes = [
        line("measure", "--literal", "harbour", "--session", session, EVIDENCE_TOTAL_BYTES="3000").code
        for _ in range(4)
    ]

    assert codes[0] == 0
    assert codes[-1] == 4


def test_show_prints_a_message_whole_with_its_history(owner: Bench, line: Line) -> None:
    ref = owner.discover("closed")["evidence"][0]["ref"]
    long = "the harbour opened again " + unlike(1, 400)
    owner.fill([message(0, long, sender="ann", sender_type="client", edited_at=2_000_000_000_000)])

    told = line("show", ref, "--history")

    assert told.code == 0
    assert f"| {long}" in told.out
    assert "| the harbour is closed" in told.out
    (item,) = line("show", ref, "--history", "--json").json["items"]
    assert item["text"] == long
    assert [earlier["text"] for earlier in item["history"]] == ["the harbour is closed"]


def test_delete_takes_messages_away_for_good(owner: Bench, line: Line, tmp_path: Path) -> None:
    ref = owner.discover("closed")["evidence"][0]["ref"]
    before = owner("measure_messages")

    asked = line("delete", ref)
    done = line("delete", ref, "--yes")

    assert (asked.code, done.code) == (2, 0)
    after = owner("measure_messages")
    assert after["messages"] == before["messages"] - 1
    assert after["corpus_version"] != before["corpus_version"]
    owner.fill([message(0, "the harbour is closed", sender="ann", sender_type="client")])
    assert owner.measure(clause("closed"))["counts"]["messages"] == 0
    owner.workspace.close()
    assert b"is closed" not in (tmp_path / "evidence.db").read_bytes()


@pytest.mark.parametrize("command", ["delete", "drop"])
def test_what_is_taken_away_leaves_neither_its_text_nor_its_words_in_the_file(
    owner: Bench, line: Line, tmp_path: Path, command: str
) -> None:
    owner.fill([message(number, f"plain remark {number}", sender="bob") for number in range(50, 350)], "rest")
    told = message(9, "Zanzibarquux paid walkingfully 机密文件", conversation="hidden")
    owner.fill([told], "secret")
    owner.fill([replace(told, text="Quetzalmarque was paid")], "secret")
    owner.fill([message(number, f"another remark {number}") for number in range(350, 400)], "rest")
    ref = owner.discover("quetzalmarque")["evidence"][0]["ref"]

    done = line("delete", ref, "--yes") if command == "delete" else line("drop", "secret", "--yes")

    owner.workspace.close()
    assert done.code == 0
    left = b"".join(path.read_bytes() for path in tmp_path.glob("evidence.db*")).lower()
    for word in ("zanzibar", "nzibarqu", "walking", "lkingful", "quetzal", "tzalmarq", "机密", "密文"):
        assert word.encode() not in left
    assert owner.measure(clause("remark"))["counts"]["messages"] == 350


def test_drop_takes_a_corpus_away_and_leaves_the_others(owner: Bench, line: Line) -> None:
    owner.fill([message(0, "the harbour too")], "other")

    asked = line("drop", "main")
    done = line("drop", "main", "--yes")

    assert (asked.code, done.code) == (2, 0)
    assert "3" in done.out
    told = line("corpora", "--json").json
    assert [item["name"] for item in told["items"]] == ["other"]
    assert owner.measure(clause("harbour"))["counts"]["messages"] == 1


def test_a_corpus_that_is_not_there_cannot_be_dropped(owner: Bench, line: Line) -> None:
    told = line("drop", "nope", "--yes")

    assert told.code == 1
    assert "main" in told.err


def test_corpora_restrict_a_command(owner: Bench, line: Line) -> None:
    owner.fill([message(0, "the harbour too")], "other")

    told = line("measure", "--literal", "harbour", "--corpus", "other", "--json")

    assert told.json["counts"]["messages"] == 1


def test_schemas_can_be_printed(owner: Bench, line: Line) -> None:
    query, strict, unknown = (line("schema", *name) for name in ((), ("discovery",), ("nope",)))

    assert "clauses" in json.loads(query.out)["properties"]
    assert json.loads(strict.out)["additionalProperties"] is False
    assert unknown.code == 2
