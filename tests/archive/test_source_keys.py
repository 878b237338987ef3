"""Spellings of sources and the keys they give: equal keys are the same source, nothing else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frugal_modes.archive.sources import SourceKey, source_keys

SICI = "10.1002/(sici)1096-8644(199601)99:1<1::aid-ajpa1>3.0.co;2-1"

ONE_KEY = [
    # arXiv, since 2007
    ("arXiv:2301.01234", "arxiv:2301.01234"),
    ("arXiv:2301.01234v2", "arxiv:2301.01234"),
    ("ARXIV: 2301.01234v12 [cs.CL]", "arxiv:2301.01234"),
    ("arXiv 0704.0001.", "arxiv:0704.0001"),
    ("arXiv preprint arXiv:2301.01234, 2023", "arxiv:2301.01234"),
    ("arXiv e-print 2301.01234", "arxiv:2301.01234"),
    ("arXiv-Nummer 2301.01234", "arxiv:2301.01234"),
    ("(arXiv, 2301.01234v1)", "arxiv:2301.01234"),
    ("„arXiv:2301.01234“", "arxiv:2301.01234"),
    ("**arXiv:2301.01234**", "arxiv:2301.01234"),
    ("https://arxiv.org/abs/2301.01234", "arxiv:2301.01234"),
    ("http://arxiv.org/abs/2301.01234v3", "arxiv:2301.01234"),
    ("https://www.arxiv.org/pdf/2301.01234v3.pdf", "arxiv:2301.01234"),
    ("https://arxiv.org/pdf/2301.01234", "arxiv:2301.01234"),
    ("https://arxiv.org/html/2301.01234v1#S3", "arxiv:2301.01234"),
    ("https://export.arxiv.org/abs/2301.01234?context=cs", "arxiv:2301.01234"),
    ("arxiv.org/abs/2301.01234", "arxiv:2301.01234"),
    ("[paper](https://arxiv.org/abs/2301.01234)", "arxiv:2301.01234"),
    ("<https://arxiv.org/abs/2301.01234>", "arxiv:2301.01234"),
    ("10.48550/arXiv.2301.01234", "arxiv:2301.01234"),
    ("https://doi.org/10.48550/arXiv.2301.01234v2", "arxiv:2301.01234"),
    # arXiv, before 2007
    ("hep-th/9901001", "arxiv:hep-th/9901001"),
    ("hep-th/9901001v2", "arxiv:hep-th/9901001"),
    ("HEP-TH/9901001", "arxiv:hep-th/9901001"),
    ("arXiv:hep-th/9901001v2", "arxiv:hep-th/9901001"),
    ("https://arxiv.org/abs/hep-th/9901001", "arxiv:hep-th/9901001"),
    ("https://arxiv.org/pdf/hep-th/9901001v1.pdf", "arxiv:hep-th/9901001"),
    ("(see hep-th/9901001).", "arxiv:hep-th/9901001"),
    ("math.GT/0309136", "arxiv:math/0309136"),
    ("math/0309136v1", "arxiv:math/0309136"),
    ("cond-mat.stat-mech/0309136", "arxiv:cond-mat/0309136"),
    ("cs/0102003", "arxiv:cs/0102003"),
    ("10.48550/arXiv.hep-th/9901001", "arxiv:hep-th/9901001"),
    # DOI
    ("10.1000/123", "doi:10.1000/123"),
    ("doi:10.1000/123", "doi:10.1000/123"),
    ("DOI: 10.1000/123.", "doi:10.1000/123"),
    ("https://doi.org/10.1000/123", "doi:10.1000/123"),
    ("http://dx.doi.org/10.1000/123", "doi:10.1000/123"),
    ("https://www.doi.org/10.1000/123/", "doi:10.1000/123"),
    ("doi.org/10.1000/123", "doi:10.1000/123"),
    ("https://doi.org/10.1000%2F123", "doi:10.1000/123"),
    ("https://doi.org/10.1000/123?utm_source=mail#abstract", "doi:10.1000/123"),
    ("10.1000/ABC(1)", "doi:10.1000/abc(1)"),
    ("10.1000/abc(1)", "doi:10.1000/abc(1)"),
    ("(10.1000/abc(1))", "doi:10.1000/abc(1)"),
    ("https://doi.org/10.1000/ABC%281%29", "doi:10.1000/abc(1)"),
    ("[10.1000/123]", "doi:10.1000/123"),
    ("[10.1000/123](https://doi.org/10.1000/123)", "doi:10.1000/123"),
    ("„10.1000/123“", "doi:10.1000/123"),
    ("‚10.1000/123‘,", "doi:10.1000/123"),
    ("»10.1000/123«;", "doi:10.1000/123"),
    ("'10.1000/123'", "doi:10.1000/123"),
    ('"10.1000/123":', "doi:10.1000/123"),
    ("_10.1000/123_", "doi:10.1000/123"),
    ("`10.1000/123`", "doi:10.1000/123"),
    ("doi = {10.1007/978-3\\_2},", "doi:10.1007/978-3_2"),
    ('<a href="https://doi.org/10.1000/123">10.1000/123</a>', "doi:10.1000/123"),
    ("10.1002/(SICI)1096-8644(199601)99:1<1::AID-AJPA1>3.0.CO;2-1", f"doi:{SICI}"),
    (f"https://doi.org/{SICI}.", f"doi:{SICI}"),
    ("<https://doi.org/10.1000/123>", "doi:10.1000/123"),
    ("10.1234567/Straße", "doi:10.1234567/straße"),
    # ISBN
    ("ISBN 978-3-16-148410-0", "isbn:9783161484100"),
    ("ISBN-13: 9783161484100", "isbn:9783161484100"),
    ("ISBN 3-16-148410-X", "isbn:9783161484100"),
    ("isbn 316148410x", "isbn:9783161484100"),
    ("ISBN-10 0-306-40615-2", "isbn:9780306406157"),
    ("ISBN: 978 0 306 40615 7", "isbn:9780306406157"),
    ("ISBN 978‑0‑306‑40615‑7", "isbn:9780306406157"),
    # links
    ("https://example.org/a", "url:example.org/a"),
    ("http://www.Example.ORG/a/", "url:example.org/a"),
    ("www.example.org/a", "url:example.org/a"),
    ("https://user:pass@example.org:443/a#part", "url:example.org/a"),
    ("http://example.org:80/a.", "url:example.org/a"),
    ("https://example.org/a!#top", "url:example.org/a"),
    ("https://example.org:8443/a", "url:example.org:8443/a"),
    ("https://example.org/a?utm_source=x&utm_medium=y", "url:example.org/a"),
    ("https://example.org/a?gclid=1&b=2&fbclid=3&a=1", "url:example.org/a?a=1&b=2"),
    ("https://example.org/%7Ekim/%61", "url:example.org/~kim/a"),
    ("https://example.org/a%2fb", "url:example.org/a%2Fb"),
    ("https://example.org/größe", "url:example.org/gr%C3%B6%C3%9Fe"),
    ("https://example.org/gr%c3%b6%c3%9fe", "url:example.org/gr%C3%B6%C3%9Fe"),
    ("https://de.wikipedia.org/wiki/Eis_(Wasser)", "url:de.wikipedia.org/wiki/Eis_(Wasser)"),
    ("(https://de.wikipedia.org/wiki/Eis_(Wasser))", "url:de.wikipedia.org/wiki/Eis_(Wasser)"),
    ("„https://example.org/a“", "url:example.org/a"),
    ("**https://example.org/a**", "url:example.org/a"),
    ("见https://example.org/a。", "url:example.org/a"),
    ("https://GitHub.com/Ada/Engine.git", "url:github.com/ada/engine"),
    ("github.com/ada/engine/", "url:github.com/ada/engine"),
    ("https://github.com/Ada/Engine/blob/main/README.md", "url:github.com/ada/engine/blob/main/README.md"),
    ("https://gitlab.com/Ada/Engine", "url:gitlab.com/ada/engine"),
    ("https://huggingface.co/Ada/Engine", "url:huggingface.co/ada/engine"),
    ("https://dl.acm.org/doi/10.1145/3292500", "url:dl.acm.org/doi/10.1145/3292500"),
]

NO_KEY = [
    "2301.01234",
    "version 2301.01234 of the file",
    "arXiv:2301.012345",
    "notarxiv.org",
    "src/cs/0102003",
    "hep-th/99010011",
    "hep-xx/9901001",
    "10.1000",
    "10.1000/",
    "10.123/456",
    "v10.1000/123",
    "ISBN 978-3-16-148410-1",
    "ISBN 0-306-40615-3",
    "9783161484100",
    "https://example.org",
    "https://www.example.org/?utm_source=x#top",
    "mailto:kim@github.com/ada/engine",
    "https://",
    "http://[broken/a",
    "https://example.org/" + "a" * 3_000,
    "",
]


@pytest.mark.parametrize(("spelling", "key"), ONE_KEY)
def test_spelling_gives_one_key(spelling: str, key: str) -> None:
    kind, _, rest = key.partition(":")

    assert source_keys(f"Kim et al., {spelling} and more") == (SourceKey(kind, rest),)
    assert source_keys(spelling) == (SourceKey(kind, rest),)


@pytest.mark.parametrize("text", NO_KEY)
def test_text_gives_no_key(text: str) -> None:
    assert source_keys(text) == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("10.1000/12", "10.1000/123"),
        ("arXiv:2301.0123", "arXiv:2301.01234"),
        ("hep-th/9901001", "hep-ph/9901001"),
        ("https://example.org/a", "https://example.org/A"),
        ("https://example.org/a/b", "https://example.org/a%2Fb"),
        ("https://example.org/%E4", "https://example.org/%F6"),
        ("https://example.org/a?b=1", "https://example.org/a?b=2"),
        ("https://github.com/ada/engine/a", "https://github.com/ada/engine/A"),
    ],
)
def test_different_sources_differ(one: str, other: str) -> None:
    assert source_keys(one) != source_keys(other)
    assert source_keys(one)
    assert source_keys(other)


def test_several_sources_of_one_text_are_all_found() -> None:
    text = (
        "arXiv:2301.01234, 2302.00001v2 und hep-th/9901001; [a](https://a.org/x)[b](https://doi.org/10.1000/2), "
        "ISBN 3-16-148410-X and again 10.1000/2."
    )

    keys = {f"{key.type}:{key.key}" for key in source_keys(text)}

    assert keys == {
        "arxiv:2301.01234",
        "arxiv:2302.00001",
        "arxiv:hep-th/9901001",
        "url:a.org/x",
        "doi:10.1000/2",
        "isbn:9783161484100",
    }


@given(
    st.text(max_size=300)
    | st.from_regex(r"(https?://|10\.1000/|arXiv:|ISBN )[!-~äß“」 ]{0,60}", fullmatch=True)
)
def test_any_text_gives_distinct_keys_on_one_line(text: str) -> None:
    keys = source_keys(text)

    assert len(set(keys)) == len(keys)
    assert all(key.key and key.key == key.key.strip() for key in keys)
    assert all("\n" not in key.key for key in keys)


@given(st.from_regex(r"https://[a-z]{1,8}\.org/[A-Za-z0-9/?=&%#.~-]{0,40}", fullmatch=True))
def test_key_of_a_key_is_itself(link: str) -> None:
    for key in source_keys(link):
        assert source_keys(f"https://{key.key}") == (key,)
