"""The byte kept for each entry says what its row says: every filter gives the same entries either way."""

from hypothesis import given, settings
from hypothesis import strategies as st

from frugal.call import Client
from frugal.engine import build_engine
from frugal.entries.filters import Filter, Snapshot
from frugal.entries.marks import read_states
from frugal.search.candidates import mask_of
from frugal.settings import Options, load_settings

ENTRY = st.tuples(
    st.sampled_from(["", "history", "pitfall", "decision"]),
    st.sampled_from(["", "shop", "shop-web", "other"]),
    st.sampled_from(["", "forget", "back", "pitfall", "history"]),
)
FILTERS = st.tuples(
    st.sampled_from([(), ("history",), ("pitfall", "history"), ("unsorted",)]),
    st.sampled_from([(), ("shop",), ("-",), ("shop", "other"), ("nosuch",)]),
    st.booleans(),
)
IDS = "SELECT id FROM ({select}) ORDER BY id"
STATE = "INSERT INTO entry_state (entry_id, kind) VALUES (:id, 'fallstrick')"
ENTRY_ROW = """
INSERT INTO entry (id, text, title, created_at, identity)
VALUES (:id, 'text', 'title', '2026-01-01 00:00:00', x'00')
"""


def open_workspace(file):
    engine = build_engine(load_settings(Options(db=str(file), lang="en"), {"MEMORY_NAME": "box"}))
    return engine.open(engine.registry.mode("memory"))


@given(entries=st.lists(ENTRY, min_size=1, max_size=8), asked=st.lists(FILTERS, min_size=1, max_size=4))
@settings(max_examples=25)
def test_every_filter_lets_through_the_same_entries_by_mark_and_by_row(tmp_path_factory, entries, asked):
    workspace = open_workspace(tmp_path_factory.mktemp("marks") / "memory.db")
    for number, (kind, tag, change) in enumerate(entries, 1):
        workspace.call(Client(), "remember", {"text": f"fact {number}", "kind": kind, "tags": tag})
        if change in ("forget", "back"):
            workspace.call(Client(), "forget", {"ids": number})
        if change == "back":
            workspace.call(Client(), "forget", {"ids": number, "undo": True})
        if change in ("pitfall", "history"):
            workspace.call(Client(), "classify", {"ids": number, "kind": change})

    with workspace.store.read() as db:
        snapshot = Snapshot(db)
        for kinds, tags, with_superseded in asked:
            vocabulary = workspace.mode.kinds
            wanted = Filter(vocabulary, tuple(vocabulary.find(kind) for kind in kinds), tags, with_superseded)
            restriction = snapshot.restriction(wanted)
            rows = db.execute(IDS.replace("{select}", restriction.select), restriction.parameters)
            mask = mask_of(restriction)

            assert mask is not None
            assert [row[0] for row in rows] == [number for number, byte in enumerate(mask, 1) if byte]
    workspace.close()


def test_ids_that_lie_far_apart_are_asked_row_by_row(tmp_path):
    workspace = open_workspace(tmp_path / "memory.db")
    workspace.call(Client(), "remember", {"text": "near"})
    with workspace.store.write() as db:
        for statement in (ENTRY_ROW, STATE):
            db.execute(statement, {"id": 10**12})

    with workspace.store.read() as db:
        states = read_states(db)

    assert states is None
    assert workspace.call(Client(), "recall", {"query": "near"}).text.startswith("1 of 1 match")
    workspace.close()
