"""A wrong line is refused in words with exit 2 and the nearest known word; a server never starts by accident."""

import pytest


@pytest.fixture(autouse=True)
def no_server(monkeypatch):
    def refuse(*_args):
        raise AssertionError("a server was started")

    monkeypatch.setattr("frugal.cli.serve.serve", refuse)


@pytest.mark.parametrize(
    ("argv", "value", "near"),
    [
        (["--langg", "de"], "--langg", "--lang"),
        (["memry"], "memry", "memory"),
        (["imprt", "x"], "imprt", "import"),
        (["memory", "recal", "x"], "recal", "recall"),
        (["memory", "recall", "x", "--limti", "3"], "--limti", "--limit"),
        (["memory", "--jsn", "recall", "x"], "--jsn", "--json"),
        (["import", "--dryrun"], "--dryrun", "--dry-run"),
        (["modes", "-x"], "-x", "-h"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "de"])
def test_unknown_word_names_the_nearest(line, argv, value, near, lang):
    told = line(*argv, lang=lang)

    assert told.code == 2
    assert told.out == ""
    assert value in told.err
    assert near in told.err
    assert ("Unknown" if lang == "en" else "Unbekannt") in told.err


@pytest.mark.parametrize("argv", [["qqq"], ["--zzz"], ["memory", "qqq"], ["memory", "recall", "x", "--zzz"]])
@pytest.mark.parametrize("lang", ["en", "de"])
def test_word_that_is_near_to_nothing_gets_no_suggestion(line, argv, lang):
    told = line(*argv, lang=lang)

    assert told.code == 2
    first = told.err.splitlines()[0]
    assert first in {
        f"{word} {argv[-1]}."
        for word in ("Unknown command", "Unknown option", "Unbekannter Befehl", "Unbekannte Option")
    }


@pytest.mark.parametrize(
    ("flag", "command"), [("--archive", "archive recall"), ("--messbuch", "notebook series")]
)
def test_tool_behind_a_mode_flag_names_the_command_of_that_mode(line, flag, command):
    told = line(flag, command.split()[1], "x")

    assert told.code == 2
    assert command in told.err
    assert "memory recall" not in told.err


def test_tool_without_its_mode_names_the_whole_command(line):
    told = line("recall", "x")

    assert told.code == 2
    assert "memory recall" in told.err


@pytest.mark.parametrize(
    ("argv", "hint"),
    [
        (("archive", "backup"), "frugal-memory --archive backup"),
        (("memory", "doctor"), ": frugal-memory doctor"),
        (("vault", "backup"), "frugal-memory --vault backup"),
        (("memory", "search", "x"), "the nearest is recall."),
        (("memory", "list"), "the nearest is topics."),
        (("memory", "add", "x"), "the nearest is remember."),
        (("memory", "delete", "1"), "the nearest is forget."),
        (("memory", "help"), "the nearest is --help."),
        (("notebook", "list"), "the nearest is series."),
        (("vault", "remember", "x"), "the nearest is capture."),
        (("help",), "the nearest is --help."),
        (("search", "x"), "the nearest is memory recall."),
    ],
    ids=str,
)
def test_wrong_guess_is_told_what_is_meant(line, argv, hint):
    told = line(*argv)

    assert told.code == 2
    assert hint in told.err


@pytest.mark.parametrize("word", ["erasee", "series", "ersae", "ease"])
def test_erase_is_never_suggested_for_a_slip(line, word):
    assert "erase" not in line("memory", word, "1").err.replace(word, "")


def test_doctor_takes_all_as_backup_does(line):
    line("memory", "remember", "One fact about the gate.")

    told = line("--archive", "doctor", "--all", "--json").json

    assert {item["mode"] for item in told["items"]} >= {"memory", "archive"}


@pytest.mark.parametrize(
    ("word", "meant"),
    [("messbuch", "notebook"), ("archiv", "archive"), ("guest", "--guest"), ("gast", "--gast")],
)
def test_word_of_a_mode_flag_names_the_command_of_that_mode(line, word, meant):
    told = line(word, "series")

    assert told.code == 2
    assert f"the nearest is {meant}." in told.err


@pytest.mark.parametrize(
    ("lang", "argv", "argument"),
    [
        ("en", ["memory", "recall", "--query", "port"], "QUERY"),
        ("de", ["notebook", "reihe_anlegen", "a/b", "--frage", "Warum?"], "FRAGE"),
        ("de", ["notebook", "new_series", "a/b", "--question", "Why?"], "FRAGE"),
    ],
)
def test_argument_given_as_an_option_is_told_its_place_and_the_usage(line, lang, argv, argument):
    told = line(*argv, lang=lang)

    assert told.code == 2
    assert f": {argument} " in told.err
    assert " ".join(argv[:2]) in told.err or "reihe_anlegen" in told.err


def test_words_too_many_are_told_the_usage(line):
    told = line("vault", "capture", "A title", "A body")

    assert told.code == 2
    assert "Usage: frugal-memory vault capture [OPTIONS]" in told.err


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize(
    ("argv", "options"),
    [
        (["evidence", "discover", "refund"], "--literal, --phrase, --prefix, --stem"),
        (["evidence", "measure", "two", "words"], "--literal, --phrase, --prefix, --stem"),
        (["vault", "capture", "A title", "A body"], "--title, --body"),
        (["vault", "supersede", "6", "A title"], "--title, --body"),
    ],
)
def test_words_without_an_option_are_told_the_options_that_take_them(line, argv, options, lang):
    told = line(*argv, lang=lang)

    assert told.code == 2
    assert f" {options}." in told.err
    assert f"({argv[-1]})" in told.err or "(two words)" in told.err or "(A title A body)" in told.err


@pytest.mark.parametrize(
    ("argv", "part"),
    [
        (["memory"], "recall"),
        (["memory", "recall"], "QUERY"),
        (["memory", "recall", "two", "words"], "words"),
        (["memory", "recall", "x", "--limit"], "--limit"),
        (["memory", "recall", "x", "--full=yes"], "--full"),
        (["skill", "here"], "here"),
        (["--db"], "--db"),
        (["import", "x", "--http", "127.0.0.1:1"], "--http"),
    ],
)
def test_incomplete_or_overfull_line_is_refused(line, argv, part):
    told = line(*argv)

    assert told.code == 2
    assert part in told.err
    assert "--help" in told.err


@pytest.mark.parametrize(
    ("variables", "argv", "part"),
    [
        ({"MEMORY_NAME": "a b"}, ["memory", "recall", "x"], "a b"),
        ({}, ["--name", "#", "memory", "recall", "x"], "#"),
        ({}, ["--config", "/nonexistent/config.toml", "memory", "recall", "x"], "/nonexistent/config.toml"),
    ],
)
def test_bad_setting_is_refused_before_anything_is_opened(line, variables, argv, part):
    told = line(*argv, **variables)

    assert told.code == 2
    assert part in told.err
    assert not line.file.exists()


def test_bad_setting_does_not_stop_help(line):
    told = line("--config", "/nonexistent/config.toml", "memory", "--help")

    assert told.code in (0, 2)
    assert told.out or told.err


def test_word_that_is_no_utf8_is_refused_with_its_position(line):
    told = line.process("memory", "recall", b"a\xff")

    assert told.code == 2
    assert "3" in told.err
    assert "byte 2" in told.err


def test_older_upkeep_script_runs_upkeep_and_says_so_when_there_is_no_file(line):
    told = line("--probe", script="frugal-memory-nachziehen")

    assert told.code == 2
    assert "upkeep" in told.err


@pytest.mark.parametrize(
    ("lang", "words"), [("en", "source alone is no command"), ("de", "source allein ist kein Befehl")]
)
def test_first_word_of_a_command_alone_names_the_commands_that_begin_so(line, lang, words):
    told = line("vault", "source", lang=lang)

    assert told.code == 2
    assert words in told.err
    assert "source add, source list, source remove" in told.err


def test_hint_and_envelope_name_a_tool_as_its_help_does(line):
    told = line("notebook", "new-series", "a/b")

    assert "frugal-memory notebook new_series --help" in told.err
    assert line("notebook", "new_series", "a/b", "--json").json["command"] == "notebook new_series"


@pytest.mark.parametrize(
    ("lang", "words"), [("en", "settings are at the default"), ("de", "haben ihren Standard")]
)
def test_doctor_lists_only_the_settings_that_are_set(line, lang, words):
    told = line("doctor", lang=lang)
    whole = line("doctor", "--json", lang=lang).json

    assert words in told.out
    assert "MEMORY_FC_PROBE" not in told.out
    assert "MEMORY_NAME" in told.out
    assert any("MEMORY_FC_PROBE" in item["text"] for item in whole["items"])
