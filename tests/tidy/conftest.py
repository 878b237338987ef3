"""Fixtures: a memory to tidy up, in one language or once in each."""

from collections.abc import Callable, Iterator

import pytest
from desk import Desk
from model_server import MODEL, ModelServer

LANGUAGES = ("en", "de")


@pytest.fixture
def open_desk(open_shell) -> Callable[..., Desk]:
    """Open a memory in *language*; several may share the file of a test."""

    def open_it(language: str = "en", **options: object) -> Desk:
        return Desk(open_shell(language, **options).workspace)

    return open_it


@pytest.fixture(params=LANGUAGES)
def language(request) -> str:
    """Either language."""
    return str(request.param)


@pytest.fixture
def desk(language, open_desk) -> Desk:
    """A fresh memory, once in English and once in German."""
    return open_desk(language)


@pytest.fixture
def model() -> Iterator[ModelServer]:
    server = ModelServer()
    yield server
    server.close()


@pytest.fixture
def open_checked(language, open_desk, model) -> Callable[..., Desk]:
    """Open a memory whose fact check is set up."""

    def open_it(**environ: str) -> Desk:
        return open_desk(language, **{"MEMORY_FC_URL": model.url, "MEMORY_FC_MODEL": MODEL, **environ})

    return open_it


@pytest.fixture
def checked(open_checked) -> Desk:
    return open_checked()


@pytest.fixture
def shop(desk) -> Desk:
    """A memory with three entries about the same matter; the first is not the best hit."""
    desk.store(
        "The importer of the shop has a limit of some kind, and a retry now and then",
        tags="shop",
        kind="pitfall",
    )
    desk.store("Retry limit of the importer: 5", tags="shop", kind="decision")
    desk.store("The importer retry limit was raised", tags="shop", kind="history")
    return desk
