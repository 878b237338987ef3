"""The overview: which corpora there are, what they can be filtered by, caps, and what each open account has left."""

import json
from dataclasses import dataclass

from frugal.api import Answer, Connection, Tool
from frugal_modes.evidence.budgets import ACCOUNT_BYTES, CAPS
from frugal_modes.evidence.corpus import Scope
from frugal_modes.evidence.desk import Desk
from frugal_modes.evidence.envelope import Draft
from frugal_modes.evidence.rows import moment_text
from frugal_modes.evidence.shelltext import overview as in_shell

MOST_ACCOUNTS = 20

SENDER_TYPES = """
    SELECT type, count(*) FROM sender WHERE corpus IN (SELECT value FROM json_each(:corpora))
    GROUP BY type ORDER BY type
"""
CONVERSATION_TYPES = """
    SELECT type, count(*) FROM conversation WHERE corpus IN (SELECT value FROM json_each(:corpora))
    GROUP BY type ORDER BY type
"""


@dataclass
class _Overview:
    """What is sent of the overview; accounts go first when it has to be smaller, the oldest before the newer."""

    desk: Desk
    db: Connection
    scope: Scope
    accounts: int = MOST_ACCOUNTS
    corpora: int = 100

    def build(self, limits: frozenset[str]) -> Draft:
        """Return the draft."""
        scope, ledger = self.scope, self.desk.ledger
        accounts = self._accounts()
        is_cut = len(scope.corpora) > self.corpora or ledger.accounts > len(accounts)
        brief = self.desk.text("brief.overview", corpora=len(scope.corpora), messages=scope.messages)
        return Draft(
            "overview",
            scope.version,
            {**self._corpus(), "caps": self._caps(), "open": ledger.accounts, "accounts": accounts},
            is_truncated=is_cut,
            stop_reasons=limits,
            brief=brief,
        )

    def _corpus(self) -> dict[str, object]:
        """Return what there is to ask about."""
        scope = self.scope
        named = {"corpora": json.dumps(scope.numbers)}
        corpora = [
            {
                "name": corpus.name,
                "format": corpus.format,
                "messages": corpus.messages,
                "from": None if corpus.first_at is None else moment_text(corpus.first_at),
                "to": None if corpus.last_at is None else moment_text(corpus.last_at),
            }
            for corpus in scope.corpora[: self.corpora]
        ]
        return {
            "corpora": corpora,
            "messages": scope.messages,
            "from": moment_text(scope.first_at or 0),
            "to": moment_text(scope.last_at or 0),
            "sender_types": dict(self.db.execute(SENDER_TYPES, named).fetchall()),
            "conversation_types": dict(self.db.execute(CONVERSATION_TYPES, named).fetchall()),
        }

    def _accounts(self) -> list[dict[str, object]]:
        """Return what the newest queries have cost."""
        newest = self.desk.ledger.newest(MOST_ACCOUNTS)
        return [
            {"query_ref": asked.query_ref, "spent": account.spent, "left": account.left}
            for asked, account in newest[: self.accounts]
        ]

    def _caps(self) -> dict[str, int]:
        caps = {self.desk.call.surface.tool_name(tool.name): CAPS[tool.name] for tool in self._tools()}
        return {**caps, "account": ACCOUNT_BYTES}

    def _tools(self) -> list[Tool]:
        return [tool for tool in self.desk.call.surface.tools if tool.name in CAPS]

    def shrink(self) -> bool:
        """Take away an account, then a corpus."""
        held = min(self.accounts, self.desk.ledger.accounts)
        if held > 0:
            self.accounts = held - 1
            return True
        self.corpora = min(self.corpora, len(self.scope.corpora)) - 1
        return self.corpora >= 0


def overview(desk: Desk, max_bytes: int | None) -> Answer:
    """Return the overview, charged to the investigation only."""
    with desk.reading() as (db, scope), desk.ledger.turn():
        told = _Overview(desk, db, scope)
        return desk.send(desk.fitted(told, tool="measure_messages", max_bytes=max_bytes), shown=in_shell)
