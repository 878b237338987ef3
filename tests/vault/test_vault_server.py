"""The vault behind a real server: raw calls with wrong shapes, refusals with all fields, an index of an older version."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from frugal import engine
from tests.stdio_client import StdioClient
from tests.vault.conftest import BODY, Vault

KEY = "AKIA" + "ABCDEFGH12345678"


def asked(client: StdioClient, method: str, params: object) -> dict[str, Any]:
    request_id = client.new_id()
    client.send({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params})
    return client.receive(request_id)


def told(client: StdioClient, tool: str, **arguments: object) -> tuple[bool, str]:
    result = asked(client, "tools/call", {"name": tool, "arguments": arguments})["result"]
    return bool(result.get("isError")), result["content"][0]["text"]


def test_wrong_shapes_are_answered_and_the_server_lives(tmp_path: Path) -> None:
    (tmp_path / "v").mkdir()
    environ = {"VAULT_DIR": str(tmp_path / "v")}
    with StdioClient(tmp_path, "--vault", environ=environ) as client:
        client.initialize()

        assert asked(client, "tools/call", ["memory_search", {"query": "x"}])["error"]
        assert asked(client, "tools/call", {"name": "memory_search", "arguments": [1]})["error"]
        unknown = told(client, "memory_search", query="x", nope=1)
        wrong = told(client, "memory_get", id=[1])
        rejected = told(client, "memory_capture", title="T", body=f"{BODY} {KEY}", reject_secrets=True)
        stored = told(client, "memory_capture", title="T", body=BODY)

        assert unknown[0]
        assert "nope" in unknown[1]
        assert wrong[0]
        assert "id" in wrong[1]
        assert rejected[0]
        assert "aws-key-id" in rejected[1]
        assert f"1:{len(BODY) + 2}-" in rejected[1]
        assert KEY not in rejected[1]
        assert stored == (False, "action=created id=#1 path=03-Knowledge/t.md")


def test_index_of_an_older_version_is_migrated_with_a_backup_and_answers(
    open_vault: Callable[..., Vault], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = open_vault()
    older.capture("Nginx")
    older.workspace.close()
    read = engine.read_migrations

    def with_one_more(mode: Any) -> tuple[engine.MigrationSet, ...]:
        *others, own = read(mode)
        step = engine.Migration(own.name, "0099_more", "CREATE TABLE more (a INTEGER) STRICT;")
        return (*others, engine.MigrationSet(own.name, (*own.migrations, step)))

    monkeypatch.setattr(engine, "read_migrations", with_one_more)

    found = open_vault()("memory_search", query="nginx")

    assert found["count"] == 1
    assert len(list(tmp_path.glob("vault.db.*.bak"))) == 1
