"""What a tool is given beside its arguments: the store, the surface and the life of the process around it."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from frugal.errors import Refusal
from frugal.model import Mode
from frugal.settings import ModeSettings
from frugal.store import Job, Store
from frugal.surface import Surface
from frugal.transfer import Progress, no_progress

Clock = Callable[[], datetime]
Opinion = Callable[[str, str], str | None]
ShowProgress = Callable[[str], AbstractContextManager[Progress]]


def drop(job: Job) -> None:
    """Do nothing with *job*: what a call without a workspace does with work that may be lost."""


@contextmanager
def unseen(_label: str) -> Iterator[Progress]:
    """Yield a progress that nobody sees."""
    yield no_progress


@dataclass
class Client:
    """One connection: what it asked since its last show. Belongs to that connection alone.

    *agent* is `name@version` of the program at the other end, "" if it did not say.
    """

    agent: str = ""
    memory: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Call:
    """One call of one tool. *process_key* names the server process; entries it writes close in time belong together.

    *process* is memory that lasts as long as the workspace: what one call wants the next one to know. *later* takes a
    job that is done behind the answer and may be lost; one that raises StoreBusy is tried again at the next call.
    *problems* are set for a tool that gathers them (`Tool.gathers_problems`). `with call.progress(label) as report`
    shows a bar on a terminal: `report(done, total)`.
    """

    mode: Mode
    store: Store
    surface: Surface
    settings: ModeSettings
    clock: Clock
    process_key: str
    client: Client
    process: dict[str, object] = field(default_factory=dict)
    is_guest: bool = False
    is_from_shell: bool = False
    problems: tuple[Refusal, ...] = ()
    opinion: Opinion | None = None
    later: Callable[[Job], None] = drop
    progress: ShowProgress = unseen

    def now(self) -> datetime:
        """Return the present moment in UTC, whole seconds."""
        return self.clock().astimezone(UTC).replace(microsecond=0)

    def stamp(self) -> str:
        """Return the present moment as it is stored: `YYYY-MM-DD HH:MM:SS`, UTC."""
        return self.now().strftime("%Y-%m-%d %H:%M:%S")
