"""Fixtures: a memory to tidy up, in one language or once in each."""

from collections.abc import Callable

import pytest
from desk import Desk

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
