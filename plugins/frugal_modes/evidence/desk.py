"""Where a tool works: the ledger of this process or session, the corpora in view, and how an answer leaves.

`DeskTool` wraps the function of a tool: it opens the ledger, gathers what the shell's flags say, and turns every failure
into an answer that is charged to the investigation.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from inspect import Parameter as Argument
from inspect import Signature
from pathlib import Path
from typing import Any

from frugal.api import Answer, Call, Connection, FrugalError, Parameter, Refusal, Refused, StoreError, Surface
from frugal_modes.evidence.budgets import Purse, cap_of
from frugal_modes.evidence.corpus import Scope, scope_of
from frugal_modes.evidence.envelope import Fitted, Fitting, fit, no_growth
from frugal_modes.evidence.errors import Denied, code_of, quoted, refusal
from frugal_modes.evidence.ledger import Account, Ledger
from frugal_modes.evidence.session import kept_ledger
from frugal_modes.evidence.settings import Given, settings_of
from frugal_modes.evidence.vocabulary import MATCH_KINDS

IMPORT_COMMAND = "frugal-memory evidence import SOURCE"
_LEDGER = "evidence.ledger"
PARTIAL = 3


@dataclass
class Desk:
    """One call at work. *canonical* is set once it is known which query the answer is charged to; *asides* are lines for
    the reader of the shell.
    """

    call: Call
    given: Given
    ledger: Ledger
    has_session: bool = False
    canonical: str | None = None
    asides: tuple[str, ...] = ()

    @property
    def account(self) -> Account | None:
        """The account of the query, looked up anew: another call may have merged it meanwhile."""
        return None if self.canonical is None else self.ledger.known_account(self.canonical)

    @property
    def purse(self) -> Purse:
        """What is left for the answer."""
        return self.ledger.purse(self.account)

    @property
    def corpora(self) -> tuple[str, ...]:
        """The corpora this server or command is restricted to; empty = all."""
        return self.call.settings.given.get("corpus", ())

    def text(self, key: str, **fields: object) -> str:
        """Return a text of this mode."""
        return self.call.surface.text(key, **fields)

    @contextmanager
    def reading(self) -> Iterator[tuple[Connection, Scope]]:
        """Yield a reading connection and the corpora in view; raise `Denied` if there is no message to read."""
        path = Path(self.call.store.path)
        with suppress(OSError):  # what is wrong with the path is told when it is opened
            if not self.call.is_guest and (not path.exists() or path.stat().st_size == 0):
                raise Denied("no_corpus", command=IMPORT_COMMAND)
        with self.call.store.read() as db:
            scope = scope_of(db, self.corpora)
            if scope.unknown:
                known = (
                    ", ".join(corpus.name for corpus in scope_of(db).corpora)
                    if not self.call.is_guest
                    else "-"
                )
                raise Denied(
                    "no_corpus", key="no_corpus_named", value=quoted(scope.unknown[0]), known=quoted(known)
                )
            if not scope.messages:
                raise Denied("no_corpus", command=IMPORT_COMMAND)
            yield db, scope

    def fitted(
        self, told: Fitting, *, tool: str, max_bytes: int | None, grow: Callable[[int], bool] = no_growth
    ) -> Fitted:
        """Return the answer that *told* builds, within the cap of *tool* and what is left; raise `Denied` if none fits."""
        is_brief = self.given.is_brief
        cap = cap_of(tool, max_bytes)
        return fit(told.build, told.shrink, purse=self.purse, cap=cap, is_brief=is_brief, grow=grow)

    def send(self, fitted: Fitted, *, shown: Callable[[Surface, Mapping[str, object]], str]) -> Answer:
        """Charge an answer that fits and return it; *shown* turns it into text for the shell."""
        self.ledger.charge(self.account, fitted.settled.size_bytes, disclosed=fitted.draft.refs)
        structured = dict(fitted.settled.structured)
        exit_code = None if fitted.draft.is_complete else PARTIAL
        if not self.call.is_from_shell:
            return Answer(fitted.settled.text, structured=structured, exit_code=exit_code)
        text = "\n".join([shown(self.call.surface, structured), *self.asides])
        return Answer(text, counts=structured, structured=structured, exit_code=exit_code)

    def refuse(self, error: FrugalError) -> Answer:
        """Return *error* as an answer, charged to the investigation as far as that can still pay."""
        with self.ledger.turn():
            answer, size_bytes = refusal(
                self.call, _for_guest(self.call, error), self.purse, is_brief=self.given.is_brief
            )
            left = self.ledger.total_left
            self.ledger.charge_refusal(size_bytes if left is None else min(size_bytes, left))
        return answer


def _for_guest(call: Call, error: FrugalError) -> FrugalError:
    """Return *error* without what a guest is not told: paths, but for that of a file which does not exist."""
    if not call.is_guest:
        return error
    if isinstance(error, StoreError) and error.code != "missing_file" and "path" in error.data:
        part = {"part": Path(str(error.data["part"])).name} if "part" in error.data else {}
        return type(error)(**{**error.data, "path": call.settings.path.name, **part})
    return error


def ledger_of(call: Call, given: Given) -> Ledger:
    """Return the ledger of this process."""
    found = call.process.setdefault(_LEDGER, Ledger(call.process_key, total_cap=given.total_bytes))
    assert isinstance(found, Ledger)
    return found


class DeskTool:
    """A tool of this mode as the engine calls it; its signature is that of its declaration.

    *run* is called as `run(desk, **arguments)`. What the shell's flags say about a query goes into `query`.
    """

    def __init__(
        self,
        run: Callable[..., Answer],
        parameters: Sequence[Parameter],
        flags: Sequence[str] = (),
        *,
        is_reading_session: bool = False,
    ) -> None:
        self._run = run
        self._is_reading_session = is_reading_session
        self._flags = tuple(flags)
        own = [Argument(parameter.name, Argument.KEYWORD_ONLY) for parameter in parameters]
        self.__signature__ = Signature([Argument("call", Argument.POSITIONAL_ONLY), *own])

    def __call__(self, call: Call, /, **arguments: Any) -> Answer:
        """Run the tool; every failure comes back as an answer."""
        given = settings_of(call)
        session = str(arguments.pop("session", "") or "")
        flags = {name: arguments.pop(name, ()) for name in self._flags if name != "session"}
        is_reading = self._is_reading_session or _asks_of_nothing(session, arguments)
        kept = (
            kept_ledger(
                Path(session), key=call.process_key, total_cap=given.total_bytes, is_reading=is_reading
            )
            if session
            else nullcontext(ledger_of(call, given))
        )
        with kept as ledger:
            desk = Desk(call, given, ledger, has_session=bool(session))
            try:
                if flags and any(flags.values()):
                    arguments["query"] = _of_flags(arguments.get("query"), arguments.get("query_ref"), flags)
                return self._run(desk, **arguments)
            except FrugalError as error:
                return desk.refuse(error)


def _asks_of_nothing(session: str, arguments: Mapping[str, Any]) -> bool:
    """Return whether a ref is asked of a session that is not there: it would begin only to know no such ref."""
    return bool(session and arguments.get("query_ref")) and not Path(session).exists()


def refuse(call: Call, error: FrugalError, tool: str, arguments: Mapping[str, Any]) -> Answer:
    """Tell a failure outside the tools in this mode's way: unknown tools and arguments, a setting, a broken file."""
    try:
        given = settings_of(call)
    except Denied:
        given = Given(None, 1, is_brief=False, export_folder=Path(), export_bytes=1)
        desk = Desk(call, given, Ledger(call.process_key))
        return desk.refuse(error)
    if code_of(error) == "export_disabled" and isinstance(error, Refusal):
        value, known = str(error.data.get("value", tool)), error.data.get("known", "-")
        error = Denied("export_disabled", value=quoted(value), known=known)
    return Desk(call, given, ledger_of(call, given)).refuse(error)


def _of_flags(query: object, query_ref: object, flags: Mapping[str, Any]) -> dict[str, object]:
    """Return the query that flags of the shell spell."""
    if query or query_ref:
        raise Denied("bad_argument", key="bad_argument_flags", field="query")
    clauses = [{"match": kind, "text": text} for kind in MATCH_KINDS for text in flags[kind]]
    lists = {
        "conversation_ids": "conversation",
        "conversation_types": "conversation_type",
        "sender_ids": "sender",
        "sender_types": "sender_type",
        "thread_ids": "thread",
        "organizations": "organization",
        "workspaces": "workspace",
    }
    filters: dict[str, object] = {name: list(flags[flag]) for name, flag in lists.items() if flags[flag]}
    filters |= {name: flags[flag] for name, flag in (("from", "since"), ("to", "until")) if flags[flag]}
    spelled: dict[str, object] = {
        "clauses": clauses,
        "combine": "any" if flags["any"] else "",
        "none": [{"match": "phrase", "text": text} for text in flags["none"]],
        "filters": filters,
        "timezone": flags["timezone"],
    }
    return {name: value for name, value in spelled.items() if value}


def gathered(call: Call, *others: FrugalError) -> Refused | None:
    """Return all problems of a call as one, None without any."""
    problems = [*call.problems]
    for other in others:
        problems += (
            other.problems if isinstance(other, Refused) else [other] if isinstance(other, Refusal) else []
        )
    return Refused(problems) if problems else None


def raise_problems(call: Call, *others: FrugalError) -> None:
    """Raise all problems of a call together, if there is any."""
    found = gathered(call, *others)
    if found is not None:
        raise found


def new_desk(call: Call) -> Desk:
    """Return a desk for a command that asks no query."""
    given = settings_of(call)
    return Desk(call, given, ledger_of(call, given))
