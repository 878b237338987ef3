"""A merge that is interrupted is completed by the next one; others write between its transactions."""

import pytest
from histories import Life
from workspaces import faults, texts

from frugal.call import Client
from frugal.cli.contents import read_contents, store_contents
from frugal.entries.transfer import merge as merging
from tests.side_by_side import exported, merged, workspaces

STEPS = [
    *(
        ("remember", {"text": f"fact {number}", "tags": "shop", "kind": "", "also": "", "supersedes": []})
        for number in range(6)
    ),
    ("forget", {"place": 1, "reason": "wrong"}),
    ("memo", {"place": 3}),
    ("remember", {"text": "new", "tags": "", "kind": "pitfall", "also": "x", "supersedes": [0]}),
    ("learn", {"place": 2, "question": "port"}),
]


class Stop(Exception):
    pass


@pytest.fixture(autouse=True)
def small_steps(monkeypatch):
    monkeypatch.setattr(merging, "TEXTS_AT_ONCE", 2)
    monkeypatch.setattr(merging, "PAUSE_S", 0)


@pytest.mark.parametrize("done", [2, 4, 6, 7])
def test_interrupted_merge_is_completed_by_the_next_one(done):
    def stop(here, _total):
        if here >= done:
            raise Stop

    with workspaces() as open_one:
        a, b, c = map(open_one, "abc")
        Life(b, b.engine.clock).live(STEPS)
        merged(c, b)
        with pytest.raises(Stop):
            store_contents(a, contents_of(b), may_load=False, progress=stop)
        assert faults(a) == []

        merged(a, b)

        assert exported(a) == exported(c)


def contents_of(workspace):
    from dataclasses import replace

    return replace(read_contents(workspace), name="b")


def test_others_write_between_the_transactions_of_a_merge():
    with workspaces() as open_one:
        a, b = open_one("a"), open_one("b")
        Life(b, b.engine.clock).live(STEPS)

        def write(here, _total):
            text = "fact 5" if here == 2 else f"written at {here}"
            assert not a.call(Client(), "remember", {"text": text}).is_error

        store_contents(a, contents_of(b), may_load=False, progress=write)

        assert len(texts(a)) == len(set(texts(a))) == 10
        assert faults(a) == []
