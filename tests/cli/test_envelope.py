"""`--json`: exactly one object on stdout, whatever happens; keys are English in every language."""

import sqlite3

import pytest

FACT = "The pool holds 20 connections."


@pytest.mark.parametrize("lang", ["en", "de"])
def test_answer_has_text_items_and_counts(line, lang):
    line("memory", "remember", FACT, lang=lang)

    told = line("memory", "recall", "pool", "--json", lang=lang)

    found = told.json
    assert told.code == 0
    assert found["ok"] is True
    assert found["command"] == "memory recall"
    assert found["mode"] == "memory"
    assert found["file"] == str(line.file)
    assert FACT in found["text"]
    assert [item["id"] for item in found["items"]] == [1]
    assert found["total"] == 1
    assert "error" not in found


def test_german_command_is_told_under_its_english_name(line):
    line("memory", "remember", FACT)

    assert line("memory", "zeige", "1", "--json", lang="de").json["command"] == "memory show"


def test_empty_result_is_ok_with_exit_1(line):
    line("memory", "remember", FACT)

    told = line("memory", "recall", "xylophone", "--json")

    assert told.code == 1
    assert told.json["ok"] is True
    assert told.json["items"] == []


def test_refusal_is_not_ok_and_has_a_stable_code(line):
    told = line("memory", "remember", FACT, "--kind", "nonsense", "--json", lang="de")

    assert told.code == 2
    assert told.json["ok"] is False
    assert told.json["error"]["code"] == "unknown_kind"
    assert set(told.json["error"]) == {"code", "message", "hint"}


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (["--geust", "--json"], "unknown_option"),
        (["--json", "memry"], "unknown_command"),
        (["memory", "recall", "--json"], "missing_value"),
        (["memory", "recall", "x", "--limti", "1", "--json"], "unknown_option"),
        (["import", "/nonexistent", "--json"], "nothing_there"),
        (["import", "--from", "tape", "--json"], "unknown_import_kind"),
        (["import", "--json"], "no_project_notes"),
        (["--http", "x:1", "--json"], "json_with_serve"),
        (["--json", "--db", "C:\\x.db", "memory", "recall", "x"], "path_of_other_system"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "de"])
def test_usage_error_is_one_object_too(line, argv, code, lang):
    told = line(*argv, lang=lang)

    assert told.code == 2
    assert told.json["ok"] is False
    assert told.json["error"]["code"] == code
    assert told.json["error"]["message"]
    assert told.err == ""


@pytest.mark.parametrize(
    "argv",
    [["modes"], ["--version"], ["--help"], ["memory", "--help"], ["memory", "topics", "--help"], ["skill"]],
)
def test_every_other_command_answers_with_one_object(line, argv):
    told = line(*argv, "--json")

    assert told.json["ok"] is (told.code == 0)
    assert told.json["text"] or told.json["error"]


def test_demo_answers_with_one_object(line, monkeypatch):
    def run(stream, *, language):
        stream.write(f"shown in {language}\n")
        return 0

    monkeypatch.setattr("frugal.demo.run", run)

    told = line("demo", "--json", lang="de")

    assert told.json["text"] == "shown in de\n"
    assert told.json["command"] == "demo"


def test_interruption_is_one_object_with_exit_130(line, monkeypatch):
    def interrupt(*_args, **_more):
        raise KeyboardInterrupt

    monkeypatch.setattr("frugal.entries.recall.recall", interrupt)

    told = line("memory", "recall", "x", "--json")

    assert told.code == 130
    assert told.json["error"]["code"] == "interrupted"


def test_failure_nobody_expected_is_one_object_and_the_traceback_goes_to_stderr(line, monkeypatch):
    def fail(*_args):
        raise RuntimeError("boom")

    monkeypatch.setattr("frugal.cli.modes._item", fail)

    told = line("modes", "--json")

    assert told.code == 2
    assert told.json["error"]["code"] == "internal"
    assert "boom" in told.err
    assert "boom" not in told.out


def test_damaged_file_is_told_with_its_code(line):
    line.file.parent.mkdir()
    line.file.write_bytes(b"no database at all" * 100)

    told = line("memory", "recall", "x", "--json")

    assert told.code == 2
    assert told.json["error"]["code"] == "damaged_file"
    assert told.json["file"] == str(line.file)


def test_locked_file_is_told_with_its_code(line, monkeypatch):
    monkeypatch.setattr("frugal.store.store.BUSY_TIMEOUT_S", 0.1)
    line("memory", "remember", FACT)
    holder = sqlite3.connect(line.file, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    monkeypatch.setattr("frugal.engine.Store.__init__.__kwdefaults__", _with_short_wait(), raising=True)

    told = line("memory", "remember", "another fact", "--json")
    holder.close()

    assert told.code == 2
    assert told.json["error"]["code"] == "store_busy"


def _with_short_wait():
    from frugal.store import Store

    return {**Store.__init__.__kwdefaults__, "busy_timeout_s": 0.1}


@pytest.mark.parametrize(
    "argv", [("--json", "serve"), ("serve", "--json"), ("--json",), ("--json", "--guest")]
)
def test_server_has_no_envelope_so_asking_for_one_starts_none(line, argv):
    told = line(*argv)

    assert told.code == 2
    assert told.json["error"]["code"] == "json_with_serve"


def test_unknown_command_is_told_in_an_envelope_wherever_it_was_asked_for(line):
    for argv in (("--json", "nosuch"), ("nosuch", "--json")):
        told = line(*argv)
        assert told.code == 2
        assert told.json["error"]["code"] == "unknown_command"
