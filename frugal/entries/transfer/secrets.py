"""Likely credentials on their way in: under MEMORY_SECRETS=refuse a load or a merge that would store one is refused."""

from collections.abc import Callable, Iterator

from frugal.call import Call
from frugal.entries.hints import credential_places, secret_policy
from frugal.entries.transfer.parse import Parts
from frugal.errors import Refusal

SHOWN = 3


def refuse_secrets(call: Call, parts: Parts, *, is_new: Callable[[int], bool] = lambda _entry: True) -> None:
    """Raise `Refusal` if a text that would be stored likely holds a credential and the policy is to store none.

    *is_new* tells of the number of an entry whether its text is not here yet.
    """
    if secret_policy(call) != "refuse":
        return
    found = [
        f"{name}: {places}"
        for name, text in _texts(parts, is_new)
        if text and (places := credential_places(call, text))
    ]
    if found:
        more = f" (+{len(found) - SHOWN})" if len(found) > SHOWN else ""
        raise Refusal("secrets_in_transfer", places="; ".join(found[:SHOWN]) + more)


def _texts(parts: Parts, is_new: Callable[[int], bool]) -> Iterator[tuple[str, str]]:
    """Yield every text that a user wrote, under the number of its entry there."""
    for entry in parts.entries:
        if is_new(entry.id):
            for text in (entry.text, entry.also, *entry.tags):
                yield f"#{entry.id}", text
    for event in parts.events:
        if is_new(event.entry):
            yield f"#{event.entry}", event.reason or ""
    for learned in parts.learned:
        if is_new(learned.entry):
            yield f"#{learned.entry}", learned.question
