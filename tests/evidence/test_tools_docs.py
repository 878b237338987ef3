"""The page about evidence: its answer is what the tool says about its messages, and every field is explained."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from corpora import Bench, Opener

from frugal_modes.evidence.choice import CAUSES
from frugal_modes.evidence.envelope import STOP_REASONS
from frugal_modes.evidence.errors import CODES
from frugal_modes.evidence.schemas import ERROR, STRICT

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


def fields_of(schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of all fields of a schema, those of what it holds too."""
    for name, inner in schema.get("properties", {}).items():
        yield name
        yield from fields_of(inner)
    for inner in (schema.get("items"), schema.get("additionalProperties"), *schema.get("anyOf", ())):
        if isinstance(inner, Mapping):
            yield from fields_of(inner)


@pytest.mark.parametrize("kind", [*STRICT, "error"])
def test_every_field_of_every_answer_is_explained(kind: str) -> None:
    explained = set(re.findall(r"`(\w+)`", PAGE.read_text("utf-8")))

    assert set(fields_of({**STRICT, "error": ERROR}[kind])) - explained == set()


@pytest.mark.parametrize("words", [STOP_REASONS, CODES, CAUSES], ids=["reasons", "codes", "causes"])
def test_every_reason_code_and_cause_is_explained(words: tuple[str, ...]) -> None:
    explained = set(re.findall(r"`(\w+)`", PAGE.read_text("utf-8")))

    assert set(words) - explained == set()
