"""topics: tags, kinds and counts, page by page."""

import re

import pytest
from memories import ids


def lines(answer: str) -> list[str]:
    return answer.splitlines()


def calls(memory, answer: str) -> list[dict[str, str]]:
    """Return the arguments of the suggested calls of topics in the last line."""
    english = {memory.name(name): name for name in ("tag", "limit", "page", "all")}
    found = re.findall(rf"{memory.name('topics')}\(([^)]*)\)", lines(answer)[-1])
    return [
        {english[key]: value.strip('"') for key, value in re.findall(r"(\w+)=(\"[^\"]*\"|\w+)", call)}
        for call in found
    ]


# Board


def test_board_counts_tags_and_live_entries_and_says_how_to_go_on(memory):
    memory.store("one", tags="shop, net")
    memory.store("two", tags="shop", kind="history")
    memory.store("three")
    memory.store("gone", tags="shop, gone")
    memory("forget", ids="4")

    assert lines(memory("topics"))[0] == memory.say("board", tags=2, entries=3) + "; " + memory.say("ways_on")


def test_row_has_entries_newest_date_and_kinds_most_first(memory, clock):
    for kind in ("unsorted", "pitfall", "pitfall", "decision", "history"):
        memory.store(f"a {kind} {clock.moment}", kind=kind, tags="shop")
        clock.advance(days=1)

    kinds = [("pitfall", 2), ("decision", 1), ("history", 1), ("unsorted", 1)]
    expected = "shop 5 (2026-11-06): " + ", ".join(f"{memory.kind(kind)} {count}" for kind, count in kinds)
    assert lines(memory("topics"))[1] == expected


def test_most_entries_come_first_then_the_name(memory):
    for number, tags in enumerate(("b", "c a", "c", "d")):
        memory.store(f"entry {number}", tags=tags)

    assert [row.split()[0] for row in lines(memory("topics"))[1:]] == ["c", "a", "b", "d"]


def test_sub_tag_is_a_row_of_its_own_and_not_counted_in_its_parent(memory):
    memory.store("one", tags="shop")
    memory.store("two", tags="shop-frontend")

    rows = [row.split(":")[0] for row in lines(memory("topics"))[1:]]
    assert rows == ["shop 1 (2026-11-02)", "shop-frontend 1 (2026-11-02)"]


def test_tags_equal_but_for_case_are_one_row(memory):
    memory.store("one", tags="Shop")
    memory.store("two", tags="other")
    memory.execute("UPDATE entry_tag SET spelling = 'SHOP', folded = 'shop' WHERE entry_id = 2")

    assert lines(memory("topics"))[1].startswith("Shop 2 ")
    assert len(lines(memory("topics"))) == 2


def test_untagged_entries_are_the_last_row_of_the_last_page_with_the_call(memory):
    memory.store("one")
    for number in range(3):
        memory.store(f"tagged {number}", tags=f"tag{number}")

    first, second = memory("topics", limit=2), memory("topics", limit=2, page=2)

    row = f"{memory.say('untagged')} 1 (2026-11-02): {memory.kind('unsorted')} 1; {memory.call('topics', tag='-')}"
    assert memory.say("untagged") not in first
    assert lines(second)[-1] == row


def test_board_has_40_rows_and_names_the_rest_with_the_next_page(memory):
    memory.store("first", tags=[f"tag{n}" for n in range(20)])
    memory.store("second", tags=[f"tag{n}" for n in range(20, 40)])
    memory.store("third", tags=[f"tag{n}" for n in range(40, 45)])

    answer = memory("topics")

    assert len(lines(answer)) == 42
    assert re.search(r"\b5\b", lines(answer)[-1])
    assert calls(memory, answer) == [{"page": "2"}]
    assert len(lines(memory("topics", page=2))) == 6


def test_limit_stands_in_the_call_for_the_next_page(memory):
    memory.store("first", tags="a b c d e")

    assert calls(memory, memory("topics", limit=2)) == [{"limit": "2", "page": "2"}]


@pytest.mark.parametrize("tag", [None, "shop"])
def test_page_beyond_the_end_tells_totals_and_the_last_page(memory, tag):
    for number in range(5):
        memory.store(f"entry {number}", tags="shop")

    answer = memory("topics", tag=tag, page=9, limit=2)

    assert "5" in answer
    assert calls(memory, answer)[-1]["page" if tag else "limit"] == ("3" if tag else "2")


def test_empty_memory_is_one_line(memory):
    assert memory("topics") == memory.say("empty")
    assert memory("topics", tag="shop") == memory.say("empty")


def test_board_without_live_entries_counts_none(memory):
    memory.store("one", tags="shop")
    memory("forget", ids="1")

    assert lines(memory("topics"))[0].startswith(memory.say("board", tags=0, entries=0))


# Index


def test_index_lists_live_entries_newest_first_by_stamp_then_id(memory, clock):
    memory.store("one", tags="shop")
    memory.store("two", tags="shop", kind="history")
    clock.advance(days=-3)
    memory.store("older", tags="shop")
    memory.store("gone", tags="shop")
    memory("forget", ids="4")

    assert ids(memory("topics", tag="shop")) == [2, 1, 3]


def test_index_header_has_count_sub_tags_kinds_and_page(memory):
    for number in range(5):
        memory.store(f"entry {number}", tags="shop", kind="pitfall")
    memory.store("web", tags="shop-web shop/db")
    memory.store("other", tags="shops")

    head = lines(memory("topics", tag="shop", limit=2, page=2))[0]

    assert head.startswith("shop: 6 ")
    assert "shop-web 1" in head
    assert "shop/db 1" in head
    assert f"{memory.kind('pitfall')} 5, {memory.kind('unsorted')} 1" in head
    assert head.endswith(memory.say("page", page=2, pages=3, first=3, last=4))


def test_index_lines_have_the_other_tags_only(memory):
    memory.store("one", tags="shop, sqlite, shop-web")

    assert lines(memory("topics", tag="SHOP"))[1] == "#1 2026-11-02 one (sqlite, shop-web)"


def test_index_has_30_lines_a_page_and_the_call_for_the_next(memory):
    for number in range(33):
        memory.store(f"entry {number}", tags="shop")

    answer = memory("topics", tag="shop")

    assert len(ids(answer)) == 30
    assert calls(memory, answer) == [{"tag": "shop", "page": "2"}]
    assert ids(memory("topics", tag="shop", page=2)) == [3, 2, 1]


def test_index_of_untagged_entries(memory):
    memory.store("one")
    memory.store("two", tags="shop")

    answer = memory("topics", tag="-")

    assert lines(answer)[0].startswith(memory.say("untagged") + ": 1 ")
    assert ids(answer) == [1]


def test_all_groups_by_kind_in_listing_order_and_newest_first_in_each(memory):
    for number, kind in enumerate(("unsorted", "history", "pitfall", "interface", "pitfall")):
        memory.store(f"entry {number}", tags="shop", kind=kind)

    assert ids(memory("topics", tag="shop", all=True)) == [4, 5, 3, 2, 1]


def test_all_ignores_limit_and_page_and_says_so(memory):
    for number in range(60):
        memory.store(f"entry {number}", tags=f"shop tag{number % 50}")

    index = memory("topics", tag="shop", all=True, limit=2, page=9)
    board = memory("topics", all=True, limit=2, page=9)

    assert len(ids(index)) == 60
    assert len(lines(board)) == 52
    said = ("ignored", "unbeachtet")[not memory.is_english]
    assert said in lines(index)[0]
    assert said in lines(board)[0]
    assert said not in lines(memory("topics", tag="shop", all=True))[0]


@pytest.mark.parametrize("asked", ["tiandashop", "Tianda-Shop-2", "shop", "tianda-shpo"])
def test_unknown_tag_names_known_ones_that_are_like_it(memory, asked):
    memory.store("one", tags="tianda-shop, other")

    answer = memory("topics", tag=asked)

    assert asked in answer
    assert "tianda-shop 1" in answer
    assert "other" not in answer


def test_unknown_tag_gets_at_most_8_known_ones(memory):
    memory.store("one", tags=[f"shop{n}" for n in range(12)])

    assert len(re.findall(r"shop\d+ 1", memory("topics", tag="shop"))) == 8


def test_tag_of_superseded_entries_only_is_unknown(memory):
    memory.store("one", tags="shop")
    memory.store("two", tags="net")
    memory("forget", ids="1")

    assert ids(memory("topics", tag="shop")) == []


def test_unknown_tag_beside_a_known_one_is_named(memory):
    memory.store("one", tags="shop")

    answer = memory("topics", tag="shop, nett")

    assert ids(answer) == [1]
    assert "nett" in lines(answer)[1]


# Pages and caps


@pytest.mark.parametrize("tag", [None, "shop"])
@pytest.mark.parametrize("limit", [13, 200])
def test_following_the_pages_gives_every_line_once_even_where_the_cap_bites(memory, tag, limit):
    with memory.shell.workspace.store.write() as db:
        _fill(db)
    seen: list[str] = []
    arguments = {"limit": limit, "tag": tag}
    while True:
        answer = memory("topics", **arguments)
        rest = calls(memory, answer)
        is_last = not rest or rest[-1].get("tag") == "-" or "page" not in rest[-1]
        body = lines(answer)[1:] if is_last else lines(answer)[1:-1]
        seen += [line.split()[0] for line in body]
        if is_last:
            break
        arguments = {"tag": tag, **rest[-1]}

    assert len(seen) == len(set(seen)) == (260 if tag else 261)


def _fill(db) -> None:
    from frugal.entries import storage

    for number in range(260):
        name = f"{number:03}" + "标" * 60
        entry = storage.NewEntry(
            text=f"{number} " + "连接池" * 40,
            kind="gemischt",
            tags=("shop", name),
            created_at="2026-11-02 10:14:00",
        )
        storage.insert(db, entry)


def test_page_that_is_cut_by_the_cap_says_what_it_shows(memory):
    with memory.shell.workspace.store.write() as db:
        _fill(db)

    answer = memory("topics", tag="shop", limit=200)

    shown = len(ids(answer))
    assert shown < 200
    assert memory.say("page", page=1, pages=2, first=1, last=shown) in lines(answer)[0]
    assert calls(memory, answer) == [{"tag": "shop", "limit": str(shown), "page": "2"}]
