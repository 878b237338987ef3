"""The page about evidence: its answer is what the tool says about its messages, and every field is explained."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from corpora import Bench, Opener

from frugal_modes.evidence.schemas import STRICT

PAGE = Path(__file__).parents[2] / "docs" / "evidence.md"
QUERY = {"clauses": [{"match": "stem", "text": "refund"}], "filters": {"sender_types": ["client"]}}


@pytest.fixture
def documented(open_bench: Opener, tmp_path: Path) -> Bench:
    """A bench with the messages of the page."""
    (records,) = re.findall(r"<<'END'\n(.*?)END\n", PAGE.read_text("utf-8"), re.DOTALL)
    source = tmp_path / "chat.jsonl"
    source.write_text(records, "utf-8")
    bench = open_bench()
    name = bench.workspace.surface.tool_name("evidence_import")
    arguments = {"source": str(source), "corpus": "chat"}
    done = bench.workspace.call(bench.client, name, arguments, from_shell=True)
    assert not done.is_error, done.text
    return bench


def without_refs(told: Any) -> Any:
    """Return an answer with the ref that is another one in every process."""
    return json.loads(re.sub(r"q-[a-z2-7]{16}", "q-same", json.dumps(told)))


def test_the_annotated_answer_is_what_the_tool_says(documented: Bench) -> None:
    (block,) = re.findall(r"```json\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)

    told = documented("discover_messages", query=QUERY)

    assert without_refs(json.loads(block)) == without_refs(told)


def test_every_field_of_every_answer_is_explained() -> None:
    page = PAGE.read_text("utf-8")
    explained = set(re.findall(r"`(\w+)`", page))
    fields: set[str] = set()
    for schema in STRICT.values():
        properties = schema["properties"]
        assert isinstance(properties, dict)
        fields |= set(properties)

    overview = {"corpora", "from", "to", "sender_types", "conversation_types", "caps", "accounts", "open"}
    assert fields - explained <= overview
