"""A plugin that breaks is named and left out; everything else starts, and the protocol's stdout stays clean."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from foreign import Shell, with_plugins
from stdio_client import StdioClient

from frugal import discovery
from frugal.errors import UsageError
from frugal.model import Plugin
from frugal.registry import Registry

BROKEN = {
    "raises_at_import": "raise ImportError('no module named something')",
    "leaves_at_import": "raise SystemExit(3)",
    "raises_in_its_hook": "@hookimpl\ndef frugal_modes():\n    raise ValueError('not today')",
    "leaves_in_its_hook": "@hookimpl\ndef frugal_modes():\n    raise SystemExit('bye')",
    "gives_no_mode": "@hookimpl\ndef frugal_modes():\n    return ['memory']",
    "gives_a_number": "@hookimpl\ndef frugal_modes():\n    return 7",
    "mode_without_package": "@hookimpl\ndef frugal_modes():\n    return Mode(name='x')",
    "mode_without_texts": "@hookimpl\ndef frugal_modes():\n    return mode(package='json')",
    "unknown_hook_argument": "@hookimpl\ndef frugal_modes(nonsense):\n    return []",
    "raises_when_it_extends": "@hookimpl\ndef frugal_extend(mode):\n    raise KeyError('extend')",
    "extends_with_nonsense": "@hookimpl\ndef frugal_extend(mode):\n    return 'longer'",
}
NOISY = """
import os, subprocess, sys
print("print at import")
os.write(1, b"write at import\\n")
subprocess.run([sys.executable, "-c", "print('child at import')"])


@hookimpl
def frugal_modes():
    print("print in the hook")
    return []
"""


def discover(site: Path, monkeypatch: pytest.MonkeyPatch) -> Registry:
    monkeypatch.syspath_prepend(str(site))
    return discovery.discover(discovery.new_manager())


def errors(registry: Registry) -> dict[str, str]:
    return {plugin.name: plugin.error for plugin in registry.plugins if plugin.error}


def test_broken_plugins_are_named_on_stderr_and_the_server_runs(
    add_plugin: Callable[..., Path], site: Path, tmp_path: Path
) -> None:
    for name, code in BROKEN.items():
        add_plugin(name, code)
    add_plugin("noisy", NOISY)

    with StdioClient(tmp_path, environ=with_plugins(site)) as client:
        client.initialize()
        answer = client.call("remember", text="All the same.", tags="plugins", kind="decision")
        code = client.end()

    assert answer.startswith("Stored #1 ")
    assert code == 0
    for name in BROKEN:
        assert len([line for line in client.stderr.splitlines() if name in line]) == 1, client.stderr
    for words in ("print at import", "write at import", "child at import", "print in the hook"):
        assert words in client.stderr
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in client.lines)
    assert "Traceback" not in client.stderr


@pytest.mark.parametrize(("name", "code"), BROKEN.items(), ids=BROKEN.keys())
def test_a_broken_plugin_is_kept_with_its_reason_and_version(
    add_plugin: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, name: str, code: str
) -> None:
    site = add_plugin(f"{name}_alone", code, version="3.2")

    registry = discover(site, monkeypatch)

    assert list(errors(registry)) == [f"{name}_alone"]
    (plugin,) = (plugin for plugin in registry.plugins if plugin.error)
    assert plugin.distribution == f"{name}_alone"
    assert plugin.version == "3.2"
    assert "\n" not in plugin.error
    assert "memory" in [mode.name for mode in registry.modes]


def test_a_plugin_that_failed_is_asked_nothing_more(
    add_plugin: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    site = add_plugin(
        "half_broken",
        "@hookimpl\ndef frugal_modes():\n    raise ValueError\n\n\n"
        "@hookimpl\ndef frugal_second_opinion(new, old):\n    return 'contradiction'",
    )
    monkeypatch.syspath_prepend(str(site))
    manager = discovery.new_manager()

    discovery.discover(manager)

    assert manager.hook.frugal_second_opinion(new="a", old="b") is None


def test_what_a_plugin_prints_does_not_reach_stdout(
    add_plugin: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    site = add_plugin("noisy_alone", NOISY)

    discover(site, monkeypatch)

    written = capfd.readouterr()
    assert written.out == ""
    assert "child at import" in written.err


def test_two_distributions_under_one_plugin_name_are_not_both_loaded(
    add_plugin: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    add_plugin("first_of_two", "@hookimpl\ndef frugal_modes():\n    return mode(name='one')", point="twins")
    site = add_plugin(
        "second_of_two", "@hookimpl\ndef frugal_modes():\n    return mode(name='two')", point="twins"
    )

    registry = discover(site, monkeypatch)

    twins = [plugin for plugin in registry.plugins if plugin.name == "twins"]
    assert [bool(plugin.error) for plugin in twins] == [False, True]
    assert "one" in [mode.name for mode in registry.modes]
    assert "two" not in [mode.name for mode in registry.modes]


def test_a_plugin_may_extend_the_mode_of_another(
    add_plugin: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    site = add_plugin(
        "one_flag_more",
        "from dataclasses import replace\n\n\n@hookimpl\ndef frugal_extend(mode):\n"
        "    return replace(mode, flags=(*mode.flags, '--merken')) if mode.name == 'memory' else None",
    )

    registry = discover(site, monkeypatch)

    assert registry.mode("memory").flags == ("--merken",)


def test_a_plugin_may_not_rename_the_mode_of_another(
    add_plugin: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    site = add_plugin(
        "renames_a_mode",
        "from dataclasses import replace\n\n\n@hookimpl\ndef frugal_extend(mode):\n"
        "    return replace(mode, name='mine')",
    )

    with pytest.raises(UsageError) as caught:
        discover(site, monkeypatch)

    assert caught.value.key == "renamed_mode"
    assert caught.value.data["plugin"] == "renames_a_mode"


CLAIMS = {
    "flag": "flags=('--same',)",
    "tool": "tools=(Tool(name='same', run='{name}:run', parameters=(), cap=None),)",
    "kind": "kinds=KindVocabulary((Kind('same', 'gleich'), Kind('{name}', '{name}')))",
    "migration set": "schemas=(SchemaFolder('same', '{name}'),)",
    "file": "file_name='same.db'",
    "mode": "name='same', settings_prefix='{name}'",
}


@pytest.mark.parametrize(("what", "claim"), CLAIMS.items(), ids=CLAIMS.keys())
def test_two_plugins_that_claim_one_thing_are_refused_by_name(
    add_plugin: Callable[..., Path], site: Path, tmp_path: Path, shell: Shell, what: str, claim: str
) -> None:
    for name in ("quince", "medlar"):
        values = claim.format(name=name)
        add_plugin(name, f"@hookimpl\ndef frugal_modes():\n    return mode({values})")

    refused = shell(site, "serve")
    blocked = shell(site, "modes", FRUGAL_MEMORY_BLOCK="quince")

    assert refused.returncode == 2
    assert refused.stdout == ""
    for word in (what, "same", "quince", "medlar", "FRUGAL_MEMORY_BLOCK"):
        assert word in refused.stderr
    assert "Traceback" not in refused.stderr
    assert blocked.returncode == 0, blocked.stderr


def test_a_plugin_that_claims_a_flag_of_ours_is_refused(
    add_plugin: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    site = add_plugin("no_flag", "@hookimpl\ndef frugal_modes():\n    return mode(flags=())")

    with pytest.raises(UsageError) as caught:
        discover(site, monkeypatch)

    assert caught.value.key == "claimed_twice"
    assert "memory" in str(caught.value.data)
    assert "no_flag" in str(caught.value.data)


def test_only_wanted_built_in_plugins_are_loaded(
    add_plugin: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    site = add_plugin("always_there", "@hookimpl\ndef frugal_modes():\n    return mode()")
    monkeypatch.syspath_prepend(str(site))

    registry = discovery.discover(discovery.new_manager(), built_in=frozenset({"nothing"}))

    assert [mode.name for mode in registry.modes] == ["always_there"]
    assert registry.plugins == (Plugin("always_there", "always_there", "1.0"),)
