"""An index of another version of the analysis: searches say so until upkeep has made it anew."""

from dataclasses import replace

import pytest

from frugal.model import resolve
from frugal.search import Document, add, is_outdated
from frugal.search.edition import ANALYSIS
from frugal.store import put_record, read_record
from frugal.text.analysis import ANALYSIS_VERSION

WRITING = {
    "memory": ("remember", {"text": "the gateway was bought in spring"}),
    "archive": ("remember", {"text": "a paper on gateways that were bought"}),
    "notebook": (
        "new_series",
        {"key": "net/gateway", "question": "Which gateway was bought?", "criterion": "one"},
    ),
    "vault": ("memory_capture", {"title": "Gateway", "body": "It was bought in spring."}),
}
ASKING = {
    "memory": ("recall", {"query": "gateway"}),
    "archive": ("recall", {"query": "gateway"}),
    "notebook": ("series", {"search": "gateway"}),
    "vault": ("memory_search", {"query": "gateway"}),
}


def ask(shell, mode: str) -> str:
    tool, arguments = ASKING[mode]
    reply = shell.workspace.call(shell.client, tool, arguments)
    assert not reply.is_error, reply.text
    return reply.text


@pytest.mark.parametrize("mode", WRITING)
def test_a_search_says_so_until_upkeep(open_shell, mode):
    shell = open_shell("en", file=f"{mode}.db", mode=mode)
    tool, arguments = WRITING[mode]
    assert not (reply := shell.workspace.call(shell.client, tool, arguments)).is_error, reply.text
    notice = shell.workspace.surface.text("outdated_index", command=shell.workspace.surface.upkeep_line)
    with shell.workspace.store.write() as db:
        assert read_record(db, ANALYSIS) == str(ANALYSIS_VERSION)
        put_record(db, ANALYSIS, "1")

    outdated = ask(shell, mode)
    resolve(shell.workspace.mode.upkeep)(shell.workspace.new_call(shell.client))
    renewed = ask(shell, mode)

    assert notice in outdated
    assert notice not in renewed


def test_the_command_that_is_told_names_a_file_that_is_not_the_usual_one(open_shell):
    surface = open_shell("en", file="facts.db").workspace.surface

    assert surface.place.endswith("facts.db")
    assert replace(surface, place="/a b/facts.db").upkeep_line == "frugal-memory upkeep --db '/a b/facts.db'"
    assert replace(surface, place="").upkeep_line == "frugal-memory upkeep"
    assert replace(surface, place="/" + "f" * 90).upkeep_line == "frugal-memory upkeep --db ..."


def test_the_first_document_settles_which_analysis_it_is(store):
    with store.write() as db:
        before = read_record(db, ANALYSIS)
        add(db, Document(1, "", "first"))
        put_record(db, ANALYSIS, "1")
        add(db, Document(2, "", "second, of today"))

        assert before is None
        assert is_outdated(db)
