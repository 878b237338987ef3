"""Importing what was imported before: unchanged, changed a little, with repetitions inside."""

import re
import shlex

import pytest

POOL = "The connection pool holds 20 connections and queues the rest of the requests."
GROWN = "The connection pool holds 40 connections and queues the rest of the requests."
CACHE = "The cache is emptied at every start, which takes two minutes on the small machine."
LOGS = "The logs are kept for ninety days and then removed by a job that runs at night."


def write(line, *paragraphs):
    folder = line.folder / "notes"
    folder.mkdir(exist_ok=True)
    (folder / "a.md").write_text("\n\n".join(paragraphs) + "\n", encoding="utf-8")
    return str(folder)


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "1 repeated within a file"), ("de", "1 innerhalb einer Datei")]
)
def test_pieces_that_are_equal_inside_one_file_are_stored_once_and_told(line, lang, said):
    folder = write(line, POOL, CACHE, POOL)

    told = line("import", folder, lang=lang)
    found = line("import", folder, "--json").json

    assert said in told.out
    assert (found["new"], found["known"], found["repeated"], found["total"]) == (0, 3, 0, 2)


def test_a_dry_run_counts_repetitions_alike(line):
    folder = write(line, POOL, POOL, POOL)

    dry = line("import", folder, "--dry-run", "--json").json
    done = line("import", folder, "--json").json

    assert [dry[key] for key in ("new", "known", "repeated")] == [1, 0, 2]
    assert [done[key] for key in ("new", "known", "repeated")] == [1, 0, 2]


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_file_that_changed_a_little_names_the_version_before_and_how_to_hide_it(line, lang):
    line("import", write(line, POOL, CACHE))

    told = line("import", write(line, GROWN, CACHE), lang=lang)

    assert "#1" in told.out
    command = re.search(r"frugal-memory (memory \w+ 1)\b", told.out)
    assert command, told.out
    assert line(*shlex.split(command[1])).code == 0
    shown = line("memory", "recall", "connection pool holds").out
    assert "40 connections" in shown
    assert "20 connections" not in shown


def test_a_paragraph_put_in_before_others_leaves_no_version_before(line):
    line("import", write(line, POOL, CACHE))

    found = line("import", write(line, LOGS, POOL, CACHE), "--json").json

    assert found["new"] == 1
    assert found["items"][0]["outdated"] == []


def test_versions_before_are_told_by_a_dry_run_too_and_once_only(line):
    line("import", write(line, POOL, CACHE))
    folder = write(line, GROWN, CACHE)

    dry = line("import", folder, "--dry-run", "--json").json
    done = line("import", folder, "--json").json
    again = line("import", folder)

    assert [item["outdated"] for item in (dry["items"][0], done["items"][0])] == [[1], [1]]
    assert "#1" not in again.out


def test_a_version_before_that_is_hidden_is_not_told(line):
    line("import", write(line, POOL, CACHE))
    line("memory", "forget", "1")

    found = line("import", write(line, GROWN, CACHE), "--json").json

    assert found["items"][0]["outdated"] == []
