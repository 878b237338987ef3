"""Fixtures: a memory in one language, or one test for both."""

from collections.abc import Callable

import pytest
from memories import Memory
from tongues import DE, EN, TONGUES


@pytest.fixture
def open_memory(open_shell) -> Callable[..., Memory]:
    """Open a memory in *language*; several may share the file of a test."""

    def open_it(language: str = "en", **options: object) -> Memory:
        return Memory(open_shell(language, **options), {"en": EN, "de": DE}[language])

    return open_it


@pytest.fixture(params=TONGUES, ids=lambda tongue: tongue.language)
def memory(request, open_memory) -> Memory:
    """A fresh memory, once in English and once in German."""
    return open_memory(request.param.language)
