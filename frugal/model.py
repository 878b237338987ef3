"""Frozen values that the engine, the modes and the edges pass to each other."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from importlib import import_module
from typing import Any, NamedTuple, Protocol

UNSORTED = "gemischt"
"""How "no kind" is stored, in files of either language."""


@dataclass(frozen=True)
class Migration:
    """One numbered step of a schema: *sql* may hold several statements; a shipped one is never edited."""

    set_name: str
    name: str
    sql: str


@dataclass(frozen=True)
class MigrationSet:
    """The migrations of one owner, in order; the ledger is keyed (set, name)."""

    name: str
    migrations: tuple[Migration, ...]


@dataclass(frozen=True)
class SchemaFolder:
    """Where a migration set lies: the folder `schema/` of *package*."""

    set_name: str
    package: str


@dataclass(frozen=True)
class Kind:
    """One word of a mode's closed vocabulary: English and German name; the German one is stored."""

    english: str
    german: str
    is_hidden: bool = False

    @property
    def stored(self) -> str:
        """The word in the file."""
        return self.german

    def word(self, language: str) -> str:
        """Return the word of *language* (BCP 47 primary tag)."""
        return self.german if language == "de" else self.english


NO_KIND = Kind("unsorted", UNSORTED)
EVERY_KIND = Kind("all", "alle")


@dataclass(frozen=True)
class KindVocabulary:
    """The kinds of one mode, always listed in this order; `unsorted` and `all` belong to every vocabulary."""

    kinds: tuple[Kind, ...] = ()

    @property
    def hidden(self) -> tuple[Kind, ...]:
        """Kinds that a search leaves out unless they are asked for."""
        return tuple(kind for kind in self.kinds if kind.is_hidden)

    def words(self, language: str) -> tuple[str, ...]:
        """Return the kind words of *language*, without `unsorted` and `all`."""
        return tuple(kind.word(language) for kind in self.kinds)

    def find(self, word: str) -> Kind | None:
        """Return the kind that *word* names in either language: any case, umlauts and ß spelled out."""
        wanted = spell_out(word)
        for kind in (*self.kinds, NO_KIND, EVERY_KIND):
            if wanted in (kind.english, kind.german):
                return kind
        return None

    def stored(self, word: str) -> Kind:
        """Return the kind stored as *word*; an unknown word counts as unsorted."""
        for kind in self.kinds:
            if kind.stored == word:
                return kind
        return NO_KIND


_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


def spell_out(word: str) -> str:
    """Return *word* in lower case with German umlauts and ß spelled out."""
    return word.strip().lower().replace("\u0308", "e").translate(_SPELLED_OUT)


def resolve(reference: str) -> Any:
    """Import and return what *reference*, `package.module:name`, stands for."""
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)


class Access(Enum):
    """What a tool does to the store."""

    READS = "reads"
    WRITES = "writes"


@dataclass(frozen=True)
class Cap:
    """The most an answer may cost: *characters* of its text, *size_bytes* of the whole result on the wire."""

    characters: int
    size_bytes: int


class Form(Protocol):
    """How the value of a parameter is declared to a client and read from what arrives."""

    @property
    def takes_list(self) -> bool:
        """Whether an array is read as its items joined by commas."""

    def schema(self, surface: Any) -> dict[str, object]:
        """Return the JSON schema of the value on *surface* (`frugal.surface.Surface`)."""

    def read(self, raw: Any, surface: Any) -> Any:
        """Return the value of *raw*; raise `Refusal` if it cannot be meant."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a tool, under its English name; absent and null mean *default*, given to the tool as it is.

    In the shell a required one is an argument, and so is one that *is_positional*; the others are options, and so is
    a required one that *is_option*. One that *reads_stdin* takes a piped standard input where the line does not give it.
    *is_shell_only*: no client of the protocol is offered it. *short* is a letter by which the shell takes it too. One
    that *is_path* names a file: the shell fills in `~` and variables; `-` comes as it is, not as what standard
    input holds. An option that *takes_words* is named where a line has words without one.
    """

    name: str
    form: Form
    is_required: bool = False
    default: object = None
    is_positional: bool = False
    is_option: bool = False
    reads_stdin: bool = False
    is_shell_only: bool = False
    short: str = ""
    is_path: bool = False
    takes_words: bool = False

    @property
    def is_argument(self) -> bool:
        """Whether the shell takes it without a name."""
        return self.is_positional or (self.is_required and not self.is_option)


@dataclass(frozen=True)
class Answer:
    """What a tool says: *text* for the reader, *items* and *counts* for `--json`, whose keys are English.

    *structured* goes to a client beside the text, both as they are: a mode with such answers keeps its caps itself.
    *exit_code* is the shell's where it is another than the rule (0, for an empty answer or a refusal 1); *notes* are
    lines that the shell writes to stderr. *code* names a refusal.
    """

    text: str
    items: tuple[Mapping[str, object], ...] = ()
    counts: Mapping[str, object] = field(default_factory=dict)
    is_empty: bool = False
    is_refusal: bool = False
    structured: Mapping[str, object] | None = None
    exit_code: int | None = None
    notes: tuple[str, ...] = ()
    code: str = "refused"


@dataclass(frozen=True)
class Tool:
    """One tool, declared once in English; *run* is `package.module:function`, called as `run(call, **arguments)`.

    *cap* takes the arguments as read and gives the cap of that answer. `command` is a shorter name for the shell.
    `is_shell_only`: a command that no client of the protocol is offered. *asks* names a switch of it: without the
    switch the tool changes nothing, and the shell asks on a terminal whether it is meant, except where the parameter
    *asks_unless* is given. A tool that *gathers_problems* is called although arguments cannot be read: it gets their
    defaults, finds the reasons in `Call.problems`, adds what else forbids the call and refuses all of it at once.
    `is_open_world` may name a function instead, `package.module:function`, called as
    `function(settings, has_opinion=...)` with the mode's settings and whether a plugin gives second opinions.
    *output_schema* is `package.module:NAME` of the JSON schema of `Answer.structured`.
    """

    name: str
    run: str
    parameters: tuple[Parameter, ...]
    cap: Callable[[Mapping[str, Any]], Cap]
    access: Access = Access.READS
    is_destructive: bool = False
    is_idempotent: bool = True
    is_open_world: bool | str = False
    is_for_guests: bool = False
    is_shell_only: bool = False
    asks: str = ""
    asks_unless: str = ""
    command: str = ""
    gathers_problems: bool = False
    output_schema: str = ""

    @property
    def offered(self) -> tuple[Parameter, ...]:
        """The parameters that a client of the protocol may give."""
        return tuple(parameter for parameter in self.parameters if not parameter.is_shell_only)

    def resolve(self) -> Callable[..., Answer]:
        """Import and return the function behind `run`."""
        found: Callable[..., Answer] = resolve(self.run)
        return found


@dataclass(frozen=True)
class EntryRules:
    """How a mode with the entry tools differs: *long_characters* from which a text is called long, whether a dated
    chronicle is pointed out, and `package.module:function` of what it does beside storing.

    *store_hook* is called as `hook(call, db, entry_id, text)` inside the transaction of a new entry, of an import too;
    *hint_hook* as `hook(call, db, entry_id, text)` after remember, and gives lines for the answer; *erase_hook* as
    `hook(call, db, entry_id)` inside the transaction that erases an entry, to remove what repeats its text;
    *query_hook* as `hook(db, query)` by a plain recall: it gives the entries that the query names, best first, which come
    before all others, filters obeyed;
    *derive_hook* as `hook(db, entry_id, text, is_dry_run=...)` by the upkeep: it tells whether what is derived from the
    text differs, and writes it anew unless the run is dry.
    """

    long_characters: int = 900
    has_chronicle_notice: bool = False
    store_hook: str = ""
    hint_hook: str = ""
    erase_hook: str = ""
    query_hook: str = ""
    derive_hook: str = ""


@dataclass(frozen=True)
class Transfer:
    """How what a mode keeps leaves its file and enters another: functions named as `package.module:function`.

    *records* is called as `f(db)` and yields a `frugal.transfer.Record` for everything that cannot be recomputed.
    *load*, called as `f(call, db, contents, progress=...)`, stores records in a file that holds none, in the transaction
    *db*, their numbers as they are. *merge*, called as `f(call, contents, progress=...)`, adds what a file lacks in short
    transactions of its own; done again it changes nothing. Both return a `frugal.transfer.Merged`. *pages*, called as
    `f(call, db)`, yields the `frugal.transfer.Page`s of an export as Markdown.
    """

    records: str = ""
    load: str = ""
    merge: str = ""
    pages: str = ""


@dataclass(frozen=True)
class Predecessor:
    """Which files of the published predecessor a mode takes over: those whose main table is *table*.

    *take_over* is `package.module:function`, called as `function(call, db, old)` inside the transaction of the upgrade,
    after the mode's tables were made and before the old ones go; it returns a `frugal.store.TakenOver`.
    """

    table: str
    take_over: str


@dataclass(frozen=True)
class ModeOption:
    """An option of one mode, for serving and in its group of the shell: `--NAME VALUE`; *is_many*: may be repeated.

    What it does is the catalogue's `options.NAME`, underscores for hyphens.
    """

    name: str
    is_many: bool = False


@dataclass(frozen=True)
class Mode:
    """Everything one mode contributes: validated whole, comparable, without work at import.

    *package* holds `languages/en.toml`, `languages/de.toml` and, with *schemas*, `schema/NNNN_*.sql`; *includes*
    names packages whose catalogues come first (a mode's own text wins). No flag: the default mode.
    *names* are the fixed names before `#` (English, German) of a mode whose ids always carry one. A new file records
    the language it is made in, which then is its language where none is set; without *records_language* that is English.
    *upkeep* is `package.module:function` of what recomputes everything derived, called as
    `function(call, is_dry_run=..., progress=...)`; *progress* takes what is done and how much there is. *explain*, a
    function as well, is called as `function(call, problems)` with the `Refusal`s of a call's arguments and returns them,
    or others that say more. *examine*, called as `function(db, most)`, recomputes at most that many rows of the index and
    returns an `Agreement`; it only reads. *options* are its own options. *locate*, called as `function(settings)`, returns
    where the file lies and why, or None, when no setting of the engine says it. *refuse*, called as
    `function(call, error, tool_name, arguments)` for every failure of a call, returns the `Answer` that tells it.
    *readers* name source readers, `package.module:NAME`; *card_source* names the `frugal.entries.cards.CardFinder`
    that an import asks for the cards of another system. *kept_in*, called as `function(settings)`, returns the folder
    that holds what counts where the file is only an index of it, so that a backup can say so.
    """

    name: str
    package: str
    file_name: str = ""
    settings_prefix: str = ""
    flags: tuple[str, ...] = ()
    kinds: KindVocabulary = KindVocabulary()
    tools: tuple[Tool, ...] = ()
    schemas: tuple[SchemaFolder, ...] = ()
    includes: tuple[str, ...] = ()
    names: tuple[str, str] | None = None
    entry_rules: EntryRules = EntryRules()
    upkeep: str = ""
    transfer: Transfer = Transfer()
    explain: str = ""
    predecessor: Predecessor | None = None
    examine: str = ""
    is_wrapper: bool = False
    records_language: bool = True
    options: tuple[ModeOption, ...] = ()
    locate: str = ""
    refuse: str = ""
    readers: tuple[str, ...] = ()
    card_source: str = ""
    kept_in: str = ""

    @property
    def migration_sets(self) -> tuple[str, ...]:
        """The names of the migration sets, in the order in which they are applied."""
        return tuple(schema.set_name for schema in self.schemas)


class Agreement(NamedTuple):
    """Whether an index says what the texts say: *documents* there are, *indexed* are found in it (None: its own parts
    differ), *examined* of them were recomputed, and *differing* names those that came out otherwise.
    """

    documents: int
    indexed: int | None
    examined: int
    differing: tuple[str, ...] = ()

    @property
    def is_right(self) -> bool:
        """Whether nothing differs."""
        return self.documents == self.indexed and not self.differing


class Plugin(NamedTuple):
    """One plugin as found: *error* is set when it is not in use, and says why."""

    name: str
    distribution: str
    version: str
    error: str = ""
