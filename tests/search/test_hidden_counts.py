"""The hidden counts of a header are exact: asking with that kind, or with superseded entries, gives as many."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from frugal.call import Client
from frugal.engine import build_engine
from frugal.settings import Options, load_settings

WORDS = st.sampled_from(["alpha", "beta", "gamma", "delta", "the"])
ENTRY = st.tuples(
    st.lists(WORDS, min_size=1, max_size=4), st.sampled_from(["", "history", "pitfall"]), st.booleans()
)
HEADER = re.compile(r"(?:(\d+) of )?(\d+) match")


@given(entries=st.lists(ENTRY, min_size=1, max_size=10), query=st.lists(WORDS, min_size=1, max_size=2))
@settings(max_examples=30)
def test_hidden_counts_equal_what_the_same_call_reports(tmp_path_factory, entries, query):
    file = tmp_path_factory.mktemp("hidden") / "memory.db"
    engine = build_engine(load_settings(Options(db=str(file), lang="en"), {"MEMORY_NAME": "box"}))
    workspace = engine.open(engine.registry.mode("memory"))

    def call(tool: str, **arguments: object) -> str:
        return workspace.call(Client(), tool, arguments).text

    for number, (words, kind, is_hidden) in enumerate(entries, 1):
        call("remember", text=f"{' '.join(words)} n{number}", kind=kind)
        if is_hidden:
            call("forget", ids=str(number))

    def total(**arguments: object) -> int:
        match = HEADER.match(call("recall", query=" ".join(query), **arguments))
        assert match is not None
        return int(match[2])

    head = call("recall", query=" ".join(query)).splitlines()[0]
    history = re.search(r"(\d+) in history hidden", head)
    superseded = re.search(r"(\d+) superseded hidden", head)
    assert (int(history[1]) if history else 0) == total(kind="history")
    assert (int(superseded[1]) if superseded else 0) == total(include_superseded=True) - total()
    workspace.close()
