"""Fixtures for plugins of other people: one real distribution installed by pip, and small ones that misbehave."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from foreign import DISTRIBUTION, TEXTS, Shell, install, module_code, with_plugins
from stdio_client import isolated


@pytest.fixture(scope="session")
def herbarium(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which pip has installed the distribution."""
    return install(DISTRIBUTION, tmp_path_factory.mktemp("site"))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    return folder


@pytest.fixture
def add_plugin(site: Path) -> Callable[..., Path]:
    """Lay a plugin into *site*: one module, its metadata, its entry point."""

    def add(name: str, code: str, *, point: str = "", version: str = "1.0") -> Path:
        (site / f"{name}.py").write_text(module_code(name, code), "utf-8")
        (site / "languages").mkdir(exist_ok=True)
        for language in ("en", "de"):
            (site / "languages" / f"{language}.toml").write_text(TEXTS, "utf-8")
        metadata = site / f"{name}-{version}.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", "utf-8"
        )
        (metadata / "entry_points.txt").write_text(f"[frugal]\n{point or name} = {name}\n", "utf-8")
        return site

    return add


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """Run one line of the shell with the plugins of a folder."""

    def run(site: Path, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "frugal", *arguments],
            env={**isolated(tmp_path), **with_plugins(site), **environ},
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )

    return run
