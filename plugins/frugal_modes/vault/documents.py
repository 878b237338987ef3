"""What the search index holds of a card."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from frugal.api import Document


def document(
    number: int,
    *,
    title: str,
    body: str,
    path: str,
    tags: Sequence[str],
    aliases: Sequence[str],
    headings: Sequence[str],
) -> Document:
    """Return the search document of a card: tags and other names weigh like tags, file name and headings less."""
    name = PurePosixPath(path).name
    return Document(
        id=number,
        title=title,
        body=body,
        tags=(*tags, *aliases),
        also=" ".join([name, *headings]),
    )
