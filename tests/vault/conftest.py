"""A vault in a folder of its own, driven through the engine as a client would."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from frugal.call import Client
from frugal.engine import Reply, Workspace, build_engine
from frugal.settings import Options, load_settings
from frugal_modes.vault import VAULT
from frugal_modes.vault.cardtext import read_card
from frugal_modes.vault.records import Card

BODY = "The configuration lies in /etc/nginx on ecs-prod."
OTHER_BODY = "Since the move it lies in /opt/nginx on ecs-test."


@pytest.fixture(autouse=True)
def _time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no search run out of time on a busy machine; tests of what happens then set the limits themselves."""
    from frugal_modes.vault import sync
    from frugal_modes.vault.sweep import Limits

    monkeypatch.setattr(sync, "SEARCH", Limits(look_s=600.0, read_s=600.0, wait_s=sync.SEARCH.wait_s))
    monkeypatch.setattr(sync, "TURN_S", 600.0)


class Vault:
    """One client of one vault: `vault("memory_capture", title="x", body="...")` gives the fields of the answer."""

    def __init__(self, workspace: Workspace, folder: Path, clock: Any, agent: str = "claude@1") -> None:
        self.workspace = workspace
        self.folder = folder
        self.clock = clock
        self.client = Client(agent=agent)

    def reply(self, tool: str, /, **arguments: object) -> Reply:
        return self.workspace.call(
            self.client, tool, arguments, from_shell=tool.startswith("vault_") or tool in SHELL
        )

    def __call__(self, tool: str, /, **arguments: object) -> dict[str, Any]:
        """Return the fields of an answer; a refusal fails the test."""
        reply = self.reply(tool, **arguments)
        assert not reply.is_error, reply.text
        assert reply.answer is not None
        text = "\n".join([reply.text, *reply.answer.notes])
        return {**reply.answer.counts, "text": text, "existing": list(reply.answer.items)}

    def refused(self, tool: str, /, **arguments: object) -> str:
        """Return the text of a refusal; an answer fails the test."""
        reply = self.reply(tool, **arguments)
        assert reply.is_error, reply.text
        return reply.text

    def capture(self, title: str, body: str = BODY, **more: object) -> int:
        """Store a card and return its number."""
        return int(self("memory_capture", title=title, body=body, **more)["id"])

    def text(self, path: str) -> str:
        return (self.folder / path).read_bytes().decode()

    def write(self, path: str, text: str) -> Path:
        """Write a file as an editor would."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())
        return target

    def card(self, path: str) -> Card:
        return read_card(self.text(path), path=path).cards[0]

    def files(self) -> list[str]:
        """Return every card in the vault, by path."""
        found = (path.relative_to(self.folder) for path in self.folder.rglob("*.md"))
        return sorted(path.as_posix() for path in found if ".trash" not in path.parts)

    def trash(self) -> list[str]:
        found = (path.relative_to(self.folder) for path in (self.folder / ".trash").rglob("*.md"))
        return sorted(path.as_posix() for path in found)

    def manifest(self) -> list[dict[str, Any]]:
        lines = self.text(".trash/.manifest.jsonl").splitlines()
        return [json.loads(line) for line in lines]

    def known(self, reference: object) -> Any:
        """Return what the index knows of a card."""
        from frugal_modes.vault import shelf

        with self.workspace.store.read() as db:
            return shelf.find(db, str(reference), at=self.clock())


SHELL = frozenset({"restore", "purge", "paths", "source add", "source list", "source remove"})


@pytest.fixture
def open_vault(tmp_path: Path, clock: Any) -> Iterator[Callable[..., Vault]]:
    """Open a vault below the test's folder; further variables as keywords."""
    opened: list[Workspace] = []

    def open_it(
        language: str = "en", *, folder: str = "vault", is_made: bool = True, **environ: str
    ) -> Vault:
        values = {
            "HOME": str(tmp_path),
            "XDG_DATA_HOME": str(tmp_path),
            "XDG_CONFIG_HOME": str(tmp_path),
            "VAULT_DIR": str(tmp_path / folder),
            **environ,
        }
        if is_made:
            (tmp_path / folder).mkdir(exist_ok=True)
        options = Options(db=str(tmp_path / "vault.db"), lang=language)
        engine = build_engine(load_settings(options, values), modes=[VAULT], clock=clock)
        workspace = engine.open(VAULT)
        opened.append(workspace)
        return Vault(workspace, tmp_path / folder, clock)

    yield open_it
    for workspace in opened:
        workspace.close()


@pytest.fixture
def vault(open_vault: Callable[..., Vault]) -> Vault:
    return open_vault()
