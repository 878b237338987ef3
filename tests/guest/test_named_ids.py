"""Every id a guest is shown carries the memory's name; a number in a text only where it is an id of the file."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frugal.entries.naming import Shown, named

both = pytest.mark.parametrize("language", ["en", "de"])


@both
def test_every_id_of_every_answer_is_named_above_100000_too(open_owner, open_guest, language):
    owner = open_owner(language)
    owner.number_from(150_000)
    first, *_ = owner.store(
        *[f"Port {number} of the build host is open." for number in range(12)], tags="shop"
    )
    owner("forget", ids=str(first + 1))
    owner("remember", text="Port 49222 now.", supersedes=str(first + 2), tags="shop")
    guest = open_guest(language, name="7box")

    answers = [
        guest("recall", query="port build host"),
        guest("recall", query="port", limit=2, include_superseded=True),
        guest("recall", query=f"{first}-{first + 3}"),
        guest("recall", query="port", full=True),
        guest("show", ids=f"{first}-{first + 20}, 7box#{first}"),
        guest("show", ids="4711"),
        guest("topics", tag="shop"),
        guest("topics", tag="shop", all=True),
    ]

    for answer in answers:
        printed = re.findall(r"[\w.]*#[0-9]+", answer)
        assert printed, answer
        assert all(item.startswith("7box#") for item in printed), answer
    assert "7box#150000" in answers[4]


def test_ids_inside_suggested_calls_are_named_and_work(open_owner, open_guest):
    owner = open_owner()
    owner.store("A note. " * 300, "B note. " * 300, "C note. " * 300, "D note. " * 300)
    guest = open_guest()

    header = guest("recall", query="note").splitlines()[0]
    shown = guest("show", ids="b#1-b#4")

    (read,) = re.findall(r'show\("([^"]+)"\)', header)
    assert re.fullmatch("b#[1-4],b#[1-4]", read)
    (later,) = re.findall(r'show\("([^"]+)"\)', shown)
    assert later == "b#3,b#4"
    assert "C note." in guest("show", ids=later)
    assert "Unknown: b#99." in guest("show", ids="99")


@pytest.mark.parametrize("ids", ["other#5", "1,other#2", "other#1-other#2", "c#1"])
def test_foreign_names_refuse_the_whole_call(open_owner, open_guest, ids):
    open_owner().store("one", "two")
    refused = open_guest().refused("show", ids=ids)

    assert ids.split("#")[0].split(",")[-1] in refused
    assert re.search(r"\bb\b", refused)


def test_own_name_is_taken_in_any_case(open_owner, open_guest):
    open_owner().store("one")

    assert "one" in open_guest(name="Box")("show", ids="bOX#1")


@both
def test_only_ids_of_this_file_are_named_inside_texts(open_owner, open_guest, language):
    owner = open_owner(language)
    owner.number_from(123)
    text = "issue #123, #124, see #123; &#123; #202020 `#123` [#123](http://x.org/#123)"
    owner.store(text)
    guest = open_guest(language)

    shown = guest("show", ids="123")
    full = guest("recall", query="issue", full=True)
    listed = guest("recall", query="issue")

    expected = text.replace("see #123", "see b#123")
    assert shown.splitlines()[1] == expected
    assert expected in full
    assert "issue #123, #124, see b#123; &#123; #202020 `#123`" in listed
    assert f", {len(text)} " in shown.splitlines()[0]
    assert owner("show", ids="123").splitlines()[1] == text


def test_text_with_nothing_to_name_is_unchanged(open_owner, open_guest):
    text = "&#72; #202020 issue #1 ```#1``` and #77, Fehler #1\n\n    #1"
    open_owner().store(text)

    assert open_guest()("show", ids="1").split("\n", 1)[1] == text


def test_search_is_untouched_by_names(open_owner, open_guest):
    open_owner().store("One.", "See #1 for more.")
    guest = open_guest(name="zebra")

    assert guest("recall", query="zebra").startswith("0 match")


def test_titles_are_named_where_they_are_cut_too(open_owner, open_guest):
    owner = open_owner()
    owner.number_from(1_234)
    owner.store("target one", "target two")
    owner.store(
        "Short, see #1234.",
        "**Bold head about #1235 is long enough.** And more.",
        "x" * 98 + "#1234 is glued to a word",
        "y" * 97 + " #1234 is cut off here by the limit of a title",
        "A link [with #1234 and a very long text that goes on and on](https://example.org/a/b/c/d/e/f/g/h/i/j) here",
        "z" * 98 + "(#12345",
        "w" * 95 + "(#1234)",
    )
    guest = open_guest(name="box")

    listed = guest("topics", tag="-", limit=200)
    lines = {line.split()[2][:2]: line for line in listed.splitlines()[1:]}

    assert lines["Sh"].endswith("Short, see box#1234.")
    assert lines["Bo"].endswith("Bold head about box#1235 is long enough.")
    assert "box#1234 and" not in lines["A"]
    shown = re.findall(r"box#(\d+)", listed)
    assert set(shown) <= {"1", *map(str, range(1_234, 1_243))}
    assert all(title.count("box#") <= 2 for title in lines.values())


def test_first_line_of_a_long_title_never_ends_inside_an_id(open_owner, open_guest):
    owner = open_owner()
    owner.number_from(12_345)
    owner.store("target")
    for width in range(60, 100):
        owner.store("v" * width + "(#12345) and more words behind it that make it long")
    guest = open_guest(name="longish-name")

    for page in (1, 2):
        answer = guest("topics", tag="-", page=page)
        assert not re.search(r"\(l[a-z-]*(?:#\d{0,4})?\.\.\.", answer), answer
        assert not re.search(r"\(#", answer), answer


def test_following_the_calls_loses_no_character_and_counts_stored_ones(open_owner, open_guest):
    owner = open_owner()
    text = "\n".join(f"Line {number} sees #1 and issue #1." for number in range(2_000))
    owner.store(text)
    guest = open_guest(name="box")

    first = guest("show", ids="1")
    whole = guest("show", ids="box#1", full=True)

    head, *body, notice = first.splitlines()
    shown, total = re.findall(r"\d+", notice)[:2]
    assert f", {len(text)} chars" in head
    assert int(total) == len(text)
    assert int(shown) == len("\n".join(body).replace("box#1", "#1")) + 1
    assert len("\n".join(body)) <= 6_000
    assert 'show("box#1", full=true)' in notice
    assert whole.split("\n", 1)[1] == text.replace("sees #1", "sees box#1")


@settings(max_examples=50)
@given(
    st.lists(
        st.sampled_from(["#1", "#2", "#9", "a", " ", "issue ", "`", "\n", "box#1 ", "(", ")"]), max_size=30
    ),
    st.integers(0, 200),
)
def test_names_are_only_ever_inserted_and_lengths_add_up(parts, end):
    text = "".join(parts)

    class Surface:
        prints_names = True
        name = "box"

    whole = named(text, Surface(), frozenset({1, 2}))  # type: ignore[arg-type]  # a stand-in

    assert all(re.fullmatch(r"box#[12]", whole.text[start:stop]) for start, stop in whole.spans)
    assert len(whole.text) == len(text) + 3 * len(whole.spans)
    cut = whole.whole_end(min(end, len(whole.text)))
    assert text.startswith(text[: whole.stored_length(cut)])
    rest = Shown(whole.text[:cut]).text
    for start, _ in reversed([span for span in whole.spans if span[1] <= cut]):
        rest = rest[:start] + rest[start + 3 :]
    assert rest == text[: whole.stored_length(cut)]


@both
def test_archive_names_numbers_in_texts_without_being_a_guest(open_owner, language):
    archive = open_owner(language, mode="archive")
    archive.store("First finding.", "It builds on #1, not on issue #1 or #9.")
    word = "archive" if language == "en" else "archiv"

    shown = archive("show", ids="2")
    listed = archive("recall", query="builds")

    assert f"It builds on {word}#1, not on issue #1 or #9." in shown
    assert f"It builds on {word}#1, not on issue #1 or #9." in listed


def test_memory_of_the_owner_shows_texts_as_they_are(open_owner):
    owner = open_owner()
    owner.store("First.", "See #1.")

    assert "See #1." in owner("show", ids="2")
    assert "#2 2026-11-02 See #1." in owner("recall", query="see")
