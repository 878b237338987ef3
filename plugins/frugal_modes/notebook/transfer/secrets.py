"""Likely credentials on their way in: under MEMORY_SECRETS=refuse a load or a merge that would store one is refused."""

from collections.abc import Iterator

from frugal.api import Call, Refusal, scan_credentials
from frugal_modes.notebook.checks import places, policy
from frugal_modes.notebook.transfer.rows import TEXTS, Parts

SHOWN = 3


def refuse_secrets(call: Call, parts: Parts) -> None:
    """Raise `Refusal` if a text of *parts* likely holds a credential and the policy is to store none."""
    if policy(call) != "refuse":
        return
    found = []
    for name, text in _texts(parts):
        if credentials := scan_credentials(text):
            found.append(f"{name}: {places(call, credentials)}")
    if found:
        more = f" (+{len(found) - SHOWN})" if len(found) > SHOWN else ""
        raise Refusal("secrets_in_transfer", places="; ".join(found[:SHOWN]) + more)


def _texts(parts: Parts) -> Iterator[tuple[str, str]]:
    """Yield every text that a user wrote, under the id or key that it has where it comes from."""
    for series in parts.series:
        for field in ("key", "question", "backfill"):
            yield (
                f"{series.number}. {field}" if field == "key" else f"{series.key} {field}",
                getattr(series, field),
            )
    for event in parts.events:
        yield f"h{event.number} note", event.text
        yield f"h{event.number} reason", event.reason
    for criterion in parts.criteria:
        yield f"h{criterion.number} criterion", criterion.text
    for plan in parts.plans:
        yield f"h{plan.number} plan", plan.text
    for row in parts.rows:
        for field, text in zip(TEXTS[row.letter], row.texts, strict=True):
            yield f"{row.letter}{row.number} {field}", text
