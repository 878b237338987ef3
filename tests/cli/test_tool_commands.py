"""Every tool is a command made from the same declaration, in both languages."""

import pytest

FACT = "**Port of the build host** is 49222 since the move."


def test_tools_store_find_and_show_from_the_shell(line):
    stored = line("memory", "remember", FACT, "--tags", "shop,ssh", "--kind", "interface")
    found = line("memory", "recall", "build host port", "--tag", "shop")
    shown = line("memory", "show", "1")

    assert stored.code == 0
    assert stored.out.startswith("Stored #1 as interface (shop, ssh).\n")
    assert found.code == 0
    assert "#1 [interface]" in found.out
    assert shown.out.endswith(FACT + "\n")


def test_german_names_are_accepted_whatever_the_language_and_answers_stay_in_it(line):
    line("memory", "remember", FACT, "--art", "schnittstelle", "--tags", "shop")

    english = line("memory", "zeige", "1", "--voll", lang="en")
    german = line("memory", "show", "1", "--full", lang="de")

    assert "chars" in english.out
    assert "Zeichen" in german.out


@pytest.mark.parametrize(("lang", "option"), [("en", "--mit-veraltet"), ("de", "--include-superseded")])
def test_switch_of_the_other_language_works(line, lang, option):
    line("memory", "remember", FACT)
    line("memory", "forget", "1")

    assert line("memory", "recall", "port", lang=lang).code == 1
    assert line("memory", "recall", "port", option, lang=lang).code == 0


def test_help_shows_the_active_language_only(line):
    english = line("memory", "recall", "--help").out
    german = line("memory", "recall", "--help", lang="de").out

    assert "--include-superseded" in english
    assert "--mit-veraltet" not in english
    assert "--mit-veraltet" in german
    assert "--include-superseded" not in german
    assert german.startswith("Aufruf: ")


@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_command_has_help_in_both_languages(line, lang):
    usage = "Usage: " if lang == "en" else "Aufruf: "
    modes = line("modes", "--json", lang=lang).json["items"]
    lines = [[], ["serve"], ["import"], ["modes"], ["skill"], ["demo"]]
    lines += [[mode["name"]] for mode in modes if not mode["is_wrapper"]]
    lines += [[mode["name"], tool] for mode in modes for tool in mode["tools"]]

    for argv in lines:
        told = line(*argv, "--help", lang=lang)

        assert (told.code, told.err) == (0, ""), argv
        assert told.out.startswith(usage + "frugal-memory"), argv


def test_language_option_wins_over_the_environment_wherever_it_stands(line):
    for argv in (("--lang", "de", "memory", "recall", "--help"), ("memory", "recall", "--help", "--lang=de")):
        assert line(*argv, lang="en").out.startswith("Aufruf: ")


def test_language_of_the_file_counts_when_none_is_set(line):
    line("memory", "remember", FACT, lang="de")

    told = line("memory", "show", "1", lang="")

    assert "Zeichen" in told.out


def test_words_of_a_list_may_stand_apart(line):
    for text in ("first fact", "second fact", "third fact"):
        line("memory", "remember", text)

    told = line("memory", "classify", "1", "2-3", "pitfall")

    assert told.code == 0
    assert "#1-#3" in told.out


def test_list_option_may_be_repeated(line):
    line("memory", "remember", FACT, "--tags", "shop", "--tags", "ssh")

    assert "(shop, ssh)" in line("memory", "show", "1").out


def test_dash_reads_standard_input_exactly(line):
    text = "  Zeile eins\n\tZeile zwei – ü, 连接池\n"

    line("memory", "remember", "-", stdin=text.encode())
    told = line("memory", "show", "1", "--json").json

    assert told["items"][0]["text"] == text


def test_dash_in_a_tag_filter_means_without_a_tag(line):
    line("memory", "remember", "tagged fact", "--tags", "shop")
    line("memory", "remember", "bare fact")

    told = line("memory", "recall", "fact", "--tag", "-", stdin=b"shop").out

    assert "#2" in told
    assert "#1" not in told


def test_standard_input_stands_for_one_value_only(line):
    told = line("memory", "classify", "-", "-", stdin=b"1")

    assert told.code == 2
    assert "one value only" in told.err


def test_bytes_that_are_no_utf8_are_refused_with_their_position(line):
    told = line("memory", "remember", "-", stdin=b"abc\xff", lang="de")

    assert told.code == 2
    assert "Byte 4" in told.err
    assert not line.file.exists()


def test_mode_comes_before_or_behind_the_common_options(line, tmp_path):
    other = tmp_path / "other.db"

    assert line("--db", str(other), "memory", "remember", FACT).code == 0
    assert line("memory", "--db", str(other), "recall", "port").code == 0
    assert line("memory", "recall", "port", f"--db={other}").code == 0
    assert not line.file.exists()


def test_value_with_a_leading_hyphen_comes_after_two_hyphens(line):
    told = line("memory", "remember", "--tags", "x", "--", "--json is an option")

    assert told.code == 0
    assert "Stored #1" in told.out


def test_shell_collects_no_learned_questions(line):
    line("memory", "remember", FACT)
    line("memory", "recall", "build host port")
    line("memory", "show", "1")

    assert "asked before" not in line("memory", "recall", "build host port").out


def test_destructive_command_that_asks_changes_nothing_without_a_terminal_or_its_switch(line):
    plain = line("memory", "learned", "clear")
    meant = line("memory", "learned", "clear", "--yes")

    assert plain.out + plain.err
    assert meant.code in (0, 1)


def test_value_that_cannot_be_read_goes_to_stderr_with_exit_2(line):
    told = line("memory", "remember", FACT, "--kind", "finding")

    assert told.code == 2
    assert told.out == ""
    assert "finding" in told.err
    assert "pitfall" in told.err


def test_out_of_range_value_is_refused_with_the_range(line):
    told = line("memory", "topics", "--page", "0", lang="de")

    assert told.code == 2
    assert "0" in told.err


@pytest.mark.parametrize(("lang", "word"), [("en", "; required"), ("de", "; nötig")])
def test_help_says_which_options_are_required(line, lang, word):
    rows = line("vault", "capture", "--help", lang=lang).out.splitlines()

    assert [row.split()[0] for row in rows if row.endswith(word)] == ["--title", "--body"]


def test_help_never_cuts_the_name_of_the_program(line):
    told = line("memory", "recall", "--help", lang="de").out

    assert "frugal-memory --help." in told
    assert not any(row.endswith("frugal-") for row in told.splitlines())


@pytest.mark.parametrize(
    ("argv", "times"), [(["evidence", "measure"], 1), (["evidence", "import"], 1), (["memory", "recall"], 0)]
)
def test_help_of_a_command_shows_the_options_of_its_mode_once(line, argv, times):
    assert line(*argv, "--help").out.count("--corpus TEXT") == times


@pytest.mark.parametrize(
    ("mode", "german", "english"),
    [
        ("memory", ["zeige", "tilgen", "gelernt leeren"], ["show", "erase", "learned clear"]),
        ("notebook", ["reihen", "statistik", "zeichnen", "ausgeben", "tilgen"], ["series", "stats", "plot"]),
    ],
)
def test_help_shows_every_command_in_the_active_language_and_takes_the_other_one(line, mode, german, english):
    told = line(mode, "--help", lang="de").out

    listed = [row.split("  ")[1].strip() for row in told.splitlines() if row.startswith("  ") and row.strip()]
    assert set(german) <= set(listed)
    assert not set(english) & set(listed)
    for name in (*german, *english):
        assert line(mode, *name.split(), "--help", lang="de").code == 0, name


def test_modes_without_german_names_show_the_same_commands_in_both_languages(line):
    def commands(lang):
        rows = line("vault", "--help", lang=lang).out.splitlines()
        return [row.split("  ")[1] for row in rows if row.startswith("  ") and not row.startswith("   ")]

    assert "search" in commands("de")
    assert commands("de") == commands("en")
