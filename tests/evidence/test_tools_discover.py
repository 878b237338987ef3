"""discover_messages: what is shown, what is held back, and why."""

from itertools import count
from typing import Any

from corpora import DAY, START, Bench, Opener, clause, message, messages, unlike
from hypothesis import given, settings
from hypothesis import strategies as st

NUMBERS = count()
COPIES = "the harbour closes at noon on Sundays"


def shown_of(told: dict[str, Any]) -> set[str]:
    """Return the refs of matching messages that an answer shows, as items or as lines marked as hits."""
    refs = {item["ref"] for item in told.get("evidence", ())}
    for item in told.get("evidence", ()):
        refs |= {line["ref"] for side in ("before", "after") for line in item.get(side, ()) if "hit" in line}
    return refs


def adds_up(told: dict[str, Any]) -> bool:
    """Tell whether what is shown and what is held back are the whole population."""
    omitted = dict(told.get("omitted", {"total": 0}))
    total = omitted.pop("total")
    return sum(omitted.values()) == total and len(shown_of(told)) + total == told["counts"]["messages"]


def test_copies_of_a_text_are_one_item_and_counted(bench: Bench) -> None:
    bench.fill(messages([COPIES] * 39))

    told = bench.discover("harbour")

    (item,) = told["evidence"]
    assert item["same_text"] == {"messages": 39, "senders": 1, "conversations": 1, "threads": 39}
    assert told["omitted"] == {"total": 38, "duplicate_text": 38}
    assert told["stop_reasons"] == ["duplicate_text"]
    assert told["truncated"] is True


def test_near_copies_are_one_item_and_a_late_different_message_is_shown(bench: Bench) -> None:
    bench.fill(
        messages([*(f"{COPIES}, ticket {n}" for n in range(50)), "who pays for the harbour in winter"])
    )

    told = bench.discover("harbour")

    assert len(told["evidence"]) == 2
    assert [item.get("similar") for item in told["evidence"] if "ticket" in item["text"]] == [49]
    assert told["omitted"] == {"total": 49, "near_duplicate": 49}


def test_links_and_mentions_do_not_make_copies_different(bench: Bench) -> None:
    texts = [f"@user{n} please read about the harbour at https://example.org/{n} today" for n in range(5)]
    bench.fill(messages(texts))

    assert [item["similar"] for item in bench.discover("harbour")["evidence"]] == [4]


def test_short_texts_are_compared_word_by_word(bench: Bench) -> None:
    bench.fill(messages(["harbour is nice", "nice is harbour", "harbour is bad"]))

    told = bench.discover("harbour")

    assert len(told["evidence"]) == 2


def test_few_messages_of_a_thread_are_shown(bench: Bench) -> None:
    bench.fill([message(n, f"harbour {word}", thread="k0") for n, word in enumerate(WORDS)])

    one = bench.discover("harbour")
    three = bench.discover("harbour", per_thread=3)

    assert (len(one["evidence"]), one["omitted"]) == (1, {"total": 5, "same_thread": 5})
    assert len(three["evidence"]) == 3


WORDS = (
    "pilots are late today",
    "fees went up",
    "cranes stand still",
    "fog",
    "who has a key",
    "big ships only",
)


def test_the_limit_is_told(bench: Bench) -> None:
    bench.fill(messages([f"harbour {word}" for word in WORDS]))

    told = bench.discover("harbour", limit=2)

    assert told["omitted"] == {"total": 4, "over_limit": 4}
    assert told["stop_reasons"] == ["item_limit"]


def test_exclude_disclosed_brings_new_ones_until_none_is_left(bench: Bench) -> None:
    bench.fill(messages([f"harbour {word}" for word in WORDS]))
    seen: list[str] = []

    told = bench.discover("harbour", limit=2)
    while "evidence" in told:
        seen += [item["ref"] for item in told["evidence"]]
        told = bench("discover_messages", query_ref=told["query_ref"], limit=2, exclude_disclosed=True)

    assert len(seen) == len(set(seen)) == len(WORDS)
    assert told["omitted"] == {"total": 6, "already_disclosed": 6}
    assert told["stop_reasons"] == ["already_disclosed"]


def test_the_same_call_gives_the_same_items(bench: Bench) -> None:
    bench.fill(messages([f"harbour {word}" for word in WORDS]))

    first, second = (bench.discover("harbour", context=1) for _ in range(2))

    assert {**first, "disclosure": 0} == {**second, "disclosure": 0}


def test_the_order_of_import_does_not_change_the_answer(open_bench: Opener) -> None:
    items = messages([f"harbour {word}" for word in WORDS * 3])
    forwards, backwards = open_bench(file="one.db"), open_bench(file="two.db")
    forwards.fill(items)
    backwards.fill(items[::-1])

    one, two = (bench.discover("harbour", limit=4) for bench in (forwards, backwards))

    assert one["corpus_version"] == two["corpus_version"]
    assert [item["ref"] for item in one["evidence"]] == [item["ref"] for item in two["evidence"]]
    assert one["omitted"] == two["omitted"]


def test_context_keeps_to_the_thread_and_outside_threads_to_the_timeline(bench: Bench) -> None:
    bench.fill(
        [
            message(0, "morning"),
            message(1, "reply elsewhere", thread="k0"),
            message(2, "the harbour is closed"),
            message(3, "another reply", thread="k0"),
            message(4, "evening"),
            message(5, "other room", conversation="quay"),
        ]
    )

    (item,) = bench.discover("harbour", context=2)["evidence"]

    assert [line["text"] for line in item["before"]] == ["morning"]
    assert [line["text"] for line in item["after"]] == ["evening"]


def test_a_later_hit_that_is_a_context_line_is_marked_there(bench: Bench) -> None:
    bench.fill(messages(["the harbour opens early", "the harbour fees rose again yesterday", "calm sea"]))

    told = bench.discover("harbour", context=1)

    assert len(told["evidence"]) == 1
    assert len(shown_of(told)) == 2
    assert "omitted" not in told
    texts = [item["text"] for item in told["evidence"]]
    texts += [
        line["text"]
        for item in told["evidence"]
        for side in ("before", "after")
        for line in item.get(side, ())
    ]
    assert len(texts) == len(set(texts))


def test_a_context_line_that_matches_is_cut_around_its_match(bench: Bench) -> None:
    bench.fill(messages(["the harbour", "lead " * 100 + "harbour" + " tail" * 100]))

    told = bench.discover("harbour", context=1)

    lines = [line for item in told["evidence"] for side in ("before", "after") for line in item.get(side, ())]
    assert [(line["hit"], line["clipped"], "harbour" in line["text"]) for line in lines] == [
        (True, True, True)
    ]
    assert "context_clipped" in told["stop_reasons"]


def test_senders_and_conversations_are_named_once_in_tables(bench: Bench) -> None:
    fields = {"sender": "u1", "sender_name": "Ann", "sender_type": "client", "organization": "Quay Ltd"}
    bench.fill([message(0, "the harbour", conversation="dock", conversation_type="mailbox", **fields)])

    told = bench.discover("harbour")

    (item,) = told["evidence"]
    assert told["senders"] == {item["sender"]: {"name": "Ann", "type": "client", "organization": "Quay Ltd"}}
    assert told["conversations"] == {item["conversation"]: {"name": "dock", "type": "mailbox"}}


def test_without_a_clause_sample_is_named(bench: Bench) -> None:
    bench.fill(messages(["a"]))

    told = bench.refused("discover_messages", query={"filters": {"sender_ids": ["ann"]}})

    assert told["code"] == "needs_clause"
    assert told["next_action"]["tool"] == "sample_messages"
    assert bench(told["next_action"]["tool"], **told["next_action"]["args"])["evidence"]


def test_next_actions_can_be_called_as_they_are(bench: Bench) -> None:
    bench.fill(messages([f"harbour {word}" for word in WORDS]))

    told = bench.discover("harbour", limit=2)

    assert [action["tool"] for action in told["next_actions"]] == [
        "discover_messages",
        "expand_message_context",
    ]
    for action in told["next_actions"]:
        assert bench(action["tool"], **action["args"])["query_ref"] == told["query_ref"]


def test_roles_are_told_where_an_alias_is_asked(bench: Bench) -> None:
    bench.fill(messages(["the port of the harbour", "just a port", "one harbour"]))
    query = {"clauses": [clause("harbour"), clause("port", role="alias")], "combine": "any"}

    items = bench("discover_messages", query=query)["evidence"]

    roles = {item["text"]: item.get("roles") for item in items}
    assert roles == {
        "the port of the harbour": ["canonical", "alias"],
        "just a port": ["alias"],
        "one harbour": None,
    }


def test_advice_goes_before_one_of_the_last_messages_does(bench: Bench) -> None:
    bench.fill(messages([f"harbour {unlike(number, 20)}" for number in range(9)]))

    tight, wide = (bench.discover("harbour", max_bytes=size) for size in (3_000, 5_500))

    assert len(tight["evidence"]) <= 3
    assert "next_actions" not in tight
    assert len(wide["evidence"]) > 3
    assert len(wide["next_actions"]) == 1


@settings(max_examples=25)
@given(
    st.lists(
        st.tuples(st.sampled_from(WORDS), st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=25
    ),
    st.fixed_dictionaries(
        {
            "limit": st.integers(1, 6),
            "context": st.integers(0, 2),
            "per_thread": st.integers(1, 3),
            "exclude_disclosed": st.booleans(),
            "max_bytes": st.sampled_from((2_000, 3_000, 16_384)),
        }
    ),
)
def test_shown_and_omitted_are_the_whole_population(
    bench: Bench, drafts: list[tuple[str, int, int]], arguments: dict[str, Any]
) -> None:
    name = f"c{next(NUMBERS)}"
    bench.fill(
        [
            message(
                n, f"harbour {word} {n % 2}", thread=f"k{thread}" if thread else "", conversation=f"c{room}"
            )
            for n, (word, thread, room) in enumerate(drafts)
        ],
        name,
    )
    query = {"clauses": [clause("harbour")], "filters": {"corpora": [name]}}

    for _ in range(2):
        reply = bench.reply("discover_messages", query=query, **arguments)
        told = dict(reply.answer.structured)
        if reply.is_error:
            assert told["code"] == "cap_too_small"
            return

        told.setdefault("counts", {"messages": len(drafts)})
        assert adds_up(told)
        assert told["truncated"] == bool(told.get("omitted") or told.get("stop_reasons"))
        assert bool(told.get("omitted")) <= bool(told.get("stop_reasons"))


def test_a_discovery_has_at_most_twelve_buckets(bench: Bench) -> None:
    bench.fill([message(n, f"harbour {n}", sent_at=START + n * DAY) for n in range(40)])

    buckets = bench.discover("harbour")["buckets"]

    assert len(buckets["counts"]) <= 12
    assert sum(buckets["counts"]) == 40
