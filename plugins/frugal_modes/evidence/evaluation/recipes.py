"""The recipes: what an analyst would ask about a product, fixed before the held-out wordings were written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from frugal_modes.evidence.generator import plain

Arguments = Mapping[str, object]
Calls = Sequence[tuple[str, Arguments]]

MEASURE, DISCOVER, SAMPLE = "measure_messages", "discover_messages", "sample_messages"
CONCERNS = (
    "price cost expensive budget fee invoice contract exit migrate switch export vendor",
    "privacy confidential personal leak encrypt regulator outage down slow crash fail error",
    "wrong invent mistake hallucinate accuracy outdated vague contradict ignore quality translation citation",
)
"""Stems of three refined questions: money and ways out, data and failures, the quality of answers."""

REFINED_ITEMS = 4


def subject(*, is_client: bool = True) -> dict[str, object]:
    """Return the query for the product under either name."""
    query: dict[str, object] = {
        "clauses": [
            {"match": "literal", "text": plain.PRODUCT},
            {"match": "literal", "text": plain.ALIAS, "role": "alias"},
        ],
        "combine": "any",
    }
    return {**query, "filters": {"sender_types": ["client"]}} if is_client else query


def refined(stems: str) -> dict[str, object]:
    """Return the query for the product together with one of *stems*, by clients."""
    return {
        "clauses": [
            {"match": "literal", "text": plain.PRODUCT, "group": 1},
            {"match": "literal", "text": plain.ALIAS, "role": "alias", "group": 1},
            *({"match": "stem", "text": stem, "group": 2} for stem in stems.split()),
        ],
        "filters": {"sender_types": ["client"]},
    }


@dataclass(frozen=True)
class Recipe:
    """Calls in a row over one process; all of them together are what the recipe costs."""

    name: str
    calls: Calls


RECIPES = (
    Recipe("measure", ((MEASURE, {"query": subject(is_client=False)}),)),
    Recipe("broad", ((DISCOVER, {"query": subject()}),)),
    Recipe(
        "refined",
        tuple((DISCOVER, {"query": refined(stems), "limit": REFINED_ITEMS}) for stems in CONCERNS),
    ),
    Recipe(
        "broad_sample_new",
        (
            (DISCOVER, {"query": subject()}),
            (SAMPLE, {"query": subject(), "strategy": "across_time"}),
            (DISCOVER, {"query": subject(), "exclude_disclosed": True}),
        ),
    ),
)
