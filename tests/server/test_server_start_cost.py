"""What a server adds to the start of the SDK, in CPU time: that does not depend on what else the machine does."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from stdio_client import StdioClient, isolated

IMPORT = "import mcp.server.lowlevel"
ADDED_CPU_S = 0.1
RUNS = 3


def cpu_s(process: subprocess.Popen[bytes]) -> float:
    """Return the CPU time of a process that is about to end."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


def import_cpu_s(folder: Path) -> float:
    process = subprocess.Popen([sys.executable, "-c", IMPORT], env=isolated(folder), cwd=folder)
    return cpu_s(process)


def server_cpu_s(folder: Path) -> float:
    with StdioClient(folder) as client:
        client.initialize()
        assert client.process.stdin is not None
        client.process.stdin.close()
        return cpu_s(client.process)


@pytest.mark.skipif(not hasattr(os, "wait4"), reason="needs wait4")
def test_pain_50_server_adds_little_to_the_import_of_the_sdk(tmp_path: Path) -> None:
    pairs = [(import_cpu_s(tmp_path), server_cpu_s(tmp_path)) for _ in range(RUNS)]

    imported = min(pair[0] for pair in pairs)
    served = min(pair[1] for pair in pairs)

    assert served < imported + ADDED_CPU_S


def test_what_no_handshake_needs_is_not_loaded(tmp_path: Path) -> None:
    command = (sys.executable, "-X", "importtime", "-m", "frugal")
    with StdioClient(tmp_path, command=command) as client:
        client.initialize()
        client.end()
        loaded = {line.rsplit("|", 1)[-1].strip() for line in client.stderr.splitlines() if "|" in line}

    assert "frugal.server.edge" in loaded
    needless = {
        "Stemmer",
        "frugal.entries.remember",
        "frugal.entries.recall",
        "frugal.entries.show",
        "frugal.search.retriever",
        "frugal.server.door",
        "frugal.server.http",
        "frugal.text.analysis",
        "frugal.cli.tools",
        "yaml",
    }
    assert loaded & needless == set()
    assert json.loads(client.lines[0])["id"] == 1
