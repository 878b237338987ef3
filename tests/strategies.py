"""Hypothesis strategies for values that users, models and older files bring: nothing here is polite."""

from hypothesis import strategies as st

WIDE = "连接池设备标签数据库"
PICTOGRAPHS = "🚀👩‍🚀🇩🇪❤️"
CONTROLS = "\x01\x07\x1b\x7f\x9f\u2028\u202e"
QUOTES = "\"\\'`{}()[]<>#*_"
LETTERS = "abcdefgh ijkl mnop user word "
ACCENTS = "äöüßéÅ\u0301\u0308"

ALPHABETS = st.sampled_from(
    (LETTERS, WIDE, PICTOGRAPHS, CONTROLS + "a", QUOTES + "a", ACCENTS, LETTERS + WIDE + QUOTES)
)
"""What one text consists of: mixtures hide the worst case of each."""


def texts(*, longest: int, shortest: int = 1) -> st.SearchStrategy[str]:
    """Return texts up to *longest* characters that are not blank; long ones repeat a short piece."""

    def build(alphabet: str, lead: str, repeats: int, has_lines: bool) -> str:
        piece = "".join(lead) + alphabet + ("\n" if has_lines else "")
        return ("user" + piece * repeats)[: max(longest, shortest)]

    return st.builds(
        build,
        ALPHABETS,
        st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=12),
        st.integers(0, max(longest // 8, 1)),
        st.booleans(),
    )


def lines(*, longest: int) -> st.SearchStrategy[str]:
    """Return texts that count as at most *longest* characters on one line."""
    return texts(longest=longest).map(lambda text: text[:longest])


def tags(*, most: int = 20) -> st.SearchStrategy[list[str]]:
    """Return valid tags of up to 64 characters, wide and narrow."""
    heads = st.sampled_from(("tag", "标", "🚀", "Ü", "shop-", "shop/"))

    def build(head: str, number: int, filling: str, length: int) -> str:
        return f"{head}{number}" + (filling * 64)[: max(0, min(length, 64) - len(f"{head}{number}"))]

    tag = st.builds(build, heads, st.integers(0, 99), st.sampled_from("x签é"), st.integers(1, 64))
    return st.lists(tag, max_size=most)


def _without_repeats(found: list[str]) -> list[str]:
    return list({tag.casefold(): tag for tag in found}.values())


ids = st.one_of(st.integers(1, 40), st.integers(1, 2**63 - 1))


def id_lists(*, most: int) -> st.SearchStrategy[str]:
    """Return an id parameter: known and unknown ids, scattered and dense."""
    scattered = st.lists(ids, min_size=1, max_size=most).map(lambda found: ",".join(map(str, found)))
    spread = st.builds(
        lambda start, step, count: ",".join(str(start + step * index) for index in range(count)),
        st.integers(1, 2**62),
        st.integers(1, 2**50),
        st.integers(1, most),
    )
    dense = st.builds(
        lambda start, count: f"{start}-{start + count - 1}",
        ids.map(lambda n: min(n, 2**62)),
        st.integers(1, most),
    )
    return st.one_of(scattered, spread, dense)


def queries() -> st.SearchStrategy[str]:
    """Return queries with at least one word: plain, explicit, of words that occur nowhere."""
    plain = texts(longest=2_000)
    words = st.lists(
        st.sampled_from(("user", "word", "连接池", '"user word"', "us*", "AND", "OR", "NOT", "(", ")")),
        min_size=1,
    )
    known = words.map(lambda found: " ".join(["user", *found])[:2_000])
    unknown = st.builds(
        lambda word, count: " ".join(f"{word}{n}" for n in range(count)),
        st.sampled_from(("qz", "未知词", "é" * 60)),
        st.integers(1, 30),
    )
    return st.one_of(plain, known, unknown)


kind_filters = st.lists(
    st.sampled_from(("pitfall", "decision", "workflow", "history", "unsorted", "all", "Schnittstelle")),
    max_size=7,
)
kinds = st.sampled_from(("", "pitfall", "measurement", "history", "unsorted"))
names = st.sampled_from(("b", "box", "n" * 32, "名" * 32))


@st.composite
def stores(draw) -> dict[str, object]:
    """Return what a hostile store holds: drafts for remember, and what happens to them afterwards."""
    drafts = st.fixed_dictionaries(
        {
            "text": texts(longest=draw(st.sampled_from((40, 900, 20_000)))),
            "tags": tags().map(_without_repeats),
            "kind": kinds,
            "also": lines(longest=300),
        }
    )
    return {
        "drafts": draw(st.lists(drafts, min_size=1, max_size=8)),
        "first": draw(st.sampled_from((1, 2**62))),
        "reason": draw(lines(longest=500)),
        "is_memo": draw(st.booleans()),
        "hidden": draw(st.integers(0, 4)),
        "name": draw(names),
    }
