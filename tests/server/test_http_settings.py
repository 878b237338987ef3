"""HTTP: what is wrong with address or token is told before anything is bound, with exit code 2."""

import os
import socket
import sys
from contextlib import closing

import pytest

from frugal.cli.root import run
from frugal.errors import UsageError
from frugal.server.door import Address, Door, open_door, read_address, read_token
from frugal.settings import Options, load_settings

TOKEN = "x" * 32
posix = pytest.mark.skipif(sys.platform == "win32", reason="modes say nothing there")


@pytest.fixture
def line(tmp_path, capsys, monkeypatch):
    """Run a line that must not come as far as binding; return its code and what it says."""

    def bind(*_ignored):
        raise AssertionError("bound")

    def told(*argv, may_bind=False, **environ):
        if not may_bind:
            monkeypatch.setattr(socket.socket, "bind", bind)
        base = {
            "XDG_DATA_HOME": str(tmp_path),
            "XDG_CONFIG_HOME": str(tmp_path),
            "FRUGAL_MEMORY_NO_PLUGINS": "1",
        }
        code = run(argv, environ={**base, **environ})
        return code, capsys.readouterr().err

    return told


@pytest.mark.parametrize("host", ["0.0.0.0", "[::]", "192.0.2.7", "box.example", "127.0.0.2"])
def test_public_address_without_a_token_is_refused_before_binding(line, host):
    code, told = line("--http", f"{host}:8765")

    assert code == 2
    assert "FRUGAL_MEMORY_HTTP_TOKEN" in told


@pytest.mark.parametrize(
    "value",
    [
        "8765",
        "127.0.0.1",
        "127.0.0.1:",
        ":8765",
        "127.0.0.1:99999",
        "a b:1",
        "[::1:1",
        "[x]:1",
        "http://a:1",
        "",
    ],
)
def test_what_is_no_address_is_refused(line, value):
    code, told = line("--http", value, may_bind=True) if not value else line("--http", value)

    assert code == 2, told


def test_port_that_is_taken_is_exit_2(line):
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        code, told = line("--http", f"127.0.0.1:{taken.getsockname()[1]}", may_bind=True)

    assert code == 2
    assert "Nothing was started" in told


@pytest.mark.parametrize(
    "argv",
    [
        ("modes", "--http", "127.0.0.1:1"),
        ("--http", "127.0.0.1:1", "export"),
        ("--http", "127.0.0.1:1", "memory", "recall", "x"),
        ("memory", "recall", "x", "--http", "127.0.0.1:1"),
    ],
)
def test_address_beside_another_command_is_exit_2(line, argv):
    code, told = line(*argv)

    assert code == 2
    assert "--http" in told


@pytest.mark.parametrize(
    ("token", "says"),
    [("x" * 31, "32"), ("x" * 40 + " y", "ASCII"), ("ü" * 40, "ASCII"), ("x" * 40 + "\x07", "ASCII")],
)
def test_token_that_is_short_or_odd_is_refused_and_never_shown(line, token, says):
    code, told = line("--http", "127.0.0.1:0", FRUGAL_MEMORY_HTTP_TOKEN=token)

    assert code == 2
    assert says in told
    assert token not in told


@posix
@pytest.mark.parametrize(
    ("mode", "is_good"), [(0o600, True), (0o400, True), (0o640, False), (0o604, False), (0o644, False)]
)
def test_file_with_the_token_is_closed_to_others(tmp_path, mode, is_good):
    path = tmp_path / "token"
    path.write_text(f"{TOKEN}\n", "utf-8")
    path.chmod(mode)
    environ = {"FRUGAL_MEMORY_HTTP_TOKEN_FILE": str(path)}

    if is_good:
        assert read_token(environ, "linux") == TOKEN.encode()
    else:
        with pytest.raises(UsageError) as caught:
            read_token(environ, "linux")
        assert caught.value.key == "http_token_mode"


@posix
def test_file_with_the_token_belongs_to_the_user(tmp_path, monkeypatch):
    path = tmp_path / "token"
    path.write_text(TOKEN, "utf-8")
    path.chmod(0o600)
    monkeypatch.setattr(os, "getuid", lambda: path.stat().st_uid + 1)

    with pytest.raises(UsageError) as caught:
        read_token({"FRUGAL_MEMORY_HTTP_TOKEN_FILE": str(path)}, "linux")

    assert caught.value.key == "http_token_owner"


def test_missing_file_with_the_token_is_told_with_its_path(line, tmp_path):
    code, told = line("--http", "127.0.0.1:0", FRUGAL_MEMORY_HTTP_TOKEN_FILE=str(tmp_path / "none"))

    assert code == 2
    assert "none" in told


def test_variable_wins_over_the_file_and_blank_counts_as_unset():
    assert (
        read_token({"FRUGAL_MEMORY_HTTP_TOKEN": TOKEN, "FRUGAL_MEMORY_HTTP_TOKEN_FILE": "/no"}, "linux")
        == TOKEN.encode()
    )
    assert read_token({"FRUGAL_MEMORY_HTTP_TOKEN": "  ", "FRUGAL_MEMORY_HTTP_TOKEN_FILE": ""}, "linux") == b""


def test_list_in_the_config_file_that_is_none_is_refused(tmp_path):
    config = tmp_path / "config.toml"
    config.write_text("[http]\nhosts = 3\n", "utf-8")

    with pytest.raises(UsageError) as caught:
        open_door("127.0.0.1:1", load_settings(Options(config=str(config)), {}))

    assert caught.value.key == "http_bad_list"


@pytest.mark.parametrize(
    ("text", "shown"),
    [("LOCALHOST:80", "localhost:80"), ("[0:0::1]:5", "[::1]:5"), ("127.0.0.1:0", "127.0.0.1:0")],
)
def test_address_has_one_form(text, shown):
    assert str(read_address(text)) == shown


def test_host_without_a_port_counts_only_on_port_80():
    headers = [(b"Host", b"127.0.0.1")]

    assert Door(Address("127.0.0.1", 80)).refusal(headers) == 0
    assert Door(Address("127.0.0.1", 81)).refusal(headers) == 421


@pytest.mark.parametrize(
    "headers", [[], [(b"host", b"127.0.0.1:5"), (b"host", b"evil.example")]], ids=["none", "two"]
)
def test_no_host_and_two_hosts_are_refused(headers):
    assert Door(Address("127.0.0.1", 5)).refusal(headers) == 421


def test_two_tokens_are_none():
    headers = [
        (b"host", b"127.0.0.1:5"),
        (b"authorization", b"Bearer " + TOKEN.encode()),
        (b"authorization", b"x"),
    ]

    assert Door(Address("127.0.0.1", 5), TOKEN.encode()).refusal(headers) == 401
