"""Export, import into an empty file, export: the same bytes, whatever the memory has lived through."""

import pytest
from histories import histories
from hypothesis import given, settings
from workspaces import faults, live

from frugal.call import Client
from tests.side_by_side import exported, imported, workspaces


@settings(max_examples=20)
@given(histories)
def test_export_of_an_import_into_an_empty_file_is_byte_identical(history):
    with workspaces() as open_one:
        first, second = open_one("a"), open_one("b")
        live(first, history)

        imported(second, exported(first))

        assert exported(second) == exported(first)
        assert faults(second) == []


@settings(max_examples=8)
@given(histories)
def test_imported_memory_answers_as_the_first_one_does(history):
    asked = (
        ("recall", {"query": "port grüße head", "kind": "all", "include_superseded": True}),
        ("show", {"ids": "1-8"}),
        ("topics", {}),
        ("topics", {"tag": "shop"}),
    )
    with workspaces() as open_one:
        first, second = open_one("a"), open_one("b")
        live(first, history)

        imported(second, exported(first))

        for tool, arguments in asked:
            answers = [memory.call(Client(), tool, arguments).text for memory in (first, second)]
            assert answers[0] == answers[1]


def test_archive_gets_its_sources_again():
    with workspaces("archive") as open_one:
        first, second = open_one("first"), open_one("second")
        text = "Smith 2020, doi:10.1000/ABC(1), arXiv:2301.01234\nEvidence: full text"
        reply = first.call(Client(), "remember", {"text": text, "kind": "finding", "tags": "shop"})
        assert not reply.is_error, reply.text

        imported(second, exported(first))

        assert exported(second) == exported(first)
        assert sources(second) == sources(first) != []


def sources(workspace):
    with workspace.store.read() as db:
        rows = db.execute("SELECT entry_id, type, key FROM source ORDER BY type, key")
        return [tuple(row) for row in rows]


@pytest.mark.parametrize("language", ["en", "de"])
def test_language_of_the_file_comes_along(machine, language):
    a, b = machine("a", lang=language), machine("b", lang="de" if language == "en" else "en")
    a.remember("one fact")

    b("import", str(a.export()))

    assert b.export().read_bytes() == a.export().read_bytes()
