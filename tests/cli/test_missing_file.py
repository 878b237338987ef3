"""A name that is a slip: reading makes no file and says so, writing says that the file is new; settings are told too."""

import pytest

READING = [
    ("memory", "recall", "gate"),
    ("memory", "show", "1"),
    ("memory", "topics"),
    ("archive", "recall", "gate"),
    ("notebook", "series"),
    ("evidence", "corpora"),
    ("evidence", "discover", "--literal", "gate"),
    ("backup",),
    ("export",),
    ("upkeep",),
]


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_reading_a_file_that_is_not_there_makes_none_and_says_so(line, tmp_path, words, lang):
    told = line(*words, "--db", str(tmp_path / "typo.db"), lang=lang)

    assert told.code == 2
    assert ("does not exist" if lang == "en" else "gibt es") in told.err
    assert "typo.db" in told.err
    assert not list(tmp_path.rglob("*.db*"))


def test_doctor_of_a_file_that_is_not_there_makes_none_and_says_so(line, tmp_path):
    told = line("doctor", "--db", str(tmp_path / "typo.db"))

    assert "is not there yet" in told.out
    assert not list(tmp_path.rglob("*.db*"))


@pytest.mark.parametrize("words", READING[:7], ids=" ".join)
def test_first_question_of_all_makes_no_file_and_is_answered(line, tmp_path, words):
    told = line(*words)

    assert "does not exist" not in told.err
    assert str(tmp_path) not in told.out
    assert not list(tmp_path.rglob("*.db*"))


@pytest.mark.parametrize(("lang", "words"), [("en", "New file: "), ("de", "Neue Datei: ")])
def test_writing_to_a_new_file_says_that_it_is_new(line, tmp_path, lang, words):
    file = tmp_path / "mine.db"

    first = line("memory", "remember", "One fact about the gate.", "--db", str(file), lang=lang)
    second = line("memory", "remember", "Another one about the pier.", "--db", str(file), lang=lang)

    assert words in first.err
    assert "mine.db" in first.err
    assert words not in second.err
    assert (first.code, second.code) == (0, 0)


def test_default_file_is_made_without_a_word(line):
    assert line("memory", "remember", "One fact about the gate.").err == ""
    assert line.file.exists()


@pytest.mark.parametrize("setting", ["db", "name", "lang"])
def test_setting_that_is_no_text_is_refused(line, tmp_path, setting):
    config = tmp_path / "config.toml"
    config.write_text(f"[memory]\n{setting} = 3\n", "utf-8")

    told = line("memory", "remember", "x y", "--config", str(config), MEMORY_LANG="", MEMORY_NAME="")

    assert told.code == 2
    assert f"[memory] {setting}" in told.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["config.toml"]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[memry]\ndb = 'x.db'\n", "[memry]; did you mean [memory]"),
        ("[zzzzz]\n", "[zzzzz]; it is ignored"),
        ("db = 'x.db'\n", "key db; it is ignored"),
    ],
)
def test_table_that_nothing_reads_is_told(line, tmp_path, text, named):
    config = tmp_path / "config.toml"
    config.write_text(text, "utf-8")

    told = line("memory", "remember", "One fact about the gate.", "--config", str(config))

    assert named in told.err


def test_tables_that_something_reads_are_not_told(line, tmp_path):
    config = tmp_path / "config.toml"
    tables = ("memory", "archive", "notebook", "vault", "evidence", "fact_check", "http")
    config.write_text("".join(f"[{table}]\n" for table in tables), "utf-8")

    assert line("memory", "remember", "One fact about it.", "--config", str(config)).err == ""
