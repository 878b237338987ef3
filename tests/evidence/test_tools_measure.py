"""measure_messages: exact counts, buckets that lose nothing, forms, roles, and the overview."""

from datetime import UTC, datetime
from typing import Any

import pytest
from corpora import DAY, HOUR, START, Bench, Opener, clause, message, messages
from hypothesis import given
from hypothesis import strategies as st

from frugal_modes.evidence.buckets import MEASURE_BUCKETS, bucketed
from frugal_modes.evidence.moments import zone_of


def test_counts_are_those_of_the_matching_messages(bench: Bench) -> None:
    bench.fill(
        [
            message(0, "a boat and a boat", sender="ann", conversation="dock"),
            message(1, "no vessel", sender="bob", conversation="dock"),
            message(2, "one boat", sender="bob", conversation="dock", thread="k0"),
            message(3, "a boat", sender="ann", conversation="quay"),
        ]
    )

    counts = bench.measure(clause("boat"))["counts"]

    assert counts == {"messages": 3, "occurrences": 4, "threads": 2, "conversations": 2, "senders": 2}


def test_a_count_of_zero_is_a_complete_answer_that_leads_on(bench: Bench) -> None:
    bench.fill(messages(["a boat"]))

    told = bench.measure(clause("submarine"))

    assert told["outcome"] == "complete"
    assert told["truncated"] is False
    assert told["counts"]["messages"] == 0
    assert "buckets" not in told
    assert told["next_actions"][0]["args"] == {}


def test_no_text_and_no_ref_of_a_message_leaves_with_a_measurement(bench: Bench) -> None:
    bench.fill(messages(["a secret boat"]))

    reply = bench.reply("measure_messages", query={"clauses": [clause("boat")]})

    assert "secret" not in reply.text
    assert "m-" not in reply.text


def test_a_corpus_of_400_days_keeps_its_newest_days(bench: Bench) -> None:
    bench.fill([message(day, "a boat", sent_at=START + day * DAY) for day in range(400)])

    told = bench.measure(clause("boat"))

    assert sum(told["buckets"]["counts"]) == told["counts"]["messages"] == 400
    assert told["buckets"]["unit"] == "month"
    assert told["buckets"]["counts"][-1] == 4


@given(
    st.lists(st.integers(-(10**12), 4 * 10**12), min_size=1, max_size=60),
    st.sampled_from(("UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Apia")),
    st.sampled_from((12, MEASURE_BUCKETS)),
)
def test_buckets_of_every_coarseness_hold_every_message(times: list[int], name: str, most: int) -> None:
    zone = zone_of(name)
    assert zone is not None
    found = bucketed(sorted(times), zone, most)

    while found is not None:
        assert sum(found.counts) == len(times)
        assert len(found.counts) <= most
        assert found.counts[0] > 0 < found.counts[-1]
        found = bucketed(sorted(times), zone, most, coarser_than=found.unit)


def test_days_are_those_of_the_time_zone(bench: Bench) -> None:
    late = int(datetime(2026, 3, 1, 23, 30, tzinfo=UTC).timestamp() * 1000)
    bench.fill([message(0, "a boat", sent_at=late), message(1, "a boat", sent_at=late + 40 * HOUR)])

    berlin = bench.measure(clause("boat"), timezone="Europe/Berlin")["buckets"]

    assert (berlin["unit"], berlin["start"]) == ("day", "2026-03-02T00:00+01:00")
    assert berlin["counts"] == [1, 1]


def test_a_small_answer_has_coarser_buckets_with_the_same_sum(bench: Bench) -> None:
    bench.fill([message(day, "boat boats port", sent_at=START + day * DAY) for day in range(31)])
    query = {"clauses": [clause("boat", "stem"), clause("port", role="alias")], "combine": "any"}

    told = bench("measure_messages", query=query, max_bytes=1_600)

    assert told["truncated"] is True
    assert told["stop_reasons"] == ["response_bytes"]
    assert told["buckets"]["unit"] in ("week", "month")
    assert sum(told["buckets"]["counts"]) == told["counts"]["messages"]


def test_a_stem_tells_the_forms_it_caught(bench: Bench) -> None:
    bench.fill(messages(["shipping", "Shipped", "we shipped it", "a ship", "ships"]))

    told = bench.measure(clause("ship", "stem"))

    assert told["forms"] == [{"clause": 0, "forms": ["shipped", "ship", "shipping", "ships"]}]
    assert told["untrusted"] is True


def test_roles_are_counted_apart(bench: Bench) -> None:
    bench.fill(messages(["the harbour", "the port", "the port of the harbour"]))

    told = bench.measure(clause("harbour"), clause("port", role="alias"), combine="any")

    assert told["roles"]["canonical"]["messages"] == 2
    assert told["roles"]["alias"]["messages"] == 2
    assert told["counts"]["messages"] == 3


def test_filters_alone_are_measured(bench: Bench) -> None:
    bench.fill([message(n, "x", sender=name, sender_type=kind) for n, (name, kind) in enumerate(SENDERS)])

    told = bench("measure_messages", query={"filters": {"sender_types": ["client"]}})

    assert told["counts"]["messages"] == 2
    assert told["next_actions"][0]["tool"] == "sample_messages"


SENDERS = (("ann", "client"), ("bob", "internal"), ("cay", "client"))


def test_a_normal_query_names_no_id_of_the_corpus(bench: Bench) -> None:
    bench.fill(
        [message(n, "a boat", sender=name, sender_type=kind) for n, (name, kind) in enumerate(SENDERS)]
    )

    told = bench.measure(clause("Boat"), filters={"sender_types": ["client"]})

    assert told["normalized_query"] == {"all": [[["literal", "boat"]]], "filters": {"senders": 2}}


def test_an_unknown_value_is_counted_not_refused(bench: Bench) -> None:
    bench.fill(messages(["a boat"]))

    told = bench.measure(clause("boat"), filters={"sender_ids": ["ann", "nobody", "none"]})

    assert told["counts"]["messages"] == 1
    assert told["warnings"] == [{"code": "unknown_values", "field": "sender_ids", "count": 2}]


@pytest.mark.parametrize("corpora", [(), ("quay",)], ids=["all", "one"])
def test_the_overview_covers_the_corpora_in_view(open_bench: Opener, corpora: tuple[str, ...]) -> None:
    bench = open_bench(corpora=corpora)
    bench.fill(messages(["a", "b"], sender_type="client"), "dock")
    bench.fill([message(9, "c", sender_type="bot")], "quay")

    told = bench("measure_messages")

    names = [corpus["name"] for corpus in told["corpora"]]
    assert names == (["quay"] if corpora else ["dock", "quay"])
    assert told["messages"] == (1 if corpora else 3)
    assert told["sender_types"] == ({"bot": 1} if corpora else {"bot": 1, "client": 1})


def test_the_overview_tells_spent_and_left_of_open_accounts(bench: Bench) -> None:
    bench.fill(messages(["a boat", "a ship"]))
    spent = [bench.measure(clause(word))["disclosure"]["response_bytes"] for word in ("boat", "ship")]

    accounts = bench("measure_messages")["accounts"]

    assert [account["spent"] for account in accounts] == spent[::-1]
    assert all(account["spent"] + account["left"] == 48 * 1024 for account in accounts)


def test_the_overview_names_the_newest_twenty_accounts(bench: Bench) -> None:
    bench.fill(messages([f"word{n}x" for n in range(25)]))
    refs = [bench.measure(clause(f"word{n}x"))["query_ref"] for n in range(25)]

    told: dict[str, Any] = bench("measure_messages")

    assert told["open"] == 25
    assert told["truncated"] is True
    assert [account["query_ref"] for account in told["accounts"]] == refs[:4:-1][: len(told["accounts"])]
