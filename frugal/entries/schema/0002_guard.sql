-- The published program makes its tables if they are missing; with this view in the way it gets an error instead of
-- starting an empty store inside this file.
CREATE VIEW eintrag AS SELECT id, text AS content FROM entry WHERE 0;
