"""Exit codes over all modes: 2 for a value that cannot be read, 1 for a refusal by content and for nothing found."""

import pytest

FACT = "The harbour gate is closed on Mondays in winter."
BODY = "The configuration of the harbour gate lies in /etc/gate on the machine."

UNREADABLE = [
    ("memory", "recall", "x", "--limit", "many"),
    ("memory", "recall", "x", "--kind", "nonsense"),
    ("memory", "show", "first"),
    ("memory", "show", "elsewhere#1"),
    ("memory", "remember", " "),
    ("memory", "remember", FACT, "--kind", "nonsense"),
    ("memory", "remember", FACT, "--tags", "..."),
    ("memory", "topics", "--page", "0"),
    ("memory", "consolidate", "--threshold", "much"),
    ("archive", "recall", "x", "--limit", "many"),
    ("archive", "show", "first"),
    ("notebook", "series", "--page", "many"),
    ("notebook", "series", "--status", "nonsense"),
    ("notebook", "edit_series", "a/b"),
    ("notebook", "edit_series", "a/b", "--reason", "because"),
    ("notebook", "series", "a/b", "--full", "--page", "2"),
    ("notebook", "export", "a/b", "--excel"),
    ("notebook", "export", "a/b", "--format", "nonsense"),
    ("notebook", "plot", "a/b", "--width", "wide"),
    ("notebook", "result", "a/b", "nonsense", "because"),
    ("vault", "show", " "),
    ("vault", "show", "1", "--offset", "far"),
    ("vault", "search", "x", "--as-of", "someday"),
    ("vault", "search", " "),
    ("vault", "capture", "--title", "x", "--body", "short"),
    ("vault", "capture", "--title", "x", "--body", BODY, "--kind", "nonsense"),
    ("vault", "update", "1", "--ttl", "long"),
    ("vault", "purge"),
    ("vault", "purge", "--older-than", "long"),
    ("vault", "source", "add", "markdown", "/nonexistent"),
    ("evidence", "measure", "--query", "words"),
    ("evidence", "sample", "--strategy", "nonsense", "--query", "{}"),
    ("evidence", "discover", "--stem", "x", "--limit", "many"),
    ("import", "notes", "--kind", "nonsense"),
]
REFUSED = [
    ("memory", "check", "7,8"),
    ("notebook", "result", "a/late", "met", "because"),
    ("notebook", "new_series", "a/b", "again?", "criterion"),
    ("notebook", "edit_series", "a/b", "--status", "evaluated"),
    ("notebook", "plot", "a/b"),
    ("vault", "update", "1", "--kind", "tool"),
    ("vault", "purge", "1"),
]
NOTHING = [
    ("memory", "recall", "zeppelin"),
    ("memory", "show", "99"),
    ("memory", "topics", "--tag", "zeppelin"),
    ("archive", "recall", "zeppelin"),
    ("archive", "show", "99"),
    ("notebook", "series", "--search", "zeppelin"),
    ("notebook", "series", "zeppelin"),
    ("notebook", "stats", "zeppelin"),
    ("vault", "search", "zeppelin"),
    ("vault", "show", "99"),
    ("vault", "delete", "99"),
    ("evidence", "show", "m-nothing"),
    ("evidence", "drop", "nothing", "--yes"),
]


@pytest.fixture
def filled(line, monkeypatch):
    monkeypatch.chdir(line.folder)
    (line.folder / "notes").mkdir()
    (line.folder / "m.jsonl").write_text(
        '{"conversation_id":"c","sender_id":"ann","text":"the harbour","sent_at":"2026-01-01T10:00:00Z"}\n',
        encoding="utf-8",
    )
    line("memory", "remember", FACT)
    line("archive", "remember", FACT)
    line("notebook", "new_series", "a/b", "Is it faster?", "mean above 3")
    line("notebook", "new_series", "a/late", "Is it late?")
    line("vault", "capture", "--title", "gate", "--body", BODY)
    line("evidence", "import", "m.jsonl")
    return line


@pytest.mark.parametrize("words", UNREADABLE, ids=" ".join)
def test_a_value_that_cannot_be_read_is_a_mistake_of_usage(filled, words):
    told = filled(*words)

    assert told.code == 2, told
    assert told.err.strip()
    assert not told.out


@pytest.mark.parametrize("words", REFUSED, ids=" ".join)
def test_a_refusal_by_content_is_1(filled, words):
    told = filled(*words)

    assert told.code == 1, told


@pytest.mark.parametrize("words", NOTHING, ids=" ".join)
def test_nothing_found_is_1(filled, words):
    told = filled(*words)

    assert told.code == 1, told


def test_a_count_of_zero_is_a_result(filled):
    assert filled("evidence", "measure", "--literal", "zeppelin").code == 0
