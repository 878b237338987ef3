-- Entries that begin with a bold headline, by their title, so that remember can name one that has it already.
CREATE INDEX entry_by_headline ON entry (title) WHERE substr(text, 1, 2) IN ('**', '__');
