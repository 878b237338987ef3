"""expand_message_context: only around what was shown, only of its thread or timeline."""

from typing import Any

import pytest
from corpora import Bench, Opener, clause, message, messages
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from frugal_modes.evidence.refs import MESSAGE, mark_of, ref_of


def ref(number: int, corpus: str = "main") -> str:
    """Return the ref of message *number*."""
    return ref_of(MESSAGE, *mark_of(MESSAGE, corpus, f"k{number}"))


def around(bench: Bench, word: str, **arguments: Any) -> dict[str, Any]:
    """Expand around the only message with *word*."""
    told = bench.discover(word)
    return bench(
        "expand_message_context",
        query_ref=told["query_ref"],
        message_ref=told["evidence"][0]["ref"],
        **arguments,
    )


def texts(told: dict[str, Any]) -> list[str]:
    """Return the texts in order."""
    return [item["text"] for item in told["messages"]]


def test_a_thread_is_shown_from_its_root(bench: Bench) -> None:
    bench.fill(
        [
            message(0, "who is there"),
            message(1, "a stranger"),
            *(message(n, f"reply {n}", thread="k0") for n in range(2, 12)),
            message(12, "the harbour", thread="k0", reply_to="k2"),
            message(13, "later", thread="k0"),
        ]
    )

    told = around(bench, "harbour", limit=5)

    assert told["scope"] == "thread"
    assert texts(told) == ["who is there", "reply 10", "reply 11", "the harbour", "later"]
    assert told["messages"][0]["root"] is True
    anchor = told["messages"][3]
    assert (anchor["anchor"], anchor["matches"], anchor["reply_to"]) == (True, True, ref(2))
    assert told["clipped_before"] is True
    assert "clipped_after" not in told
    assert told["stop_reasons"] == ["window"]


def test_outside_threads_the_timeline_of_the_conversation_is_shown(bench: Bench) -> None:
    bench.fill(
        [
            message(0, "first", conversation="dock"),
            message(1, "reply", conversation="dock", thread="k0"),
            message(2, "elsewhere", conversation="quay"),
            message(3, "the harbour", conversation="dock"),
            message(4, "last", conversation="dock"),
        ]
    )

    told = around(bench, "harbour")

    assert told["scope"] == "conversation"
    assert texts(told) == ["first", "the harbour", "last"]
    assert told["truncated"] is False
    (entry,) = told["conversations"].values()
    assert entry["name"] == "dock"


def test_a_missing_root_is_told_and_no_failure(bench: Bench) -> None:
    bench.fill([message(0, "the harbour", thread="gone"), message(1, "me too", thread="gone")])

    told = around(bench, "harbour")

    assert told["root_missing"] is True
    assert texts(told) == ["the harbour", "me too"]


def test_slots_unused_before_go_after(bench: Bench) -> None:
    bench.fill(messages(["the harbour", *(f"later {n}" for n in range(9))]))

    told = around(bench, "harbour", limit=6)

    assert texts(told) == ["the harbour", *(f"later {n}" for n in range(5))]
    assert told["clipped_after"] is True


def test_filters_do_not_apply_but_only_messages_within_them_match(bench: Bench) -> None:
    bench.fill([message(0, "the harbour", sender="ann"), message(1, "harbour too", sender="bob")])
    query = {"clauses": [clause("harbour")], "filters": {"sender_ids": ["ann"]}}
    found = bench("discover_messages", query=query)

    told = bench(
        "expand_message_context", query_ref=found["query_ref"], message_ref=found["evidence"][0]["ref"]
    )

    assert [item.get("matches") for item in told["messages"]] == [True, None]


def test_expanded_messages_may_be_expanded_in_turn(bench: Bench) -> None:
    bench.fill(messages(["the harbour", *(f"later {n}" for n in range(9))]))
    told = around(bench, "harbour", limit=4)

    again = bench(
        "expand_message_context",
        query_ref=told["query_ref"],
        message_ref=told["messages"][-1]["ref"],
        limit=3,
    )

    assert texts(again) == ["later 1", "later 2", "later 3"]


def test_a_message_of_another_account_is_refused_like_one_that_is_not_there(bench: Bench) -> None:
    bench.fill(messages(["the harbour", "the ship"]))
    told = bench.discover("harbour")
    bench.discover("ship")

    refusals = [
        bench.refused("expand_message_context", query_ref=told["query_ref"], message_ref=name)
        for name in (ref(1), "m-aaaaaaaaaaaaa", "nonsense")
    ]

    assert {refusal["code"] for refusal in refusals} == {"not_disclosed"}
    details = [refusal["detail"].replace(name, "") for refusal, name in zip(refusals, NAMES, strict=True)]
    assert len(set(details)) == 1


NAMES = (ref(1), "m-aaaaaaaaaaaaa", "nonsense")


def test_long_texts_are_cut_around_the_match_and_the_farthest_goes_first(bench: Bench) -> None:
    long = "lead " * 300 + "harbour" + " tail" * 300
    bench.fill(
        messages([*(f"before {n} " + "x" * 990 for n in range(8)), long, *(f"after {n}" for n in range(8))])
    )

    told = around(bench, "harbour", limit=17, max_bytes=6_000)

    anchor = next(item for item in told["messages"] if "anchor" in item)
    assert "harbour" in anchor["text"]
    assert len(anchor["text"]) <= 1_000
    assert anchor["clipped"] is True
    assert told["clipped_before"] is True
    assert "response_bytes" in told["stop_reasons"]


def test_an_unknown_query_ref_is_refused(bench: Bench) -> None:
    bench.fill(messages(["the harbour"]))

    told = bench.refused("expand_message_context", query_ref="q-aaaaaaaaaaaaaaaa", message_ref=ref(0))

    assert told["code"] == "unknown_query_ref"
    assert told["field"] == "query_ref"


WORDS = ("harbour", "ship", "crane", "fog")


class Calls(RuleBasedStateMachine):
    """Random calls; a message is expanded only if an answer of its account has shown it."""

    opener: Opener
    count = 0

    def __init__(self) -> None:
        super().__init__()
        Calls.count += 1
        self.bench = self.opener(file="calls.db")
        self.shown: dict[str, set[str]] = {}

    @staticmethod
    def fill(bench: Bench) -> None:
        texts_ = [
            f"{WORDS[n % 4]} {WORDS[n // 4 % 4]} number {n} {'long ' * (n * 7 % 90)}" for n in range(40)
        ]
        bench.fill([message(n, text, thread=f"k{n % 7}" if n % 3 else "") for n, text in enumerate(texts_)])

    @rule(
        word=st.sampled_from(WORDS),
        tool=st.sampled_from(("discover_messages", "sample_messages")),
        context=st.integers(0, 2),
        size=st.sampled_from((1_900, 4_000, 16_384)),
    )
    def look(self, word: str, tool: str, context: int, size: int) -> None:
        own = {"context": context} if tool == "discover_messages" else {"strategy": "uniform"}
        query = {"clauses": [clause(word)]}
        reply = self.bench.reply(tool, query=query, max_bytes=size, **own)
        if not reply.is_error:
            self.note(reply.answer.structured)

    @rule(word=st.sampled_from(WORDS), number=st.integers(0, 39), size=st.sampled_from((1_900, 12_288)))
    def expand(self, word: str, number: int, size: int) -> None:
        query_ref = next((name for name, asked in self.refs.items() if asked == word), "q-" + "a" * 16)
        is_shown = ref(number) in self.shown.get(query_ref, set())
        reply = self.bench.reply(
            "expand_message_context", query_ref=query_ref, message_ref=ref(number), max_bytes=size
        )
        told = reply.answer.structured
        if reply.is_error:
            assert (told["code"] in ("not_disclosed", "unknown_query_ref")) != is_shown
        else:
            assert is_shown
            self.note(told)

    @property
    def refs(self) -> dict[str, str]:
        ledger = self.bench.workspace.process.get("evidence.ledger")
        asked = ledger.newest(20) if ledger is not None else []
        return {item.query_ref: str(item.raw["clauses"][0]["text"]) for item, _ in asked}

    def note(self, told: dict[str, Any]) -> None:
        found = self.shown.setdefault(told["query_ref"], set())
        for item in (*told.get("evidence", ()), *told.get("messages", ())):
            found.add(item["ref"])
            found |= {line["ref"] for side in ("before", "after") for line in item.get(side, ())}

    @invariant()
    def the_ledger_knows_exactly_what_was_shown(self) -> None:
        ledger = self.bench.workspace.process.get("evidence.ledger")
        for asked, account in ledger.newest(20) if ledger is not None else []:
            assert account.disclosed == self.shown.get(asked.query_ref, set())


def test_no_message_expands_that_was_not_transmitted(open_bench: Opener) -> None:
    Calls.fill(open_bench(file="calls.db"))
    machine = type("Case", (Calls,), {"opener": staticmethod(open_bench)})

    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(
        machine, settings=settings(max_examples=8, stateful_step_count=15, deadline=None)
    )


@pytest.mark.parametrize("limit", [1, 2, 20])
def test_the_anchor_is_always_there(bench: Bench, limit: int) -> None:
    bench.fill(
        [message(n, "the harbour" if n == 9 else f"reply {n}", thread="k0" if n else "") for n in range(20)]
    )

    told = around(bench, "harbour", limit=limit)

    assert sum(1 for item in told["messages"] if "anchor" in item) == 1
    assert len(told["messages"]) == limit
