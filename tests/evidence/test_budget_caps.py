"""Every answer and every error within its cap, its own figure exactly its size, whatever the corpus holds."""

import json
import re
from itertools import count
from typing import Any

import jsonschema
import pytest
from corpora import Bench, Opener, clause, message
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import texts

from frugal_modes.evidence import schemas
from frugal_modes.evidence.budgets import CAPS, ERROR_BYTES, Purse, counted, settle
from frugal_modes.evidence.form import fold
from frugal_modes.evidence.schemas import ERROR, STRICT
from frugal_modes.evidence.tools import DISCOVER, EXPAND, EXPORT, MEASURE, SAMPLE

NUMBERS = count()
STRANGE = (
    "harbour",
    "a\x00\x1b[2J\u202e",
    '"\\"\\',
    "连接池" * 40,
    "👩‍🚀" * 30,
    "e\u0301" * 99,
    "x" * 300,
    "<|end|>\n",
)
PUBLISHED = {
    tool.name: tool.output_schema.rpartition(":")[2] for tool in (MEASURE, DISCOVER, SAMPLE, EXPAND, EXPORT)
}


def check(reply: Any, cap: int, *, is_brief: bool) -> dict[str, Any]:
    """Check size, figure, text and schema of a result; return its structured part."""
    told = dict(reply.answer.structured)
    size = counted(told, reply.text, is_error=reply.is_error)
    assert size == (told["response_bytes"] if reply.is_error else told["disclosure"]["response_bytes"])
    assert size <= cap - 192
    jsonschema.validate(told, ERROR if reply.is_error else STRICT[told["kind"]])
    if is_brief:
        assert len(reply.text.strip().encode()) <= 200
        assert "\n" not in reply.text
    else:
        assert json.loads(reply.text) == told
    return told


def call(bench: Bench, tool: str, *, is_brief: bool, **arguments: Any) -> dict[str, Any]:
    """Call a tool and check the result."""
    reply = bench.reply(tool, **arguments)
    cap = ERROR_BYTES if reply.is_error else arguments.get("max_bytes") or CAPS[tool]
    told = check(reply, cap, is_brief=is_brief)
    if not reply.is_error:
        jsonschema.validate(told, getattr(schemas, PUBLISHED[tool]))
    return told


@st.composite
def corpora(draw: st.DrawFn) -> list[Any]:
    """Return a corpus of hostile messages."""
    names = st.one_of(st.sampled_from(STRANGE), texts(longest=200))
    drafts = draw(
        st.lists(st.tuples(texts(longest=3_000), names, names, st.integers(0, 4)), min_size=1, max_size=12)
    )
    return [
        message(
            number,
            f"harbour {text}".replace("\x00", "\x01"),
            sender=f"s{number % 5}",
            sender_name=sender.replace("\x00", "\x01"),
            organization=sender[:40].replace("\x00", "\x01"),
            conversation=f"c{number % 3}",
            conversation_name=room.replace("\x00", "\x01"),
            thread=f"k{thread}" if thread else "",
        )
        for number, (text, sender, room, thread) in enumerate(drafts)
    ]


@pytest.fixture(params=["json", "brief"])
def spoken(request: pytest.FixtureRequest, open_bench: Opener) -> tuple[Bench, bool]:
    """A bench in each text mode, and whether that is the brief one."""
    return open_bench(EVIDENCE_TEXT=request.param), request.param == "brief"


@settings(max_examples=12)
@given(
    corpora(), st.lists(st.sampled_from(STRANGE), max_size=4), st.sampled_from((None, 1_536, 2_000, 4_096))
)
def test_every_answer_keeps_its_cap_and_tells_its_size(
    spoken: tuple[Bench, bool], items: list[Any], words: list[str], size: int | None
) -> None:
    bench, is_brief = spoken
    name = f"c{next(NUMBERS)}"
    bench.fill(items, name)
    clauses = [clause("harbour", "stem"), *(clause(word[:200], "phrase", role="alias") for word in words)]
    query = {"clauses": clauses, "combine": "any", "filters": {"corpora": [name]}}

    call(bench, "measure_messages", is_brief=is_brief, max_bytes=size)
    call(bench, "measure_messages", is_brief=is_brief, query=query, max_bytes=size)
    told = call(
        bench, "discover_messages", is_brief=is_brief, query=query, limit=20, context=2, max_bytes=size
    )
    call(bench, "sample_messages", is_brief=is_brief, query=query, strategy="across_time", max_bytes=size)
    call(bench, "export_messages", is_brief=is_brief, query=query, max_bytes=size)
    for item in told.get("evidence", ()):
        quotes = [item["text"][start:end] for start, end, number in item.get("hits", ()) if number == 0]
        assert all(fold(quote).startswith("harbour") for quote in quotes)
    for item in told.get("evidence", ())[:2]:
        arguments = {"query_ref": told["query_ref"], "message_ref": item["ref"], "max_bytes": size}
        call(bench, "expand_message_context", is_brief=is_brief, **arguments)


BAD_CALLS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("measure_messages", {"query": {"clauses": [{"match": "x", "text": "y" * 10**6}]}}, "bad_query"),
    ("measure_messages", {"query": "z" * 10**6}, "bad_query"),
    ("measure_messages", {"q" * 10**6: 1}, "unknown_argument"),
    ("measure_messages", {"query": {}, "query_ref": "q-1"}, "bad_argument"),
    ("measure_messages", {"query": {"clauses": [], "nope": 1}}, "unknown_argument"),
    ("measure_messages", {"query": {"filters": {"from": "2026-02-30"}}}, "bad_time"),
    ("measure_messages", {"query": {"filters": {"from": "2026-02-02", "to": "2026-02-01"}}}, "bad_time"),
    ("measure_messages", {"query_ref": "q-" + "\x1b" * 20}, "unknown_query_ref"),
    ("measure_messages", {"max_bytes": 12}, "bad_argument"),
    ("discover_messages", {"limit": 10**30, "query": {"clauses": [clause("a")]}}, "bad_argument"),
    ("discover_messages", {"query": {}}, "needs_clause"),
    ("discover_messages", {"query": {"filters": {"sender_ids": ['"\\' * 99] * 100}}}, "needs_clause"),
    ("expand_message_context", {"query_ref": "q-1", "message_ref": "连" * 10**6}, "bad_argument"),
    ("sample_messages", {"query": {}}, "bad_argument"),
    ("x" * 10**6, {}, "bad_argument"),
    ("expand_message_context", {}, "bad_argument"),
)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("mode", ["json", "brief"])
def test_every_error_is_bounded_and_has_a_code(open_bench: Opener, mode: str, language: str) -> None:
    bench = open_bench(EVIDENCE_TEXT=mode, EVIDENCE_TOTAL_BYTES="500000", language=language)
    bench.fill([message(0, "harbour")])

    for tool, arguments, code in BAD_CALLS:
        reply = bench.reply(tool, **arguments)

        told = check(reply, ERROR_BYTES, is_brief=mode == "brief")
        assert told["code"] == code, (tool[:20], told["detail"])
        assert told["total_left"] >= 0


def test_all_problems_of_a_call_are_reported_together(bench: Bench) -> None:
    bench.fill([message(0, "harbour")])
    query = {
        "clauses": [{"match": "wild", "text": "a"}, {"match": "prefix", "text": "b"}],
        "timezone": "Mars",
    }

    told = bench.refused("discover_messages", query=query, limit=99, context="many")

    assert all(part in told["detail"] for part in ("limit", "context", "wild", "clauses[1]", "Mars"))


@pytest.mark.parametrize("query", [[], [1], True, 5, 1.5, "x", "[]"])
def test_a_query_that_is_no_object_is_called_so(bench: Bench, query: object) -> None:
    bench.fill([message(0, "harbour")])

    told = bench.refused("measure_messages", query=query)

    assert (told["code"], told["field"]) == ("bad_query", "query")
    assert "object" in told["detail"]
    assert "must be text" not in told["detail"]


def test_what_only_the_shell_offers_is_an_unknown_argument(bench: Bench) -> None:
    bench.fill([message(0, "harbour")])

    told = bench.refused("measure_messages", literal=["harbour"], session="x")

    assert told["code"] == "unknown_argument"
    assert "query_ref" in told["detail"]
    assert "it is called" not in told["detail"]


def test_an_expansion_without_arguments_is_told_what_it_needs(bench: Bench) -> None:
    bench.fill([message(0, "harbour")])

    told = bench.refused("expand_message_context", limit=99)

    assert all(name in told["detail"] for name in ("query_ref", "message_ref", "limit"))
    assert "exactly one" not in told["detail"]


def test_numbers_and_objects_may_come_as_text(bench: Bench) -> None:
    bench.fill([message(n, f"harbour {n}") for n in range(5)])
    query = json.dumps({"clauses": [{"match": "literal", "text": "harbour", "group": "3"}]})

    told = bench("sample_messages", query=query, limit="3", seed="7", strategy="uniform")

    assert (len(told["evidence"]), told["seed"]) == (3, 7)


def test_a_cap_too_small_says_what_is_needed_and_that_is_enough(bench: Bench) -> None:
    bench.fill([message(0, "harbour " + "连接池" * 100, thread="k9")])
    query = {"clauses": [clause("harbour")]}
    refused = bench.refused("discover_messages", query=query, max_bytes=1_536)
    assert refused["code"] == "cap_too_small"
    needed = int(re.findall(r"\d+", refused["detail"])[0])

    told = bench("discover_messages", query=query, max_bytes=needed)

    assert len(told["evidence"]) == 1


@given(st.integers(400, 2_000), st.sampled_from((10_000, 1_000, 100_000, 49_152)), st.integers(-8, 8))
def test_the_figure_of_an_answer_is_exact_at_every_border_of_digits(size: int, around: int, off: int) -> None:
    purse = Purse(around + size + off, around + size + off + 300)

    settled = settle(lambda found: {"filling": "x" * (size // 2 - 100), "disclosure": purse.after(found)})

    assert counted(settled.structured, settled.text) == settled.size_bytes
    assert settled.structured["disclosure"] == purse.after(settled.size_bytes)


@pytest.mark.parametrize("word", ["harbour", "港湾码头"])
def test_a_message_of_sixteen_clauses_costs_what_the_page_about_it_says(
    spoken: tuple[Bench, bool], word: str
) -> None:
    bench, is_brief = spoken
    words = [f"{word}{chr(ord('a') + number)}" for number in range(16)]
    bench.fill([message(number, " ".join(words) + f" rest {number} " + "x" * 400) for number in range(2)])
    query = {"clauses": [clause(one) for one in words]}

    for tool, more in (("discover_messages", {}), ("sample_messages", {"strategy": "uniform"})):
        least = bench.reply(tool, query=query, max_bytes=1_536, **more)
        enough = bench.reply(tool, query=query, max_bytes=2_560, **more)

        assert least.is_error is not is_brief
        assert not enough.is_error, enough.text
    assert not bench.reply("measure_messages", query=query, max_bytes=1_536).is_error
