"""What may arrive at the border of a tool."""

import pytest

HUGE = "9223372036854775808"


@pytest.mark.parametrize("tool", ["recall", "topics"])
def test_null_means_the_default(memory, tool):
    memory.store("Port is 22", kind="pitfall", tags="shop")
    arguments = {"query": "port"} if tool == "recall" else {}

    answer = memory(tool, **arguments)

    assert memory(tool, **arguments, limit=None, tag=None) == answer


@pytest.mark.parametrize("value", [1, 1.0, "1", " 1 ", "1.0", "+1"])
def test_whole_numbers_are_read_from_text_and_decimals(memory, value):
    memory.store("Port is 22")
    memory.store("Port is 23")

    assert "1 " in memory("recall", query="port", limit=value).split("2")[0]


@pytest.mark.parametrize("value", [True, "true", "TRUE", "1", 1, "yes", "Ja", " ja "])
def test_true_is_read_from_words_and_numbers(memory, value):
    memory.store("Port is 22")

    assert memory.say("characters", count=10) in memory("recall", query="port", full=value)


@pytest.mark.parametrize("value", [False, "false", "0", 0, "no", "NEIN"])
def test_false_is_read_from_words_and_numbers(memory, value):
    memory.store("Port is 22")

    assert memory.say("characters", count=10) not in memory("recall", query="port", full=value)


@pytest.mark.parametrize("value", ["maybe", 2, "", [], {}])
def test_other_values_are_no_switch(memory, value):
    assert memory.name("full") in memory.refused("show", ids="1", full=value)


def test_string_parameter_takes_an_integer(memory):
    memory.store("port 22 is open")

    assert "#1 " in memory("recall", query=22)
    assert "port 22" in memory("show", ids=1)


def test_lists_take_an_array(memory):
    memory.store("Port is 22", tags=["shop", "#net"])
    memory.store("Port is 23", supersedes=[1, "#99"])

    assert "#2" in memory("show", ids=["#1", 2])
    assert memory.rows("SELECT spelling FROM entry_tag ORDER BY position") == [("shop",), ("net",)]
    assert "#1 " in memory("recall", query="port", tag=["net", "x"], kind=["all"], include_superseded=True)


@pytest.mark.parametrize("value", [{"a": 1}, True, 1.5, [["x"]]])
def test_what_is_no_text_is_refused(memory, value):
    memory.refused("remember", text=value)


def test_limit_above_the_maximum_is_lowered_and_the_answer_says_so(memory):
    memory.store("Port is 22")

    assert memory.say("limit", most=50) in memory("recall", query="port", limit=51)
    assert memory.say("limit", most=200) in memory("topics", limit="1000")
    assert memory.say("limit", most=50) not in memory("recall", query="port", limit=50)


@pytest.mark.parametrize(
    ("tool", "arguments", "least", "most"),
    [
        ("recall", {"query": "x", "limit": 0}, "1", "50"),
        ("recall", {"query": "x", "limit": -3}, "1", "50"),
        ("recall", {"query": "x", "limit": "three"}, "1", "50"),
        ("recall", {"query": "x", "limit": 2.5}, "1", "50"),
        ("topics", {"limit": -1}, "0", "200"),
        ("topics", {"page": 0}, "1", ""),
    ],
)
def test_out_of_range_is_refused_with_the_range(memory, tool, arguments, least, most):
    refusal = memory.refused(tool, **arguments)

    assert least in refusal
    assert most in refusal


def test_refusal_names_value_in_60_characters_without_control_characters(memory):
    refusal = memory.refused("show", ids="x" * 200 + "\n")
    tabbed = memory.refused("recall", query="x", limit="a\x07b")

    assert "x" * 60 in refusal
    assert "x" * 61 not in refusal
    assert "a b" in tabbed


def test_one_refusal_reports_every_problem(memory):
    refusal = memory.refused("recall", query="", limit="many", kind="nonsense", nothing=1)

    assert [word for word in ("query", "many", "nonsense", "nothing") if word not in refusal] == []


def test_unknown_argument_is_refused_by_name_with_the_known_ones(memory):
    refusal = memory.refused("recall", query="x", colour="red")

    assert "colour" in refusal
    assert "query" in refusal


@pytest.mark.parametrize(
    ("language", "tool", "wrong", "told"),
    [
        ("en", "recall", "tags", "tags (the nearest is tag)"),
        ("en", "remember", "tag", "tag (the nearest is tags)"),
        ("de", "recall", "marken", "marken (am nächsten liegt marke)"),
        ("de", "remember", "tag", "tag (am nächsten liegt tags)"),
    ],
)
def test_unknown_argument_is_refused_with_the_nearest(open_memory, language, tool, wrong, told):
    assert told in open_memory(language).shell.refused(tool, **{wrong: "x"})


@pytest.mark.parametrize(("language", "wrong", "right"), [("en", "art", "kind"), ("de", "kind", "art")])
def test_name_of_the_other_language_is_refused_with_the_right_one(open_memory, language, wrong, right):
    refusal = open_memory(language).shell.refused("recall", query="x", **{wrong: "pitfall"})

    assert wrong in refusal
    assert right in refusal


def test_tool_of_the_other_language_is_refused_with_the_known_ones(open_memory):
    assert "zeige" in open_memory("de").shell.refused("show", ids="1")
    assert "show" in open_memory("en").shell.refused("zeige", ids="1")


# Kinds


@pytest.mark.parametrize(
    "word", ["interface", "schnittstelle", "INTERFACE", "Schnittstelle", " interface ", ["interface"]]
)
def test_kind_is_read_in_either_language_and_case(memory, word):
    memory.store("Port is 22", kind=word)

    assert f"[{memory.kind('interface')}]" in memory("recall", query="port")


def test_unknown_kind_is_refused_with_the_kinds_of_this_mode_in_order(memory):
    refusal = memory.refused("remember", text="x", kind="luecke")

    words = ("interface", "pitfall", "decision", "measurement", "workflow", "history", "unsorted")
    assert ", ".join(memory.kind(word) for word in words) in refusal


# Ids


@pytest.mark.parametrize(
    "ids",
    ["1,3", "1;3", "1 3", "#1, #3", "[1, 3]", "box#1 BOX#3", "1\n3", "1,1,3", " [#1,box#3] "],
)
def test_ids_in_every_notation(memory, ids):
    for text in ("first", "second", "third"):
        memory.store(text)

    answer = memory("show", ids=ids)

    assert answer.index("first") < answer.index("third")
    assert "second" not in answer


@pytest.mark.parametrize("ids", ["1-3", "#1-#3", "1–3", "box#1-3", "box#1-box#3", "2 1-3"])
def test_range_means_every_id_in_between(memory, ids):
    for text in ("first", "second", "third"):
        memory.store(text)

    answer = memory("show", ids=ids)

    assert all(text in answer for text in ("first", "second", "third"))


def test_order_of_ids_is_kept(memory):
    for text in ("first", "second", "third"):
        memory.store(text)

    answer = memory("show", ids="3,1,2")

    assert answer.index("third") < answer.index("first") < answer.index("second")


@pytest.mark.parametrize("tool", ["show", "forget", "classify"])
@pytest.mark.parametrize(
    ("ids", "named"),
    [
        ("one", "one"),
        ("1 2026-01-02", "2026-01-02"),
        ("007", "007"),
        ("0", "0"),
        ("-5", "-5"),
        ("380-376", "380-376"),
        (HUGE, HUGE),
        ("1,x2", "x2"),
        ("1.5", "1.5"),
        ("1,#", "#"),
        ("a#1-b#2", "a#1-b#2"),
    ],
)
def test_anything_else_refuses_the_whole_call_and_is_named(memory, tool, ids, named):
    memory.store("first")
    more = {"kind": "pitfall"} if tool == "classify" else {}

    refusal = memory.refused(tool, ids=ids, **more)

    assert named in refusal
    assert memory.rows("SELECT kind, live FROM entry_state") == [("gemischt", 1)]


@pytest.mark.parametrize("ids", ["", "  ", None])
def test_blank_ids_are_refused(memory, ids):
    assert "ids" in memory.refused("show", ids=ids)


def test_name_of_another_memory_refuses_the_call_and_names_both(memory):
    memory.store("first")

    refusal = memory.refused("show", ids="1,attic#1")

    assert "attic" in refusal
    assert "box" in refusal


@pytest.mark.parametrize(("tool", "most"), [("show", 200), ("forget", 1_000), ("classify", 1_000)])
def test_most_ids_a_call_are_checked_before_a_range_is_expanded(memory, tool, most):
    more = {"kind": "pitfall"} if tool == "classify" else {}

    refusal = memory.refused(tool, ids="1-9223372036854775807", **more)

    assert str(most) in refusal
    memory(tool, ids=f"1-{most}", **more)
    memory.refused(tool, ids=f"1-{most + 1}", **more)


def test_unknown_ids_are_named_as_ranges_and_the_known_ones_processed(memory):
    memory.store("first")

    answer = memory("forget", ids="1, 500-700, 900")

    assert memory.say("hidden", ids="#1") in answer
    assert "#500-#700, #900" in answer


def test_whole_host_name_is_accepted_on_input(open_memory, monkeypatch):
    monkeypatch.setattr("frugal.settings._host", lambda: "Attic.example.org")
    memory = open_memory("en", MEMORY_NAME="")
    memory.store("first")

    assert "first" in memory("show", ids="attic#1")
    assert "first" in memory("show", ids="attic.example.org#1")


# Tags


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("shop, net", ["shop", "net"]),
        ("shop net", ["shop", "net"]),
        ("#shop #net", ["shop", "net"]),
        ("shop,,  ,net,shop", ["shop", "net"]),
        ("shop,SHOP", ["shop"]),
        ("", []),
        ("x" * 64, ["x" * 64]),
        ("🚀 👩‍🚀 🇩🇪", ["🚀", "👩‍🚀", "🇩🇪"]),
        ("C++ a_b user@host 数据库", ["C++", "a_b", "user@host", "数据库"]),
    ],
)
def test_tags_are_split_at_white_space_and_commas(memory, given, stored):
    memory.store("Port is 22", tags=given)

    rows = memory.rows("SELECT spelling FROM entry_tag ORDER BY position")
    assert [row[0] for row in rows] == stored


@pytest.mark.parametrize("tag", ["...", "-", "#", "x" * 65, "a\u202eb", "a\x07b"])
def test_what_is_no_tag_is_refused_by_name(memory, tag):
    refusal = memory.refused("remember", text="Port is 22", tags=f"good {tag}")

    assert tag.replace("\u202e", " ").replace("\x07", " ")[:60] in refusal
    assert memory.rows("SELECT count(*) FROM entry") == [(0,)]


def test_more_than_20_tags_are_refused(memory):
    assert "20" in memory.refused("remember", text="x", tags=[f"tag{n}" for n in range(21)])
    memory.store("x", tags=[f"tag{n}" for n in range(20)])


def test_tag_takes_the_known_spelling(memory):
    memory.store("Port is 22", tags="Shop")

    answer = memory("remember", text="Port is 23", tags="sHOP")

    assert "(Shop)" in answer


@pytest.mark.parametrize("tag", ['a"b', "x'y", "a*b", "(x", "a:b", "%x", "_x", "a\\b"])
def test_no_character_of_a_tag_has_an_effect(memory, tag):
    memory.store("Port is 22", tags=tag)
    memory.store("Port is 23", tags="other")

    assert memory("recall", query="port", tag=tag).count("\n") == 1
    assert "#1 " in memory("topics", tag=tag)


@pytest.mark.parametrize("tool", ["recall", "topics"])
@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ("shop", {1, 2, 3}),
        ("SHOP", {1, 2, 3}),
        ("shop-frontend", {2}),
        ("shops", {4}),
        ("frontend", set()),
        ("web-shop", {5}),
        ("shop,web-shop", {1, 2, 3, 5}),
        ("-", {6}),
        ("- shops", {4, 6}),
        ("#", set()),
        ("#shop-frontend", {2}),
    ],
)
def test_filter_takes_a_tag_that_it_equals_or_that_continues_it(memory, tool, filters, expected):
    for tag in ("shop", "Shop-frontend", "shop/web", "shops", "web-shop", ""):
        memory.store(f"Port of {tag or 'nothing'}", tags=tag)
    arguments = {"query": "port"} if tool == "recall" else {}

    answer = memory(tool, tag=filters, **arguments)

    found = {int(line.split()[0][1:]) for line in answer.splitlines() if line.startswith("#")}
    assert found == expected


def test_full_width_and_composed_spellings_of_a_tag_are_one(memory):
    memory.store("Port is 22", tags="Käse")

    assert "#1 " in memory("recall", query="port", tag="ka\u0308se")
    assert "#1 " in memory("topics", tag="ＫÄＳＥ")
