"""A real sshd on the loopback interface: host key, port and authorized keys of its own, under this user."""

import getpass
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

PRIVILEGE_FOLDER = Path("/run/sshd")
GUEST_COMMAND = "frugal-memory --guest"
WAIT_S = 20.0

CONFIG = """\
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host_key
AuthorizedKeysFile {folder}/authorized_keys
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
LogLevel VERBOSE
SetEnv PATH={path} XDG_DATA_HOME={folder} XDG_CONFIG_HOME={folder} MEMORY_NAME=b
"""


@dataclass(frozen=True)
class SshServer:
    """A running sshd. `free_key` opens a shell; `guest_key` is bound to `frugal-memory --guest`."""

    folder: Path
    port: int

    @property
    def data(self) -> Path:
        """The folder of the data files of whoever logs in."""
        return self.folder / "frugal-memory"

    def command(self, *remote: str, key: str = "free_key") -> list[str]:
        """Return the command line that runs *remote* over there, as an MCP client would start it."""
        options = {
            "IdentityFile": self.folder / key,
            "UserKnownHostsFile": self.folder / "known_hosts",
            "IdentitiesOnly": "yes",
            "BatchMode": "yes",
            "StrictHostKeyChecking": "yes",
        }
        shown = [word for name, value in options.items() for word in ("-o", f"{name}={value}")]
        return [
            "ssh",
            "-F",
            "none",
            "-T",
            "-p",
            str(self.port),
            *shown,
            f"{getpass.getuser()}@127.0.0.1",
            *remote,
        ]


def find_sshd() -> str:
    """Return the path of sshd; skip the test where there is none, or where it cannot run."""
    sshd = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    missing = [name for name in ("ssh", "ssh-keygen") if shutil.which(name) is None]
    if sshd is None or missing:
        pytest.skip(
            f"no OpenSSH server here: {', '.join(missing) or 'sshd'} is missing (apt-get install openssh-server)"
        )
    if os.geteuid() == 0 and not PRIVILEGE_FOLDER.is_dir():
        PRIVILEGE_FOLDER.mkdir(mode=0o755)
    if shutil.which("frugal-memory", path=str(Path(sys.executable).parent)) is None:
        pytest.skip("the command frugal-memory is not installed beside this Python")
    return sshd


def make_key(folder: Path, name: str) -> str:
    """Make a key pair without a passphrase; return its public half."""
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", folder / name],
        check=True,
        timeout=30,
    )
    return (folder / f"{name}.pub").read_text("utf-8").strip()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def ssh_server(folder: Path) -> Iterator[SshServer]:
    """Run sshd until the end of the block."""
    sshd = find_sshd()
    server = SshServer(folder, free_port())
    host = make_key(folder, "host_key")
    keys = [
        make_key(folder, "free_key"),
        f'restrict,command="{GUEST_COMMAND}" {make_key(folder, "guest_key")}',
    ]
    (folder / "authorized_keys").write_text("\n".join([*keys, ""]), "utf-8")
    (folder / "known_hosts").write_text(f"[127.0.0.1]:{server.port} {host}\n", "utf-8")
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    config = folder / "sshd_config"
    config.write_text(CONFIG.format(port=server.port, folder=folder, path=path), "utf-8")
    log = folder / "sshd.log"
    with log.open("wb") as errors:
        process = subprocess.Popen([sshd, "-D", "-e", "-f", config], stdin=subprocess.DEVNULL, stderr=errors)
    try:
        wait_until_it_listens(process, server.port, log)
        line = server.command("true")
        probe = subprocess.run(
            line, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
        )
        assert probe.returncode == 0, f"no login over ssh: {probe.stderr}{log.read_text('utf-8')}"
        yield server
    finally:
        process.terminate()
        process.wait(WAIT_S)


def wait_until_it_listens(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + WAIT_S
    while True:
        assert process.poll() is None, f"sshd has ended: {log.read_text('utf-8')}"
        assert time.monotonic() < deadline, f"sshd does not listen: {log.read_text('utf-8')}"
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
