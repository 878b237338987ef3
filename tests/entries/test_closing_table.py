"""What the predecessor got wrong, in both languages."""

import os
import re
import shutil

import pytest
from memories import ids, keeps_cap

from frugal.entries import storage

KIB = 1024
NOW = "2026-11-02 10:14:00"


def live(memory) -> list[int]:
    return [
        row[0] for row in memory.rows("SELECT entry_id FROM entry_state WHERE live = 1 ORDER BY entry_id")
    ]


def fill(
    memory, count: int, *, text: str = "entry {number}", tags: tuple[str, ...] = (), kind: str = "gemischt"
) -> None:
    with memory.shell.workspace.store.write() as db:
        for number in range(count):
            storage.insert(db, storage.NewEntry(text.format(number=number), kind, tags, NOW))


def test_untagged_entries_are_one_row(memory):
    for number in range(3):
        memory.store(f"entry {number}")

    rows = memory("topics").splitlines()[1:]

    assert len(rows) == 1
    assert rows[0].startswith(f"{memory.say('untagged')} 3 ")


def test_tag_with_a_quote_is_stored_and_found(memory):
    memory.store("port 22", tags='a"b')

    assert ids(memory("recall", query="port", tag='a"b')) == [1]


def test_filter_with_query_syntax_is_a_value(memory):
    memory.store("port 22", tags="y")
    memory.store("port 23", tags="x")

    assert ids(memory("recall", query="port", tag='x" OR tags:"y')) == []


def test_id_beyond_the_largest_is_refused_by_value(memory):
    assert "9223372036854775808" in memory.refused("show", ids="9223372036854775808")


def test_digits_are_never_mined_out_of_text(memory):
    memory.store("one")
    memory.store("two")

    refusal = memory.refused("forget", ids="the entry from 2026-01-02")

    assert re.search(r"\bthe\b", refusal)
    assert live(memory) == [1, 2]


def test_unknown_ids_are_named_and_ranges_understood(memory):
    fill(memory, 380)

    hidden = memory("forget", ids="12,999999")
    classified = memory("classify", ids="376-380", kind="pitfall")

    assert memory.say("hidden", ids="#12") in hidden
    assert "#999999" in hidden
    assert f"{memory.kind('pitfall')}: #376-#380." in classified
    assert memory.rows("SELECT count(*) FROM entry_state WHERE kind = 'fallstrick'") == [(5,)]
    assert "380-376" in memory.refused("classify", ids="380-376", kind="pitfall")


def test_guessed_next_id_is_unknown_and_the_entry_stays_live(memory):
    memory.store("one")

    answer = memory("remember", text="two", supersedes="2")

    assert "#2" in answer.splitlines()[-1]
    assert live(memory) == [1, 2]


def test_sub_tags_continue_a_filter_from_its_beginning_only(memory):
    memory.store("port 22", tags="light-house")

    assert ids(memory("recall", query="port", tag="house")) == []
    assert ids(memory("topics", tag="house")) == []
    assert ids(memory("recall", query="port", tag="light")) == [1]
    assert ids(memory("topics", tag="light")) == [1]


def test_two_tags_are_not_one_with_a_hyphen(memory):
    memory.store("port 22", tags="mcp memory")

    assert ids(memory("recall", query="port", tag="mcp-memory")) == []
    assert ids(memory("topics", tag="mcp-memory")) == []


def test_english_notes_have_no_german_word(open_memory):
    memory = open_memory("en")
    memory.store("port 22")
    memory.store("port 23", supersedes="1")
    memory("forget", ids="2")

    answer = memory("recall", query="port", include_superseded=True) + memory("show", ids="1,2")

    assert "{superseded by #2}" in answer
    assert "{superseded}" in answer
    assert re.search("veraltet|ersetzt|durch|Grund", answer) is None


def test_100001_characters_are_refused_with_advice(memory):
    refusal = memory.refused("remember", text="x" * 100_001)

    assert "frugal-memory import" in refusal
    assert "100001" in refusal
    assert memory.rows("SELECT count(*) FROM entry") == [(0,)]


def test_full_recall_of_long_hits_stays_within_16_kib(memory):
    fill(memory, 8, text="user {number} " + "x" * 20_000)

    answer = keeps_cap(memory.reply("recall", query="user", full=True), 16 * KIB, 16 * KIB)

    assert memory.say("not_shown", count=7) in answer
    assert re.search(rf'{memory.name("show")}\("[\d,-]+"\)', answer)


@pytest.fixture(scope="session")
def huge_file(tmp_path_factory):
    """Return a memory file of 1,000 entries of 20 KB that all have the word `user`."""
    from frugal.engine import build_engine
    from frugal.settings import Options, load_settings
    from frugal_modes.memory import MEMORY

    path = tmp_path_factory.mktemp("huge") / "memory.db"
    engine = build_engine(load_settings(Options(db=str(path)), {}), modes=[MEMORY])
    workspace = engine.open(MEMORY)
    line = "the user asked for " + "x" * 180 + "\n"
    with workspace.store.write() as db:
        for number in range(1_000):
            text = f"user {number} " + line * 100
            tags = ("shop", f"tag{number % 300}")
            storage.insert(db, storage.NewEntry(text, "gemischt" if number % 2 else "verlauf", tags, NOW))
    workspace.close()
    return path


@pytest.fixture
def huge(huge_file, tmp_path, memory):
    """Return a memory over a copy of that file."""
    shutil.copy(huge_file, tmp_path / "memory.db")
    return memory


def every_cap(memory):
    """Call every tool on a huge store and assert its cap."""
    every = ",".join(str(number) for number in range(1, 200, 1))
    keeps_cap(memory.reply("recall", query="user"), 1_536, 3_072)
    keeps_cap(memory.reply("recall", query="user", limit=50, kind="all"), 7_290, 14_580)
    keeps_cap(memory.reply("recall", query="user", limit=50, full=True), 16 * KIB, 16 * KIB)
    keeps_cap(memory.reply("show", ids=every), 16 * KIB, 16 * KIB)
    keeps_cap(memory.reply("show", ids=every, full=True), 640 * KIB, 640 * KIB)
    keeps_cap(memory.reply("topics"), 12_000, 16 * KIB)
    keeps_cap(memory.reply("topics", limit=200), 12_000, 16 * KIB)
    keeps_cap(memory.reply("topics", tag="shop", limit=200), 12_000, 16 * KIB)
    keeps_cap(memory.reply("topics", tag="shop", all=True), 640 * KIB, 640 * KIB)
    keeps_cap(memory.reply("classify", ids="1-1000", kind="pitfall"), 2_000, 4 * KIB)
    keeps_cap(memory.reply("forget", ids=list(range(1, 1_000, 2)), reason="r" * 500), 2_000, 4 * KIB)
    keeps_cap(memory.reply("forget", ids="1-1000", reason="s" * 500), 2_000, 4 * KIB)
    text = "user 1 " + "the user asked for it\n" * 1_000
    keeps_cap(memory.reply("remember", text=text, supersedes="1-100"), 2_400, 6 * KIB)


def test_every_tool_keeps_its_cap_on_1000_entries_of_20_kb(huge):
    every_cap(huge)


def test_pain_34_no_answer_ends_a_conversation_and_the_rest_is_named_with_its_call(huge):
    shown = huge("show", ids="2-40")
    listed = huge("topics", tag="shop", limit=200)

    assert huge.call("show", "2", full=True) in shown
    assert huge.call("show", "3-40") in shown
    assert re.search(rf'{huge.name("topics")}\({huge.name("tag")}="shop", .*{huge.name("page")}=2\)$', listed)
    every_cap(huge)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no file modes")
def test_new_file_is_for_its_owner_only(memory, tmp_path):
    before = os.umask(0o022)
    try:
        memory.store("one")
    finally:
        os.umask(before)

    assert (tmp_path / "memory.db").stat().st_mode & 0o777 == 0o600


def test_same_text_40_times_is_one_entry_counted_40(memory):
    for _ in range(40):
        memory("remember", text="Port is 22")

    assert memory.rows("SELECT entry_id, times_stored FROM entry_state") == [(1, 40)]


def test_only_the_new_port_is_recalled(memory):
    memory.store("The server listens on port 22")
    memory.store("The server listens on port 49222", supersedes="1")

    assert ids(memory("recall", query="server port")) == [2]


def test_history_that_begins_with_a_date_gets_no_chronicle_notice(memory):
    answer = memory("remember", text="2026-11-02 " + "moved the server " * 30, kind="history")

    assert "chronicle" not in answer
    assert "Chronik" not in answer


def test_hidden_history_count_is_the_total_with_that_kind(memory):
    for number in range(12):
        memory.store(f"port changed {number}", kind="history")
    memory.store("port 22")

    history = memory.kind("history")
    assert memory.say("kind_hidden", count=12, kind=history) in memory("recall", query="port").splitlines()[0]
    asked = memory("recall", query="port", kind="history").splitlines()[0]
    assert asked.startswith(memory.say("match", shown=8, total=12, query="port"))


def only_the_one_of_b(memory):
    fill(memory, 500, text="port {number} port port sqlite port", tags=("A",))
    memory.store("a long text that says very little about the port and much else " + "word " * 60, tags="B")

    assert ids(memory("recall", query="sqlite port", tag="B")) == [501]


def test_weak_entry_is_found_behind_500_strong_ones_of_another_tag(memory):
    only_the_one_of_b(memory)


def test_pain_24_filter_runs_before_the_ranking(memory):
    only_the_one_of_b(memory)


def test_two_of_four_words_are_enough(memory):
    memory.store("user display name is Kim")

    assert ids(memory("recall", query="user identity name preferences")) == [1]


def test_chinese_words_are_found_in_longer_sentences(memory):
    memory.store("数据库连接池的最大值是二十")
    memory.store("这台设备已经停产")

    assert ids(memory("recall", query="连接池")) == [1]
    assert ids(memory("recall", query="设备")) == [2]


@pytest.mark.parametrize(
    "query", ["multi-agent", "don't", "C++", "NEAR(", "stems:x", "title:port", "port AND", '"', "a*"]
)
def test_no_punctuation_breaks_a_search_or_reaches_a_column(memory, query):
    memory.store("we don't run a multi-agent C++ near x server on its port a")

    reply = memory.reply("recall", query=query)

    assert reply.is_error == (query == '"')
    assert "SQL" not in reply.text
    assert "fts" not in reply.text.lower()


def test_query_without_a_word_is_refused_in_words(memory):
    assert ":::" in memory.refused("recall", query=":::")


def test_german_surface_names_its_own_argument_and_takes_either_word(open_memory):
    memory = open_memory("de")

    refusal = memory.shell.refused("remember", text="Port ist 22", kind="pitfall")

    assert re.search(r"\bart\b", refusal)
    assert memory.shell("remember", text="Port ist 22", art="pitfall").startswith(
        "Gespeichert: #1 als fallstrick."
    )
