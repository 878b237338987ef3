"""Texts nobody would send and clauses that occur in them."""

from hypothesis import strategies as st

PIECES = (
    "name", "names", "naming", "Name", "NAME", "straße", "STRASSE", "Lisboa", "Lísboa", "Li\u0301sboa", "a", "ab", "İ",
    "ﬀ", "ŉ", "x" * 70, "x" * 64 + "y", "café", "cafe\u0301", "Häuser", "Ǆ", "ΐ", "ς", "Σ", "2", "v2", "½", "Ⅷ",
    "中", "文", "中文", "学习", "ひらがな", "カ゚", "か\u3099", "한국어", "\u1112\u1161\u11ab", "\u1112", "\u1161",
    "ไทย", "ก้าว",
    "ລາວ",
    "ខ្មែរ", "မြန်မာ", "क", "की", "हिन्दी", "क्ष", "مرحبا", "שָׁלוֹם", "привет", "Ёлка", "\u0301", "\u0308", "\u200d", "\u00ad",
    "\u200b", "\u202e", "\ufe0f", "👩‍🚀", "🇩🇪", " ", "  ", "\n", "\t", "\u00a0", "\u3000", "_", "'", "’", "-", "@", ".",
    ",",
    "/", "+", "++", "C++", "a/b", "(", "。", "、", "\x00", "\x1f", "\x85", "\u2028",
)  # fmt: skip

SCRAPS = st.one_of(
    st.sampled_from(PIECES),
    st.sampled_from(PIECES),
    st.characters(exclude_categories=("Cs",)),
)


def texts(*, most: int = 12) -> st.SearchStrategy[str]:
    """Return texts of a few pieces."""
    return st.lists(SCRAPS, min_size=1, max_size=most).map("".join)


@st.composite
def text_and_clause(draw: st.DrawFn) -> tuple[str, str]:
    """Return a text and a clause, mostly a part of the text in some spelling."""
    text = draw(texts())
    if draw(st.integers(0, 4)) == 0:
        return text, draw(texts(most=4))[:200]
    start = draw(st.integers(0, len(text) - 1))
    end = draw(st.integers(start + 1, min(len(text), start + 30)))
    part = text[start:end]
    change = draw(st.sampled_from((str, str.upper, str.casefold, str.strip, str.title)))
    return text, change(part)[:200]
