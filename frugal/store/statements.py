"""Schema files as single statements."""

import sqlite3
from collections.abc import Iterator


def statements_of(sql: str) -> Iterator[str]:
    """Yield the statements of *sql* one by one: `executescript` would commit what is open."""
    pending = ""
    for piece in sql.split(";"):
        pending += piece
        if not sqlite3.complete_statement(f"{pending};"):
            pending += ";"
            continue
        if pending.strip():
            yield pending.strip()
        pending = ""
    if pending.strip("; \t\r\n"):
        yield pending.removesuffix(";").strip()
