-- Measurement series. What was recorded only grows: triggers refuse every deletion and every change of a recorded
-- text, but for the dated stub that `erase` leaves: `[⌫ 2026-11-30]`.
-- event.number is the order of record: it alone decides before and after. Stamps are UTC, to the minute.
-- "Superseded" points to the event that did it; NULL is live.

CREATE TABLE series (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL,
    folded TEXT NOT NULL UNIQUE,
    project TEXT NOT NULL,
    short TEXT NOT NULL,
    question TEXT NOT NULL,
    backfill TEXT NOT NULL DEFAULT '',
    started_on TEXT NOT NULL CHECK (started_on GLOB '????-??-??'),
    status TEXT NOT NULL
        CHECK (status IN ('planned', 'running', 'paused', 'evaluated', 'aborted', 'superseded')),
    successor INTEGER REFERENCES series (number),
    created_at TEXT NOT NULL CHECK (created_at GLOB '????-??-?? ??:??'),
    created_event INTEGER NOT NULL,
    moved_at TEXT NOT NULL CHECK (moved_at GLOB '????-??-?? ??:??'),
    moved_event INTEGER NOT NULL,
    CHECK (successor IS NULL OR (status = 'superseded' AND successor <> number))
) STRICT;

CREATE INDEX series_by_status ON series (status, moved_event);
CREATE INDEX series_by_short ON series (short);
CREATE INDEX series_by_project ON series (project);
CREATE INDEX series_by_successor ON series (successor) WHERE successor IS NOT NULL;

-- details: JSON, neutral codes and row ids only. text: a note, or a line taken over from an older file (type 'text').
CREATE TABLE event (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    series INTEGER NOT NULL REFERENCES series (number),
    at TEXT NOT NULL CHECK (at GLOB '????-??-?? ??:??'),
    type TEXT NOT NULL CHECK (type IN (
        'created', 'status', 'criterion', 'plan', 'started', 'note', 'link_added', 'link_removed',
        'recipe', 'measurements', 'result', 'erased', 'text'
    )),
    details TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(details)),
    text TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX event_by_series ON event (series, number);

-- timing: 'late' = at least one measurement of the series had been recorded before; 'unknown' only in files taken over.
CREATE TABLE criterion (
    event INTEGER PRIMARY KEY REFERENCES event (number),
    series INTEGER NOT NULL REFERENCES series (number),
    version INTEGER NOT NULL CHECK (version >= 1),
    text TEXT NOT NULL CHECK (length(text) >= 1),
    timing TEXT NOT NULL CHECK (timing IN ('before', 'late', 'unknown')),
    UNIQUE (series, version)
) STRICT;

CREATE TABLE plan (
    event INTEGER PRIMARY KEY REFERENCES event (number),
    series INTEGER NOT NULL REFERENCES series (number),
    text TEXT NOT NULL
) STRICT;

CREATE INDEX plan_by_series ON plan (series, event);

-- What a series builds on; target is set as soon as a series with that key exists.
CREATE TABLE link (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    series INTEGER NOT NULL REFERENCES series (number),
    key TEXT NOT NULL,
    folded TEXT NOT NULL,
    target INTEGER REFERENCES series (number),
    added_event INTEGER NOT NULL REFERENCES event (number),
    removed_event INTEGER REFERENCES event (number)
) STRICT;

CREATE UNIQUE INDEX link_once ON link (series, folded) WHERE removed_event IS NULL;
CREATE INDEX link_by_folded ON link (folded);
CREATE INDEX link_by_target ON link (target) WHERE target IS NOT NULL;

CREATE TABLE recipe (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    series INTEGER NOT NULL REFERENCES series (number),
    event INTEGER NOT NULL REFERENCES event (number),
    arm TEXT NOT NULL DEFAULT '',
    command TEXT NOT NULL,
    code TEXT NOT NULL DEFAULT '',
    parameters TEXT NOT NULL DEFAULT '',
    seed TEXT NOT NULL DEFAULT '',
    machine TEXT NOT NULL DEFAULT '',
    logs TEXT NOT NULL DEFAULT '',
    note TEXT NOT NULL DEFAULT '',
    superseded_event INTEGER REFERENCES event (number)
) STRICT;

CREATE INDEX recipe_by_series ON recipe (series, number);
CREATE INDEX recipe_live ON recipe (series, number) WHERE superseded_event IS NULL;

-- From `value_number` on: derived from the value; `reading` is the version of the rules that read it.
CREATE TABLE measurement (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    series INTEGER NOT NULL REFERENCES series (number),
    event INTEGER NOT NULL REFERENCES event (number),
    quantity TEXT NOT NULL,
    value TEXT NOT NULL,
    arm TEXT NOT NULL DEFAULT '',
    seed TEXT NOT NULL DEFAULT '',
    n TEXT NOT NULL DEFAULT '',
    source TEXT NOT NULL DEFAULT '',
    superseded_event INTEGER REFERENCES event (number),
    quantity_folded TEXT NOT NULL,
    value_number REAL,
    unit TEXT NOT NULL DEFAULT '',
    qualifier TEXT NOT NULL DEFAULT '',
    spread REAL,
    k INTEGER,
    out_of INTEGER CHECK (out_of > 0),
    reading INTEGER NOT NULL,
    CHECK ((k IS NULL) = (out_of IS NULL))
) STRICT;

CREATE INDEX measurement_by_series ON measurement (series, event);
CREATE INDEX measurement_by_event ON measurement (event);
CREATE INDEX measurement_live ON measurement (series, quantity_folded, arm, seed, n, event)
    WHERE superseded_event IS NULL;
CREATE INDEX measurement_newest ON measurement (series, event) WHERE superseded_event IS NULL;
CREATE INDEX measurement_by_reading ON measurement (reading);

CREATE TABLE result (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    series INTEGER NOT NULL REFERENCES series (number),
    event INTEGER NOT NULL REFERENCES event (number),
    verdict TEXT NOT NULL CHECK (verdict IN (
        'met', 'partial', 'missed', 'tie', 'inconclusive', 'invalid', 'observation'
    )),
    conclusion TEXT NOT NULL,
    open_questions TEXT NOT NULL DEFAULT '',
    file TEXT NOT NULL DEFAULT '',
    superseded_event INTEGER REFERENCES event (number)
) STRICT;

CREATE INDEX result_by_series ON result (series, number);
CREATE UNIQUE INDEX result_live ON result (series) WHERE superseded_event IS NULL;

-- Derived: what the search index holds of a series. Document 2n = what is live of series n, 2n + 1 = what is superseded.
CREATE TABLE indexed (
    document INTEGER PRIMARY KEY,
    digest BLOB NOT NULL
) STRICT;

-- The published program makes its tables if they are missing; with this view in the way it gets an error instead of
-- starting an empty notebook inside this file.
CREATE VIEW reihe AS SELECT number AS id, key AS kennung FROM series WHERE 0;

CREATE TRIGGER series_stays BEFORE DELETE ON series BEGIN SELECT RAISE(ABORT, 'nothing is deleted'); END;
CREATE TRIGGER event_stays BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'nothing is deleted'); END;
CREATE TRIGGER criterion_stays BEFORE DELETE ON criterion BEGIN SELECT RAISE(ABORT, 'nothing is deleted'); END;
CREATE TRIGGER plan_stays BEFORE DELETE ON plan BEGIN SELECT RAISE(ABORT, 'nothing is deleted'); END;
CREATE TRIGGER link_stays BEFORE DELETE ON link BEGIN SELECT RAISE(ABORT, 'nothing is deleted'); END;
CREATE TRIGGER recipe_stays BEFORE DELETE ON recipe BEGIN SELECT RAISE(ABORT, 'nothing is deleted'); END;
CREATE TRIGGER measurement_stays BEFORE DELETE ON measurement BEGIN SELECT RAISE(ABORT, 'nothing is deleted'); END;
CREATE TRIGGER result_stays BEFORE DELETE ON result BEGIN SELECT RAISE(ABORT, 'nothing is deleted'); END;

CREATE TRIGGER series_is_recorded
BEFORE UPDATE OF number, key, folded, project, short, question, backfill, created_at, created_event ON series
WHEN (OLD.number, OLD.key, OLD.folded, OLD.project, OLD.short, OLD.created_at, OLD.created_event)
        IS NOT (NEW.number, NEW.key, NEW.folded, NEW.project, NEW.short, NEW.created_at, NEW.created_event)
    OR (OLD.question <> NEW.question AND NEW.question NOT GLOB '[[]⌫ ????-??-??]')
    OR (OLD.backfill <> NEW.backfill AND NEW.backfill NOT GLOB '[[]⌫ ????-??-??]')
BEGIN SELECT RAISE(ABORT, 'a recorded text stays'); END;

CREATE TRIGGER event_is_recorded BEFORE UPDATE ON event
WHEN (OLD.number, OLD.series, OLD.at, OLD.type, OLD.details)
        IS NOT (NEW.number, NEW.series, NEW.at, NEW.type, NEW.details)
    OR (OLD.text <> NEW.text AND NEW.text NOT GLOB '[[]⌫ ????-??-??]')
    OR (OLD.reason <> NEW.reason AND NEW.reason NOT GLOB '[[]⌫ ????-??-??]')
BEGIN SELECT RAISE(ABORT, 'a recorded text stays'); END;

CREATE TRIGGER criterion_is_recorded BEFORE UPDATE ON criterion
WHEN (OLD.event, OLD.series, OLD.version, OLD.timing) IS NOT (NEW.event, NEW.series, NEW.version, NEW.timing)
    OR (OLD.text <> NEW.text AND NEW.text NOT GLOB '[[]⌫ ????-??-??]')
BEGIN SELECT RAISE(ABORT, 'a recorded text stays'); END;

CREATE TRIGGER plan_is_recorded BEFORE UPDATE ON plan
WHEN (OLD.event, OLD.series) IS NOT (NEW.event, NEW.series)
    OR (OLD.text <> NEW.text AND NEW.text NOT GLOB '[[]⌫ ????-??-??]')
BEGIN SELECT RAISE(ABORT, 'a recorded text stays'); END;

CREATE TRIGGER link_is_recorded BEFORE UPDATE ON link
WHEN (OLD.number, OLD.series, OLD.key, OLD.folded, OLD.added_event)
        IS NOT (NEW.number, NEW.series, NEW.key, NEW.folded, NEW.added_event)
    OR (OLD.target IS NOT NULL AND OLD.target IS NOT NEW.target)
    OR (OLD.removed_event IS NOT NULL AND OLD.removed_event IS NOT NEW.removed_event)
BEGIN SELECT RAISE(ABORT, 'a recorded text stays'); END;

CREATE TRIGGER recipe_is_recorded BEFORE UPDATE ON recipe
WHEN (OLD.number, OLD.series, OLD.event) IS NOT (NEW.number, NEW.series, NEW.event)
    OR (OLD.superseded_event IS NOT NULL AND OLD.superseded_event IS NOT NEW.superseded_event)
    OR (OLD.arm <> NEW.arm AND NEW.arm NOT GLOB '[[]⌫ ????-??-??]')
    OR (OLD.command <> NEW.command AND NEW.command NOT GLOB '[[]⌫ ????-??-??]')
    OR (OLD.code <> NEW.code AND NEW.code NOT GLOB '[[]⌫ ????-??-??]')
    OR (OLD.parameters <> NEW.parameters AND NEW.parameters NOT GLOB '[[]⌫ ????-??-??]')
    OR (OLD.seed <> NEW.seed AND NEW.seed NOT GLOB '[[]⌫ ????-??-??]')
    OR (OLD.machine <> NEW.machine AND NEW.machine NOT GLOB '[[]⌫ ????-??-??]')
    OR (OLD.logs <> NEW.logs AND NEW.logs NOT GLOB '[[]⌫ ????-??-??]')
    OR (OLD.note <> NEW.note AND NEW.note NOT GLOB '[[]⌫ ????-??-??]')
BEGIN SELECT RAISE(ABORT, 'a recorded text stays'); END;

CREATE TRIGGER measurement_is_recorded BEFORE UPDATE ON measurement
WHEN (OLD.number, OLD.series, OLD.event) IS NOT (NEW.number, NEW.series, NEW.event)
    OR (OLD.superseded_event IS NOT NULL AND OLD.superseded_event IS NOT NEW.superseded_event)
    OR (OLD.quantity <> NEW.quantity AND NEW.quantity NOT GLOB '[[]⌫ ????-??-??]')
    OR (OLD.value <> NEW.value AND NEW.value NOT GLOB '[[]⌫ ????-??-??]')
    OR (OLD.arm <> NEW.arm AND NEW.arm NOT GLOB '[[]⌫ ????-??-??]')
    OR (OLD.seed <> NEW.seed AND NEW.seed NOT GLOB '[[]⌫ ????-??-??]')
    OR (OLD.n <> NEW.n AND NEW.n NOT GLOB '[[]⌫ ????-??-??]')
    OR (OLD.source <> NEW.source AND NEW.source NOT GLOB '[[]⌫ ????-??-??]')
BEGIN SELECT RAISE(ABORT, 'a recorded text stays'); END;

CREATE TRIGGER result_is_recorded BEFORE UPDATE ON result
WHEN (OLD.number, OLD.series, OLD.event, OLD.verdict) IS NOT (NEW.number, NEW.series, NEW.event, NEW.verdict)
    OR (OLD.superseded_event IS NOT NULL AND OLD.superseded_event IS NOT NEW.superseded_event)
    OR (OLD.conclusion <> NEW.conclusion AND NEW.conclusion NOT GLOB '[[]⌫ ????-??-??]')
    OR (OLD.open_questions <> NEW.open_questions AND NEW.open_questions NOT GLOB '[[]⌫ ????-??-??]')
    OR (OLD.file <> NEW.file AND NEW.file NOT GLOB '[[]⌫ ????-??-??]')
BEGIN SELECT RAISE(ABORT, 'a recorded text stays'); END;
