"""The accounts of one process: what each population has cost, and which messages it has shown.

All equivalent queries draw on one account: those of one canonical form, and those whose complete scans gave the same
set of messages. Accounts that turn out to be one are added up.
"""

import base64
import hashlib
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from frugal_modes.evidence.budgets import ACCOUNT_BYTES, Purse

QUERY_REF_CHARACTERS = 16


@dataclass
class Account:
    """What one population has cost in bytes, and the refs of the messages that were transmitted."""

    number: int
    spent: int = 0
    reserved: int = 0
    disclosed: set[str] = field(default_factory=set)

    @property
    def left(self) -> int:
        """Bytes that may still be spent."""
        return max(ACCOUNT_BYTES - self.spent - self.reserved, 0)


@dataclass(frozen=True)
class Asked:
    """One query as it was first asked in this process: *raw* reads back into it, *version* is that of its last answer."""

    query_ref: str
    canonical: str
    raw: Mapping[str, object]
    version: str


class Ledger:
    """Accounts, query refs and the bytes of the whole investigation; *total_cap* is None where that is unlimited.

    A tool holds `turn()` from choosing what to show until it has been charged, so that two calls never spend the same
    bytes.
    """

    def __init__(self, key: str, *, total_cap: int | None = None) -> None:
        self.key = key
        self.total_cap = total_cap
        self.total = 0
        self.reserved = 0
        self._lock = threading.RLock()
        self._accounts: dict[int, Account] = {}
        self._by_canonical: dict[str, int] = {}
        self._by_population: dict[str, int] = {}
        self._asked: dict[str, Asked] = {}
        self._has_answered = False

    @property
    def is_begun(self) -> bool:
        """Whether anything was asked or answered; refusals of calls that got to no query begin nothing."""
        return self._has_answered or bool(self._accounts)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Hold the ledger."""
        with self._lock:
            yield

    @property
    def total_left(self) -> int | None:
        """Bytes left of the investigation, None without a limit."""
        return None if self.total_cap is None else max(self.total_cap - self.total - self.reserved, 0)

    def purse(self, account: Account | None = None) -> Purse:
        """Return what is left for an answer charged to *account*."""
        return Purse(account.left if account else None, self.total_left)

    def known_account(self, canonical: str) -> Account | None:
        """Return the account of a canonical form that was asked before."""
        number = self._by_canonical.get(canonical)
        return None if number is None else self._accounts[number]

    def account(self, canonical: str, population: str = "") -> Account:
        """Return the one account of *canonical* and of *population* (a fingerprint; "": empty, or not known).

        What was counted apart until now is added: bytes and disclosed refs.
        """
        found = self.known_account(canonical)
        same = self._accounts[self._by_population[population]] if population in self._by_population else None
        if found is None and same is None:
            found = Account(max(self._accounts, default=0) + 1)
            self._accounts[found.number] = found
        elif found is None or same is None or found is same:
            found = found or same
        else:
            found = self._merge(found, same)
        assert found is not None
        self._by_canonical[canonical] = found.number
        if population:
            self._by_population[population] = found.number
        return found

    def _merge(self, one: Account, other: Account) -> Account:
        kept, gone = sorted((one, other), key=lambda account: account.number)
        kept.spent += gone.spent
        kept.reserved += gone.reserved
        kept.disclosed |= gone.disclosed
        for index in (self._by_canonical, self._by_population):
            index.update({name: kept.number for name, number in index.items() if number == gone.number})
        del self._accounts[gone.number]
        return kept

    def note(
        self, canonical: str, roles: str, *, raw: Mapping[str, object], version: str
    ) -> tuple[str, bool]:
        """Return the ref of a query, and whether an earlier answer of it came from another version of the corpus.

        *roles* tells its assignment of roles, which the canonical form leaves out.
        """
        query_ref = self._query_ref(canonical, roles)
        before = self._asked.pop(query_ref, None)
        self._asked[query_ref] = Asked(query_ref, canonical, before.raw if before else raw, version)
        return query_ref, before is not None and before.version != version

    def _query_ref(self, canonical: str, roles: str) -> str:
        named = "\0".join((self.key, canonical, roles)).encode("utf-8", "backslashreplace")
        digest = base64.b32encode(hashlib.blake2b(named, digest_size=16).digest()).decode().lower()
        return f"q-{digest[:QUERY_REF_CHARACTERS]}"

    def find(self, query_ref: str) -> Asked | None:
        """Return the query behind a ref of this process."""
        return self._asked.get(query_ref)

    def charge(self, account: Account | None, size_bytes: int, *, disclosed: Iterable[str] = ()) -> None:
        """Book a sent answer: to *account* if it has one, and to the investigation."""
        self.total += size_bytes
        self._has_answered = True
        if account is not None:
            account.spent += size_bytes
            account.disclosed.update(disclosed)

    def charge_refusal(self, size_bytes: int) -> None:
        """Book a sent refusal to the investigation."""
        self.total += size_bytes

    def reserve(self, account: Account, size_bytes: int) -> None:
        """Keep *size_bytes* aside for a reply that is sent after work which cannot be taken back."""
        account.reserved += size_bytes
        self.reserved += size_bytes

    def release(self, account: Account, size_bytes: int) -> None:
        """Give back what was reserved."""
        account.reserved -= size_bytes
        self.reserved -= size_bytes

    def newest(self, most: int) -> list[tuple[Asked, Account]]:
        """Return the last query of each account, the newest first, at most *most*."""
        found: dict[int, tuple[Asked, Account]] = {}
        for asked in reversed(self._asked.values()):
            number = self._by_canonical[asked.canonical]
            found.setdefault(number, (asked, self._accounts[number]))
        return list(found.values())[:most]

    @property
    def accounts(self) -> int:
        """How many accounts are open."""
        return len(self._accounts)

    def as_record(self) -> dict[str, object]:
        """Return everything as JSON values, for a session file."""
        accounts = [
            {
                "spent": account.spent,
                "disclosed": sorted(account.disclosed),
                "canonical": [name for name, at in self._by_canonical.items() if at == number],
                "populations": [name for name, at in self._by_population.items() if at == number],
            }
            for number, account in sorted(self._accounts.items())
        ]
        asked = [vars(item) | {"raw": dict(item.raw)} for item in self._asked.values()]
        return {"key": self.key, "total": self.total, "accounts": accounts, "asked": asked}

    @classmethod
    def from_record(cls, record: Mapping[str, object], *, total_cap: int | None) -> "Ledger":
        """Return the ledger of a session file; raise ValueError, KeyError or TypeError if it holds none."""
        ledger = cls(str(record["key"]), total_cap=total_cap)
        ledger.total = _whole(record["total"])
        for number, item in enumerate(_objects(record["accounts"]), 1):
            account = Account(number, spent=_whole(item["spent"]), disclosed=set(_texts(item["disclosed"])))
            ledger._accounts[number] = account
            ledger._by_canonical.update(dict.fromkeys(_texts(item["canonical"]), number))
            ledger._by_population.update(dict.fromkeys(_texts(item["populations"]), number))
        for item in _objects(record["asked"]):
            query_ref, canonical, version = (str(item[key]) for key in ("query_ref", "canonical", "version"))
            if canonical not in ledger._by_canonical:
                raise ValueError(canonical)
            raw = item["raw"]
            if not isinstance(raw, dict):
                raise TypeError(raw)
            ledger._asked[query_ref] = Asked(query_ref, canonical, raw, version)
        return ledger


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(value)
    return value


def _texts(value: object) -> list[str]:
    if not isinstance(value, list):
        raise TypeError(value)
    return [str(item) for item in value]


def _objects(value: object) -> list[dict[str, object]]:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise TypeError(value)
    return value
