"""What happens without permission; each worker gives up root, which may do everything."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from store_worker import add, make_store, names_in, texts, traces_of

Run = Callable[..., str]

TRY = """
become_nobody()
store = make_store(sys.argv[1])
for attempt in (texts, lambda store: add(store, "x")):
    try:
        print(attempt(store))
    except errors.StoreError as error:
        print(error.code, error.data.get("mode"), Path(error.data["path"]).name)
store.close()
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that everybody may enter, unlike the temporary ones of pytest."""
    with tempfile.TemporaryDirectory() as made:
        place = Path(made)
        place.chmod(0o755)
        inner = place / "inner"
        inner.mkdir(mode=0o755)
        yield inner
        inner.chmod(0o755)


@pytest.fixture
def path(folder: Path) -> Path:
    """A file with one note that everybody may read."""
    file = folder / "notes.db"
    with closing(make_store(file)) as store:
        add(store, "one")
    file.chmod(0o644)
    return file


def test_read_only_folder_can_be_read_and_stays_as_it_is(path: Path, run: Run) -> None:
    path.chmod(0o666)
    path.parent.chmod(0o555)
    before = traces_of(path)

    out = run(TRY, path)

    assert out.splitlines() == ["['one']", "not_writable 0555 inner"]
    assert traces_of(path) == before


def test_read_only_file_can_be_read_and_stays_as_it_is(path: Path, run: Run) -> None:
    path.chmod(0o444)
    path.parent.chmod(0o777)
    before = traces_of(path)

    out = run(TRY, path)

    assert out.splitlines() == ["['one']", "not_writable 0444 notes.db"]
    assert traces_of(path) == before


def test_read_only_folder_shows_what_its_owner_wrote_a_moment_ago(path: Path, run: Run) -> None:
    with closing(make_store(path)) as owner:
        add(owner, "two")
        path.parent.chmod(0o555)

        out = run(TRY, path)

    assert out.splitlines()[0] == "['one', 'two']"


def test_pending_log_that_cannot_be_read_is_never_ignored(path: Path, run: Run, start: Callable) -> None:
    worker = start(
        'add(make_store(sys.argv[1]), "two"); print("stored", flush=True); sys.stdin.readline()', path
    )
    worker.stdout.readline()
    worker.kill()
    worker.wait()
    path.chmod(0o666)
    path.with_name("notes.db-shm").unlink()
    path.parent.chmod(0o555)

    out = run(TRY, path)

    assert out.splitlines() == ["not_writable 0555 inner"] * 2


@pytest.mark.parametrize("rights", ["file", "folder"])
def test_what_may_not_be_read_is_refused(path: Path, run: Run, rights: str) -> None:
    if os.geteuid() != 0:
        pytest.skip("the owner may change the permissions back")
    (path if rights == "file" else path.parent).chmod(0o600)

    out = run(TRY, path)

    assert out.splitlines()[0].startswith("not_readable")


def test_missing_file_in_a_read_only_folder_is_not_writable_and_nothing_is_made(
    folder: Path, run: Run
) -> None:
    folder.chmod(0o555)

    out = run(
        TRY.replace("texts, lambda", "lambda").replace('x")):', 'x"),):'), folder / "deeper" / "notes.db"
    )

    assert out.splitlines() == ["not_writable 0555 inner"]
    assert names_in(folder) == []


def test_upgrade_without_permission_is_left_to_the_owner(path: Path, run: Run) -> None:
    path.parent.chmod(0o555)
    before = traces_of(path)

    out = run(TRY.replace("(sys.argv[1])", "(sys.argv[1], migrations=(LATER_NOTES,))"), path)

    assert out.splitlines()[0].startswith("outdated_file")
    assert traces_of(path) == before


def test_writing_works_again_once_it_is_allowed(path: Path, run: Run) -> None:
    path.chmod(0o666)
    path.parent.chmod(0o555)

    out = run(
        TRY
        + """
if os.getuid() == 0:
    os.seteuid(0)
Path(sys.argv[1]).parent.chmod(0o777)
become_nobody()
add(store, "two")
print(texts(store))
store.close()
""",
        path,
    )

    assert out.splitlines()[-1] == "['one', 'two']"
    with closing(make_store(path)) as store:
        assert texts(store) == ["one", "two"]
