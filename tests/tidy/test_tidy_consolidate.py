"""consolidate: near-duplicates in groups; identical copies always; nothing is changed."""

import hashlib
import re
from itertools import combinations
from math import log

import pytest
import strategies as hostile
from hypothesis import given, settings
from hypothesis import strategies as st

from frugal import budget
from frugal.text.analysis import STOP, WHOLE, analyse

TEXT = "The importer retries five times before it gives up on a broken feed"


def group_ids(answer: str) -> list[list[int]]:
    """Return the ids of the hit lines, group by group."""
    blocks = answer.split("\n\n")[1:]
    return [
        ids for block in blocks if (ids := [int(number) for number in re.findall(r"(?m)^#(\d+) ", block)])
    ]


def copy(desk, count: int, text: str = TEXT) -> None:
    """Put identical copies into the file, as an older one may hold them: remember never stores a text twice."""
    for number in range(count):
        entry = desk.store(f"{text} {number}")
        desk.spoil(
            f"UPDATE entry SET text = '{text}', title = '{text}' WHERE id = {entry}",
        )
    desk.upkeep()


def test_pain_7_two_equal_texts_of_an_older_file_are_one_pair_and_nothing_is_deleted(desk):
    copy(desk, 2)

    answer = desk("consolidate")

    assert group_ids(answer) == [[1, 2]]
    assert "100 %" in answer
    assert TEXT in desk("show", ids="1")
    assert TEXT in desk("show", ids="2")


def test_five_identical_copies_among_thirty_five_are_one_group(desk):
    copy(desk, 5)
    for number in range(30):
        desk.store(f"Entry {number} speaks of topic{number} alone, of nothing{number} else, word{number}")

    answer = desk("consolidate", threshold=0.9)

    assert group_ids(answer) == [[1, 2, 3, 4, 5]]
    assert "100 %" in answer


def test_copies_of_common_words_are_found_as_well(desk):
    for number in range(30):
        desk.store(f"importer retries five times before broken feed gives {number}")
    copy(desk, 2, "importer retries five times")

    assert [31, 32] in [[number for number in ids if number > 30] for ids in group_ids(desk("consolidate"))]


def test_near_duplicates_are_grouped_by_connection(desk):
    desk.store("alpha beta gamma delta epsilon zeta")
    desk.store("alpha beta gamma delta epsilon eta")
    desk.store("beta gamma delta epsilon eta theta")
    desk.store("something else entirely")

    assert group_ids(desk("consolidate", threshold=0.5)) == [[1, 2, 3]]


def test_header_counts_entries_pairs_and_groups(desk):
    desk.store("alpha beta gamma delta")
    desk.store("alpha beta gamma epsilon")
    desk.store("zeta eta theta iota")

    answer = desk("consolidate", threshold=0.3)

    assert answer.splitlines()[0] == desk.say("groups", entries=3, pairs=1, groups=1, threshold="0.3")


def test_last_line_is_the_call_that_merges(desk):
    desk.store("alpha beta gamma delta")
    desk.store("alpha beta gamma epsilon")

    answer = desk("consolidate", threshold="0,3")

    assert answer.splitlines()[-1].endswith(f'remember("...", {desk.name("supersedes")}="1,2")')


def test_nothing_found_gives_counts_and_threshold(desk):
    desk.store("alpha beta gamma")
    desk.store("delta epsilon zeta")

    reply = desk.reply("consolidate")

    assert reply.text == desk.say("groups", entries=2, pairs=0, groups=0, threshold="0.5")
    assert reply.answer is not None
    assert reply.answer.is_empty


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_entries_are_nothing_to_compare(desk, count):
    for _ in range(count):
        desk.store("alpha")

    assert desk("consolidate").startswith(f"{count} ")


@pytest.mark.parametrize(
    "arguments", [{"threshold": 7}, {"threshold": -1}, {"groups": -1}, {"groups": 0}, {"threshold": "half"}]
)
def test_values_out_of_range_are_refused_with_the_range(desk, arguments):
    refusal = desk.refused("consolidate", **arguments)

    assert ("0" in refusal and "1" in refusal) or "50" in refusal
    assert desk.name(next(iter(arguments))) in refusal


def test_too_many_groups_are_lowered_and_it_is_said(desk):
    desk.store("alpha beta gamma delta")
    desk.store("alpha beta gamma epsilon")

    head = desk("consolidate", groups=99, threshold=0.3).splitlines()[0]

    assert f"{desk.name('groups')} 50" in head or f"{desk.name('groups')} ist höchstens 50" in head


def test_filters_are_obeyed_and_hidden_kinds_count(desk):
    desk.store("alpha beta gamma delta one", tags="shop", kind="history")
    desk.store("alpha beta gamma delta two", tags="shop-web")
    desk.store("alpha beta gamma delta three", tags="other", kind="history")
    desk.store("alpha beta gamma delta four", tags="shop")
    desk("forget", ids="4")

    assert group_ids(desk("consolidate", threshold=0.2)) == [[1, 2, 3]]
    assert group_ids(desk("consolidate", threshold=0.2, tag="shop")) == [[1, 2]]
    assert group_ids(desk("consolidate", threshold=0.2, kind="history")) == [[1, 3]]


def test_a_large_group_lists_twelve_and_names_the_others(desk):
    copy(desk, 15)

    answer = desk("consolidate")

    assert group_ids(answer) == [list(range(1, 13))]
    assert "#13-#15" in answer


def test_groups_left_out_are_counted(desk):
    for number in range(4):
        copy(desk, 2, f"topic{number} word{number} thing{number} matter{number}")

    answer = desk("consolidate", groups=1)

    assert len(group_ids(answer)) == 1
    assert "3 " in answer.splitlines()[-2]


def test_largest_group_comes_first(desk):
    copy(desk, 2, "alpha beta gamma")
    copy(desk, 3, "delta epsilon zeta")

    assert group_ids(desk("consolidate")) == [[3, 4, 5], [1, 2]]


def test_it_writes_nothing(desk):
    copy(desk, 3)
    path = desk.workspace.settings.path
    desk.workspace.close()
    before = hashlib.sha256(path.read_bytes()).digest()

    desk("consolidate")
    desk.workspace.close()

    assert hashlib.sha256(path.read_bytes()).digest() == before


# Exactness


WORDS = st.lists(
    st.sampled_from([f"w{letter}{letter}x" for letter in "abcdefghijkl"]), min_size=1, max_size=6
)


@settings(max_examples=30)
@given(texts=st.lists(WORDS.map(" ".join), min_size=2, max_size=12, unique_by=lambda text: frozenset(text.split())),
       threshold=st.sampled_from([0.2, 0.4, 0.5, 0.8]))  # fmt: skip
def test_every_pair_that_shares_a_rare_word_is_compared_exactly(
    open_desk, tmp_path_factory, texts, threshold
):
    desk = open_desk("en", file=f"{tmp_path_factory.mktemp('exact')}/memory.db")
    stored = {desk.store(text): text for text in texts}

    answer = desk("consolidate", threshold=threshold, groups=50)

    assert sorted(group_ids(answer)) == sorted(expected_groups(stored, threshold))


def expected_groups(texts: dict[int, str], threshold: float) -> list[list[int]]:
    """Return the groups by comparing all pairs: weighted Jaccard, connected."""
    sets = {
        entry: {token.term for token in analyse(text) if not token.flags & (STOP | WHOLE)}
        for entry, text in texts.items()
    }
    df = {term: sum(term in other for other in sets.values()) for terms in sets.values() for term in terms}
    weight = {term: log(1 + len(sets) / (1 + count)) for term, count in df.items()}
    group = {entry: {entry} for entry in sets}
    for left, right in combinations(sets, 2):
        both, shared = sets[left] | sets[right], sets[left] & sets[right]
        if shared:
            score = sum(weight[term] for term in shared) / sum(weight[term] for term in both)
            if score >= threshold - 1e-9 and group[left] is not group[right]:
                joined = group[left] | group[right]
                for entry in joined:
                    group[entry] = joined
    return [sorted(found) for found in {id(one): one for one in group.values()}.values() if len(found) > 1]


@settings(max_examples=8)
@given(texts=st.lists(hostile.texts(longest=400), min_size=1, max_size=8), tags=hostile.tags(most=5))
def test_an_answer_never_exceeds_its_cap(open_desk, tmp_path_factory, texts, tags):
    desk = open_desk("de", file=f"{tmp_path_factory.mktemp('cap')}/memory.db")
    for number, text in enumerate(texts):
        for other in range(8):
            desk.reply("remember", text=f"{text} {number} {other}", tags=tags)

    reply = desk.reply("consolidate", threshold=0, groups=50)

    cost = budget.cost(reply.text)
    assert cost.characters <= 8_000
    assert cost.size_bytes + budget.FRAME_BYTES <= 16 * 1024
    assert reply.answer is not None
