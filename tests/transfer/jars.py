"""How the contents of the probe's mode move: functions as a plugin would bring them."""

from frugal.api import Contents, Merged, Page, Record, no_progress

WORDS = "SELECT rowid, word FROM probe ORDER BY rowid"
PUT = "INSERT INTO probe (rowid, word) VALUES (:number, :word)"
KNOWN = "SELECT 1 FROM probe WHERE word = :word"


def records(db):
    for number, word in db.execute(WORDS):
        yield Record("word", number, {"word": word})


def load(call, db, contents: Contents, *, progress=no_progress) -> Merged:
    for record in contents.records:
        db.execute(PUT, {"number": record.id, "word": record.fields["word"]})
    return Merged(("loaded",), counts={"new": len(contents.records)})


def merge(call, contents: Contents, *, progress=no_progress) -> Merged:
    new = 0
    with call.store.write() as db:
        for record in contents.records:
            word = record.fields["word"]
            if db.execute(KNOWN, {"word": word}).fetchone() is None:
                db.execute(PUT, {"number": None, "word": word})
                new += 1
    return Merged(("merged",), counts={"new": new}, left_out=0)


def pages(call, db):
    words = [row[1] for row in db.execute(WORDS)]
    yield Page("words.md", "\n".join(words), len(words))
