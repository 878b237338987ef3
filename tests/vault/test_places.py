"""Where the vault, its index and its settings lie: which layer wins, and what a broken file does."""

import json

import pytest

from frugal.errors import UsageError
from frugal.settings import Options, load_settings
from frugal_modes.vault import VAULT
from frugal_modes.vault.places import memory_agent_database, places_of


@pytest.fixture
def find(tmp_path):
    """Return the places under variables, options of the vault and the content of `vault.json`."""

    def find_it(settings=None, *, db="", own=(), home_config=None, **environ):
        values = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data")}
        values["XDG_CONFIG_HOME"] = str(tmp_path / "config")
        if settings is not None:
            file = tmp_path / "config" / "frugal-memory" / "vault.json"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(settings if isinstance(settings, str) else json.dumps(settings), encoding="utf-8")
        if home_config is not None:
            (tmp_path / "agent").mkdir(exist_ok=True)
            (tmp_path / "agent" / "config.json").write_text(json.dumps(home_config), encoding="utf-8")
        loaded = load_settings(Options(db=db, own=own), {**values, **environ})
        return places_of(loaded.for_mode(VAULT))

    return find_it


def test_defaults_lie_in_the_data_and_the_config_folder(find, tmp_path):
    found = find()

    assert (found.vault.path, found.vault.layer) == (tmp_path / "data" / "frugal-memory" / "vault", "default")
    assert (found.index.path, found.index.layer) == (
        tmp_path / "data" / "frugal-memory" / "vault.db",
        "default",
    )
    assert found.config.path == tmp_path / "config" / "frugal-memory" / "vault.json"
    assert found.vault.is_default


def test_each_layer_of_the_vault_beats_the_ones_below(find, tmp_path):
    agent = str(tmp_path / "agent")
    below = {"settings": {"vault": "/json"}, "home_config": {"vault": "other"}, "MEMORY_AGENT_HOME": agent}

    layers = [
        find(home_config={"vault": "other"}, MEMORY_AGENT_HOME=agent),
        find(**below),
        find(**below, MEMORY_AGENT_VAULT="/agent"),
        find(**below, MEMORY_AGENT_VAULT="/agent", VAULT_DIR="~/v"),
        find(**below, MEMORY_AGENT_VAULT="/agent", VAULT_DIR="~/v", own=(("dir", "/flag"),)),
    ]

    assert [str(found.vault.path) for found in layers] == [
        f"{agent}/other",
        "/json",
        "/agent",
        f"{tmp_path}/v",
        "/flag",
    ]
    assert [found.vault.layer for found in layers] == [
        f"{agent}/config.json",
        str(tmp_path / "config" / "frugal-memory" / "vault.json"),
        "MEMORY_AGENT_VAULT",
        "VAULT_DIR",
        "--dir",
    ]
    assert not any(found.vault.is_default for found in layers)


def test_home_of_memory_agent_gives_its_vault_before_vault_json(find, tmp_path):
    found = find({"vault": "/json"}, MEMORY_AGENT_HOME=str(tmp_path / "agent"))

    assert (found.vault.path, found.vault.layer) == (tmp_path / "agent" / "vault", "MEMORY_AGENT_HOME")
    assert found.index.path == tmp_path / "agent" / "vault.db"


def test_each_layer_of_the_index_beats_the_ones_below(find, tmp_path):
    agent = str(tmp_path / "agent")
    below = {
        "settings": {"db": "here/v.db"},
        "home_config": {"db": "/x/memory.db"},
        "MEMORY_AGENT_HOME": agent,
    }

    layers = [
        find(home_config={"db": "/x/memory.db"}, MEMORY_AGENT_HOME=agent),
        find(**below),
        find(**below, MEMORY_AGENT_DB="/old/memory.db"),
        find(**below, MEMORY_AGENT_DB="/old/memory.db", VAULT_DB="/var/v.db"),
        find(**below, MEMORY_AGENT_DB="/old/memory.db", VAULT_DB="/var/v.db", db="/flag.db"),
    ]

    assert [str(found.index.path) for found in layers] == [
        "/x/vault.db",
        str(tmp_path / "config" / "frugal-memory" / "here" / "v.db"),
        "/old/vault.db",
        "/var/v.db",
        "/flag.db",
    ]
    assert [found.index.layer for found in layers[2:]] == ["MEMORY_AGENT_DB", "VAULT_DB", "--db"]


def test_blank_counts_as_not_set(find):
    assert find(VAULT_DIR=" ", own=(("dir", ""),)).vault.layer == "default"


def test_settings_file_may_be_named(find, tmp_path):
    other = tmp_path / "other.json"
    other.write_text('{"vault": "notes"}', encoding="utf-8")

    by_variable = find(VAULT_CONFIG=str(other))
    by_flag = find(VAULT_CONFIG="/nowhere.json", own=(("vault-config", str(other)),))

    assert by_variable.vault.path == by_flag.vault.path == tmp_path / "notes"
    assert [by_variable.config.layer, by_flag.config.layer] == ["VAULT_CONFIG", "--vault-config"]


def test_missing_settings_file_is_empty(find):
    assert find(VAULT_CONFIG="/nowhere.json").vault.layer == "default"


def test_windows_path_means_the_mounted_drive_under_wsl(find):
    found = find(VAULT_DIR="C:\\notes\\vault", WSL_DISTRO_NAME="x")

    assert str(found.vault.path) == "/mnt/c/notes/vault"


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [('{\n  "vault": "x",\n  oops\n}', 3, 3), ("[1]", 1, 1), ('{"vault": "a"} x', 1, 16)],
)
def test_broken_settings_file_is_an_error_with_its_place(find, text, line, column):
    with pytest.raises(UsageError) as caught:
        find(text)

    assert caught.value.key == "config_json_broken"
    assert (caught.value.data["line"], caught.value.data["column"]) == (line, column)


def test_settings_file_that_is_no_utf8_is_an_error(find, tmp_path):
    file = tmp_path / "bad.json"
    file.write_bytes(b'{"vault": "\xff"}')

    with pytest.raises(UsageError) as caught:
        find(VAULT_CONFIG=str(file))

    assert caught.value.data["reason"] == "not UTF-8"


@pytest.mark.parametrize("values", [{"vault": 3}, {"db": ["x"]}])
def test_value_of_another_type_is_an_error(find, values):
    with pytest.raises(UsageError) as caught:
        find(values)

    assert caught.value.key == "config_json_value"


def test_database_of_memory_agent_is_found_by_its_own_rules(tmp_path):
    home = tmp_path / "agent"
    home.mkdir()
    for name in ("memory.db", "other.db"):
        (home / name).touch()

    def find(**environ):
        values = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
        return memory_agent_database(load_settings(Options(), {**values, **environ}).for_mode(VAULT))

    assert find() is None
    assert find(MEMORY_AGENT_DB=str(home / "missing.db")) is None
    assert find(MEMORY_AGENT_HOME=str(home)) == home / "memory.db"
    assert find(MEMORY_AGENT_HOME=str(home), MEMORY_AGENT_DB=str(home / "other.db")) == home / "other.db"
    (home / "config.json").write_text('{"db": "other.db"}', encoding="utf-8")
    assert find(MEMORY_AGENT_HOME=str(home)) == home / "other.db"
