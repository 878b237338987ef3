"""Whether the word index says what the messages say, for `doctor`, and making it anew where it does not, for `upkeep`."""

from frugal.api import Agreement, Answer, Call, Connection, Progress, no_progress
from frugal_modes.evidence.check import differing
from frugal_modes.evidence.indexing import is_current, refresh_index

COUNT = "SELECT count(*) FROM message"
NEWEST = "SELECT number FROM message ORDER BY number DESC LIMIT :most"
NUMBERS = "SELECT number FROM message WHERE number > :after ORDER BY number LIMIT :most"
TOTALS = "SELECT block FROM word_index_data WHERE id = 1"
"""FTS5 keeps its number of rows in front of this record; a table without content cannot be counted otherwise."""

AT_ONCE = 1_000
SHOWN = 12


def examine(db: Connection, most: int) -> Agreement:
    """Return how well the index agrees with the *most* newest messages; other rules than today's made it: with none."""
    total = int(db.execute(COUNT).fetchone()[0])
    newest = [int(number) for (number,) in db.execute(NEWEST, {"most": most})]
    wrong = tuple(f"#{number}" for number in differing(db, newest))
    return Agreement(total, count_indexed(db) if is_current(db) else None, len(newest), wrong)


def count_indexed(db: Connection) -> int:
    """Return how many messages the index says it holds."""
    row = db.execute(TOTALS).fetchone()
    return _first_number(row[0]) if row is not None else 0


def _first_number(block: bytes) -> int:
    """Return the first varint of a record: seven bits a byte, the most significant first, a set top bit: more follow."""
    number = 0
    for byte in block[:8]:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return number


def upkeep(call: Call, *, is_dry_run: bool = False, progress: Progress = no_progress) -> Answer:
    """Compare every message with the index and make it anew if any differs; a dry run writes nothing."""
    with call.store.read() as db:
        total = int(db.execute(COUNT).fetchone()[0])
        wrong = _all_differing(db, total, progress)
        is_whole = is_current(db) and count_indexed(db) == total
    is_needed = bool(wrong) or not is_whole
    if is_needed and not is_dry_run:
        with call.store.write() as db:
            refresh_index(db, is_forced=True)
    text = call.surface.text
    lines = [text("upkeep.dry")] if is_dry_run else []
    shown = ", ".join(f"#{number}" for number in wrong[:SHOWN]) + (", ..." if len(wrong) > SHOWN else "")
    lines.append(text("upkeep.totals", count=total))
    lines.append(text("upkeep.index", count=len(wrong), ids=shown or "-"))
    if is_needed and not is_dry_run:
        lines.append(text("upkeep.rebuilt", count=total))
    item = {"item": "index", "count": len(wrong), "ids": wrong[:SHOWN]}
    counts = {"messages": total, "dry_run": is_dry_run, "changes": len(wrong) or int(is_needed)}
    return Answer("\n".join(lines), items=(item,), counts=counts)


def _all_differing(db: Connection, total: int, progress: Progress) -> list[int]:
    found: list[int] = []
    after = done = 0
    while numbers := [int(row[0]) for row in db.execute(NUMBERS, {"after": after, "most": AT_ONCE})]:
        found += differing(db, numbers)
        after, done = numbers[-1], done + len(numbers)
        progress(min(done, total), total)
    return found
