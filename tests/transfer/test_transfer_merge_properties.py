"""What holds for every merge, whatever the two memories have lived through."""

from histories import histories
from hypothesis import example, given, settings
from workspaces import faults, live, texts

from tests.side_by_side import exported, merged, workspaces

without_erasing = histories.map(lambda history: [step for step in history if step[0] != "erase"])


def _remembered(**more: object) -> tuple[str, dict[str, object]]:
    return "remember", {"text": "port is 22", "tags": "", "kind": "", "also": "", "supersedes": [], **more}


ERASED_AFTER_ITS_TEXT_CAME_BACK = [
    _remembered(),
    ("forget", {"place": 0, "reason": ""}),
    _remembered(supersedes=[0]),
    ("erase", {"place": 0}),
]


ERASED_TWICE = [_remembered(), ("erase", {"place": 0}), _remembered(tags="shop"), ("erase", {"place": 1})]


@settings(max_examples=12)
@given(histories, histories)
@example([_remembered()], ERASED_AFTER_ITS_TEXT_CAME_BACK)
@example(ERASED_TWICE[:2], ERASED_TWICE)
def test_merged_twice_is_merged_once(left, right):
    with workspaces() as open_one:
        a, b = open_one("a"), open_one("b")
        live(a, left)
        live(b, right)
        merged(a, b)
        before = exported(a)

        a.engine.clock.advance(hours=1)
        report = merged(a, b)

        assert exported(a) == before
        assert report.counts["new"] == report.counts["events"] == report.counts["learned"] == 0
        assert faults(a) == []


@settings(max_examples=12)
@given(without_erasing, without_erasing)
def test_either_way_gives_the_same_texts_and_the_same_live_ones(left, right):
    with workspaces() as open_one:
        a, b, c, d = map(open_one, "abcd")
        for memory, history in ((a, left), (b, right), (c, left), (d, right)):
            live(memory, history)

        merged(a, b)
        merged(d, c)

        assert set(texts(a)) == set(texts(d))
        assert set(texts(a, only_live=True)) == set(texts(d, only_live=True))


@settings(max_examples=12)
@given(histories, histories)
def test_nothing_is_lost_or_rewritten(left, right):
    with workspaces() as open_one:
        a, b = open_one("a"), open_one("b")
        live(a, left)
        live(b, right)
        own, other = rows(a), texts(b)

        merged(a, b)

        assert set(texts(a)) >= set(other)
        after = rows(a)
        assert all(after[number] == text for number, text in own.items())


def rows(workspace):
    with workspace.store.read() as db:
        return dict(db.execute("SELECT id, text FROM entry").fetchall())


@settings(max_examples=8)
@given(histories)
def test_memory_merged_into_an_empty_one_is_all_there(history):
    with workspaces() as open_one:
        a, b = open_one("a"), open_one("b")
        live(b, history)

        merged(a, b)

        assert set(texts(a)) == set(texts(b))
        assert set(texts(a, only_live=True)) == set(texts(b, only_live=True))


@settings(max_examples=8)
@given(without_erasing, without_erasing)
def test_memories_that_merge_each_other_settle(left, right):
    with workspaces() as open_one:
        a, b = open_one("a"), open_one("b")
        live(a, left)
        live(b, right)

        for _ in range(2):
            merged(a, b)
            merged(b, a)
        settled = exported(a), exported(b)
        merged(a, b)
        merged(b, a)

        assert (exported(a), exported(b)) == settled
        assert set(texts(a)) == set(texts(b))
        assert set(texts(a, only_live=True)) == set(texts(b, only_live=True))
