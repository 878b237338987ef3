"""Every answer keeps its cap, whatever is stored and asked: characters and bytes of the whole result."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from memories import Memory, keeps_cap
from tongues import KINDS, TONGUES, Tongue

from frugal.call import Client
from frugal.engine import build_engine
from frugal.entries import storage
from frugal.settings import Options, load_settings
from frugal_modes.memory import MEMORY

KIB = 1024
NOW = "2026-11-02 10:14:00"

hostile = settings(max_examples=20)
tongues = st.sampled_from(TONGUES)
stores = strategies.stores()


class Session:
    """Calls that give the reply, refused or not."""

    def __init__(self, workspace) -> None:
        self.workspace = workspace
        self.client = Client()


@contextmanager
def filled(store: dict, tongue: Tongue, *, is_guest: bool = False) -> Iterator[Memory]:
    """Open a memory that holds *store*."""
    with tempfile.TemporaryDirectory() as folder:
        environ = {"MEMORY_NAME": store["name"], "XDG_CONFIG_HOME": folder}
        options = Options(db=str(Path(folder) / "memory.db"), lang=tongue.language)
        engine = build_engine(load_settings(options, environ), modes=[MEMORY])
        workspace = engine.open(MEMORY)
        owner = Memory(Session(workspace), tongue)
        fill(owner, store)
        guest = engine.open(MEMORY, is_guest=True)
        try:
            yield Memory(Session(guest), tongue) if is_guest else owner
        finally:
            guest.close()
            workspace.close()


def fill(memory: Memory, store: dict) -> None:
    """Store the drafts, from the first id on, hide some, make some a memo."""
    ids = []
    with memory.shell.workspace.store.write() as db:
        for number, draft in enumerate(store["drafts"]):
            kind = KINDS.get(draft["kind"], "gemischt")
            entry = storage.NewEntry(draft["text"], kind, tuple(draft["tags"]), NOW, draft["also"])
            ids.append(storage.insert(db, entry))
            if number == 0 and store["first"] > 1:
                db.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'entry'", (store["first"],))
        for entry_id in ids[: store["hidden"]]:
            successor = ids[-1] if store["is_memo"] else None
            storage.supersede(db, entry_id, successor=successor, reason=store["reason"] or None, at=NOW)
    if store["is_memo"]:
        memory.make_memo(ids[:5])


@hostile
@given(
    store=stores,
    tongue=tongues,
    text=strategies.texts(longest=100_000),
    tags=strategies.tags(),
    kind=strategies.kinds,
    supersedes=strategies.id_lists(most=100),
    also=strategies.lines(longest=300),
)
def test_remember_keeps_its_cap(store, tongue, **arguments):
    with filled(store, tongue) as memory:
        keeps_cap(memory.reply("remember", **arguments), 2_400, 6 * KIB)
        again = {**arguments, "text": store["drafts"][0]["text"]}
        keeps_cap(memory.reply("remember", **again), 2_400, 6 * KIB)


@hostile
@given(
    store=stores,
    tongue=tongues,
    is_guest=st.booleans(),
    query=strategies.queries(),
    limit=st.sampled_from((1, 2, 8, 50, 99)),
    kind=strategies.kind_filters,
    tag=strategies.tags(),
    include_superseded=st.booleans(),
)
def test_recall_keeps_its_cap(store, tongue, is_guest, **arguments):
    characters = 440 + 137 * min(arguments["limit"], 50)
    with filled(store, tongue, is_guest=is_guest) as memory:
        for tag in (arguments["tag"], []):
            asked = {**arguments, "tag": tag}
            preview = memory.reply("recall", **asked)
            head = keeps_cap(preview, characters, 2 * characters).split("\n")[0]
            if not preview.is_error:
                assert len(head) <= 320
                assert len(head.encode()) <= 640
            keeps_cap(memory.reply("recall", **asked, full=True), 16 * KIB, 16 * KIB)


@hostile
@given(store=stores, tongue=tongues, is_guest=st.booleans(), ids=strategies.id_lists(most=200))
def test_show_keeps_its_cap(store, tongue, is_guest, ids):
    with filled(store, tongue, is_guest=is_guest) as memory:
        known = ",".join(str(row[0]) for row in memory.rows("SELECT id FROM entry ORDER BY id DESC"))
        for asked in (known, ids, f"{known},{ids}"):
            keeps_cap(memory.reply("show", ids=asked), 16 * KIB, 16 * KIB)
            keeps_cap(memory.reply("show", ids=asked, full=True), 640 * KIB, 640 * KIB)


@hostile
@given(
    store=stores,
    tongue=tongues,
    is_guest=st.booleans(),
    tag=strategies.tags(),
    limit=st.sampled_from((0, 1, 3, 200, 999)),
    page=st.integers(1, 3),
)
def test_topics_keeps_its_cap(store, tongue, is_guest, tag, limit, page):
    with filled(store, tongue, is_guest=is_guest) as memory:
        known = [row[0] for row in memory.rows("SELECT DISTINCT spelling FROM entry_tag LIMIT 20")]
        for asked in ([], tag, known, [*known[:10], *tag[:10]]):
            reply = memory.reply("topics", tag=asked, limit=limit, page=page)
            keeps_cap(reply, 12_000, 16 * KIB)
            keeps_cap(memory.reply("topics", tag=asked, limit=limit, all=True), 640 * KIB, 640 * KIB)


@hostile
@given(
    store=stores,
    tongue=tongues,
    ids=strategies.id_lists(most=1_000),
    reason=strategies.lines(longest=500),
    undo=st.booleans(),
)
def test_forget_keeps_its_cap(store, tongue, ids, reason, undo):
    with filled(store, tongue) as memory:
        known = [row[0] for row in memory.rows("SELECT id FROM entry")]
        for asked in (ids, known, f"{','.join(map(str, known))},{ids}"):
            keeps_cap(memory.reply("forget", ids=asked, reason=reason, undo=undo), 2_000, 4 * KIB)


@hostile
@given(store=stores, tongue=tongues, ids=strategies.id_lists(most=1_000), kind=strategies.kinds)
def test_classify_keeps_its_cap(store, tongue, ids, kind):
    with filled(store, tongue) as memory:
        known = ",".join(str(row[0]) for row in memory.rows("SELECT id FROM entry"))
        for asked in (ids, known, f"{known},{ids}"):
            keeps_cap(memory.reply("classify", ids=asked, kind=kind), 2_000, 4 * KIB)


anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=200),
    st.lists(st.text(max_size=90), max_size=30),
)


@settings(max_examples=40)
@given(
    tongue=tongues,
    tool=st.sampled_from(("remember", "recall", "show", "topics", "forget", "classify", "unknown")),
    arguments=st.dictionaries(
        st.sampled_from(("text", "tags", "kind", "ids", "query", "limit", "page", "tag", "undo", "xx" * 200)),
        anything,
    ),
)
def test_whatever_arrives_is_answered_or_refused_in_words(tongue, tool, arguments):
    draft = {"text": "user", "tags": ["shop"], "kind": "", "also": ""}
    store = {"drafts": [draft], "first": 1, "reason": "", "is_memo": False, "hidden": 0, "name": "box"}
    with filled(store, tongue) as memory:
        keeps_cap(memory.reply(tool, **arguments), 16 * KIB, 16 * KIB)
