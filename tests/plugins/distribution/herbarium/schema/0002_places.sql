ALTER TABLE specimen ADD COLUMN place TEXT NOT NULL DEFAULT '';

CREATE INDEX specimen_by_kind ON specimen (kind, id);
