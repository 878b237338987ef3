"""The parts under the importers: documents in chunks, lines of any length, ordinals in a few bytes, marks of Slack."""

import io
import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frugal_modes.evidence.importers.jsonstream import CutShort, Fault, NotJson, Walker
from frugal_modes.evidence.importers.lines import lines_of
from frugal_modes.evidence.importers.ordinals import Ordinals
from frugal_modes.evidence.importers.slacktokens import resolve
from frugal_modes.evidence.importers.times import Real

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**18), 10**18) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


def pieces(data: bytes, sizes: list[int]) -> list[bytes]:
    """Return *data* in pieces of these sizes, the sizes coming round."""
    found, at, turn = [], 0, 0
    while at < len(data):
        size = sizes[turn % len(sizes)]
        found.append(data[at : at + size])
        at, turn = at + size, turn + 1
    return found


def walked(chunks: list[bytes]) -> list[Any]:
    walker = Walker(chunks)
    found: list[Any] = []
    for key in walker.fields():
        if key == "messages":
            for _ in walker.items():
                found.append(walker.value())  # noqa: PERF401 - the generator is what is tested
        else:
            walker.skip()
    return found


@given(
    items=st.lists(plain, max_size=6),
    sizes=st.lists(st.integers(1, 9), min_size=1, max_size=5),
    indent=st.booleans(),
)
def test_a_document_is_the_same_in_whatever_chunks_it_comes(
    items: list[Any], sizes: list[int], indent: bool
) -> None:
    document = {"a": [1, {"b": '"]}'}], "messages": items, "z": {"messages": [0]}, "n": -12}
    data = json.dumps(document, ensure_ascii=False, indent=1 if indent else None).encode(
        "utf-8", "surrogatepass"
    )

    assert walked(pieces(data, sizes)) == items


def test_numbers_at_the_edge_of_a_chunk_are_whole_and_fractions_stay_text() -> None:
    assert walked([b'{"messages": [12', b"34, 1.", b"50, 1e9", b"9, -Infin", b"ity]}"]) == [
        1234,
        Real("1.50"),
        Real("1e99"),
        Real("-Infinity"),
    ]


def test_a_broken_value_is_skipped_and_the_next_one_read() -> None:
    found = walked([b'{"messages": [{"a": tru}, {"b": "\\x"}, "ok", {"c": [1, "]"]}, 5]}'])

    told = [item.reason if isinstance(item, Fault) else item for item in found]
    assert told == ["bad_json", "bad_json", "ok", {"c": [1, "]"]}, 5]


def test_a_value_that_is_too_large_is_passed_over() -> None:
    walker = Walker(pieces(b'[{"a": "' + b"x" * 50_000 + b'"}, 2]', [100]), most=1_000)

    found = [walker.value() for _ in walker.items()]

    assert [item.reason if isinstance(item, Fault) else item for item in found] == ["line_too_long", 2]


def test_a_document_that_ends_early_or_is_none_says_so() -> None:
    with pytest.raises(CutShort):
        walked([b'{"messages": [1, {"a": 2'])
    with pytest.raises(CutShort):
        walked([b'{"messages": [1'])
    with pytest.raises(NotJson):
        walked([b'{"messages" 1}'])
    with pytest.raises(NotJson):
        walked([b"[1]"])


@given(st.lists(st.binary(max_size=12).filter(lambda line: b"\n" not in line), max_size=8), st.booleans())
def test_lines_are_numbered_and_lose_their_ends_only(lines: list[bytes], has_end: bool) -> None:
    data = b"\n".join(lines) + (b"\n" if has_end and lines else b"")

    found = list(lines_of(io.BytesIO(b"#" + data)))

    whole = b"\n".join(line.data + line.ending.rstrip(b"\n") for line in found)
    assert whole == (b"#" + data).removesuffix(b"\n")
    assert [line.number for line in found] == list(range(1, len(found) + 1))


def test_a_line_over_the_limit_keeps_nothing_but_its_number() -> None:
    found = list(lines_of(io.BytesIO(b"a\n" + b"b" * 100 + b"\nc"), most=10))

    assert [(line.number, line.data, line.is_too_long) for line in found] == [
        (1, b"a", False),
        (2, b"", True),
        (3, b"c", False),
    ]


@given(st.lists(st.sampled_from("abcdefgh"), max_size=60))
def test_ordinals_count_equal_keys(keys: list[str]) -> None:
    ordinals, seen = Ordinals(), Counter[str]()

    for key in keys:
        assert ordinals.next(key, "x") == seen[key]
        seen[key] += 1


def test_ordinals_grow_with_what_they_hold() -> None:
    ordinals = Ordinals()

    assert sum(ordinals.next(str(number)) for number in range(20_000)) == 0
    assert sum(ordinals.next(str(number)) for number in range(20_000)) == 20_000


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("<@U1> &lt;@U1&gt;", "@one <@U1>"),
        ("<@U1|label> <@U9>", "@label @U9"),
        ("<#C1> <#C1|general> <#C1|>", "#place #general #place"),
        ("&amp;lt; a &amp; b", "&lt; a & b"),
        ("<https://a.example/?x=1&amp;y=2>", "https://a.example/?x=1&y=2"),
        ("<https://a.example|https://a.example>", "https://a.example"),
        ("<mailto:x@y.example|x@y.example>", "x@y.example"),
        ("<!channel> <!subteam^S1> <!subteam^S1|@crew>", "@channel @S1 @crew"),
        ("<!date^1^{date}|1 Jan> <!date^1^{date}^https://l.example|1 Jan>", "1 Jan 1 Jan"),
        ("1 < 2 > 0 <>", "1 < 2 > 0 <>"),
    ],
)
def test_marks_are_shown_as_their_readers_saw_them(raw: str, shown: str) -> None:
    names = {"U1": "one", "C1": "place"}

    assert resolve(raw, lambda key: names.get(key, key), lambda key: names.get(key, key)) == shown
