"""Learned questions in the shell: list them, forget some, forget all."""

from frugal.call import Call
from frugal.entries import learned
from frugal.ids import expand, parse_ids
from frugal.model import Answer
from frugal.text.titles import one_line

SHOWN_CHARACTERS = 100


def learned_questions(call: Call) -> Answer:
    """List every learned question with its entry, confirmations, misses and date, latest first."""
    surface = call.surface
    with call.store.read() as db:
        pairs = learned.list_pairs(db)
    lines = [
        surface.text(
            "learned.line",
            id=surface.id(pair.entry),
            date=pair.at[:10],
            confirmed=pair.confirmed,
            misses=pair.misses,
            question=one_line(pair.question, SHOWN_CHARACTERS),
        )
        for pair in pairs
    ]
    return Answer(
        "\n".join([surface.text("learned.count", count=len(pairs)), *lines]),
        items=tuple(
            {
                "question": pair.question,
                "id": pair.entry,
                "confirmed": pair.confirmed,
                "misses": pair.misses,
                "confirmed_at": pair.at + "Z",
            }
            for pair in pairs
        ),
        counts={"count": len(pairs)},
        is_empty=not pairs,
    )


def forget_learned(call: Call, *, what: str) -> Answer:
    """Forget what was learned for a question, or for entries if *what* holds ids only."""
    parsed = parse_ids(what)
    own = all(not span.name or span.name.casefold() in call.surface.names for span in parsed.spans)
    ids = (
        expand(parsed.spans) if parsed.spans and not parsed.rejected and own and parsed.count <= 1_000 else ()
    )
    with call.store.write() as db:
        count = learned.PAIRS.forget(db, ids)
        count += 0 if count else learned.forget_question(db, what)
    return _forgotten(call, count)


def clear_learned(call: Call, *, yes: bool) -> Answer:
    """Forget everything learned; without *yes* only say how much that would be."""
    if not yes:
        with call.store.read() as db:
            count = len(learned.list_pairs(db))
        return Answer(call.surface.text("learned.ask", count=count), counts={"count": count}, is_refusal=True)
    with call.store.write() as db:
        count = learned.forget_all(db)
    return _forgotten(call, count)


def _forgotten(call: Call, count: int) -> Answer:
    text = call.surface.text("learned.forgotten", count=count)
    return Answer(text, counts={"count": count}, is_empty=not count)
