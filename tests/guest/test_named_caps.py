"""Names make answers longer; the caps hold all the same, and what did not fit is named."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frugal.call import Client
from frugal.engine import build_engine
from frugal.entries import caps
from frugal.settings import Options, load_settings
from tests.wire import size_of

NAME = "x" * 32
FIRST = 999_999_990

texts = st.lists(
    st.sampled_from(
        [f"#{FIRST + 1} ", f"(#{FIRST + 2})", f"issue #{FIRST}", "`code`", "word ", "数据 ", "\n", '"', "😀 "]
    ),
    min_size=1,
    max_size=30,
).map("".join)
stores = st.lists(
    st.builds(lambda text, times: text * times, texts, st.sampled_from([1, 5, 60])), min_size=3, max_size=6
)


@pytest.mark.parametrize("mode", ["memory", "archive"])
@given(stores=stores, limit=st.integers(1, 9), full=st.booleans())
@settings(max_examples=15)
def test_guests_answers_keep_their_caps_whatever_is_named(mode, stores, limit, full, tmp_path_factory):
    folder = tmp_path_factory.mktemp("caps")
    values = {
        "MEMORY_NAME": NAME,
        "ARCHIVE_NAME": NAME,
        "XDG_DATA_HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
    }
    engine = build_engine(load_settings(Options(), values))
    owner = engine.open(engine.registry.mode(mode))
    with owner.store.write() as db:
        db.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('entry', :seq)", {"seq": FIRST - 1})
    for number, text in enumerate(stores):
        owner.call(Client(), "remember", {"text": f"word {number} {text}", "tags": f"tag-{number} shared"})
    guest = engine.open(engine.registry.mode(mode), is_guest=True)

    preview = caps.preview(limit)
    calls = [
        ("recall", {"query": "word", "limit": limit, "full": full}, caps.WHOLE if full else preview),
        ("recall", {"query": f"{FIRST}-{FIRST + 9}", "limit": limit}, preview),
        ("show", {"ids": f"{FIRST}-{FIRST + 150}", "full": full}, caps.COMPLETE if full else caps.WHOLE),
        ("topics", {"tag": "shared"}, caps.TOPICS),
    ]
    for tool, arguments, cap in calls:
        reply = guest.call(Client(), tool, arguments)
        assert not reply.is_error
        assert len(reply.text) <= cap.characters
        assert size_of(reply) <= cap.size_bytes
        assert "[cut at this answer's cap]" not in reply.text
        assert f"{NAME}#" in reply.text
    owner.close()
