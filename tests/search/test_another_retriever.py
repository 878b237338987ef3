"""Retrieval stands behind one small protocol: another retriever serves recall without a change to the tool."""

from frugal.entries.recall import recall
from frugal.forms import Limit
from frugal.search import Found, Request, Retriever, Scored
from frugal.store import Connection

WITHIN = "SELECT id FROM ({select}) ORDER BY id"


class LengthRetriever:
    """Finds every document of the restriction, the one with the lowest id first, and knows no words."""

    def _ids(self, db: Connection, request: Request) -> list[int]:
        statement = WITHIN.replace("{select}", request.restriction.select)
        return [row[0] for row in db.execute(statement, dict(request.restriction.parameters))]

    def search(self, db: Connection, request: Request) -> Found:
        """Return all, in order of id."""
        ids = self._ids(db, request)
        hits = tuple(Scored(number, 1.0 / number) for number in ids[: request.limit])
        return Found(hits, len(ids), has_all_words=True)

    def count(self, db: Connection, request: Request) -> int:
        """Return how many there are."""
        return len(self._ids(db, request))


def test_recall_works_with_another_retriever_and_keeps_filters_and_counts(open_shell):
    shell = open_shell("en")
    shell("remember", text="first fact", tags="a")
    shell("remember", text="second fact", tags="b")
    shell("remember", text="third fact", tags="a", kind="history")
    retriever: Retriever = LengthRetriever()

    answer = recall(
        shell.workspace.new_call(shell.client),
        query="nothing of this stands anywhere",
        limit=Limit(8),
        kind=(),
        tag=("a",),
        full=False,
        include_superseded=False,
        retriever=retriever,
    )

    assert [item["id"] for item in answer.items] == [1]
    assert '1 in history hidden (kind="history")' in answer.text
