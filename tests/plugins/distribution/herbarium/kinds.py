"""The kinds of plants, and how one is read from what a client sends."""

from dataclasses import dataclass
from typing import Any

from frugal.api import Kind, KindVocabulary, Refusal, Surface

KINDS = KindVocabulary((Kind("tree", "baum"), Kind("herb", "kraut"), Kind("moss", "moos", is_hidden=True)))


@dataclass(frozen=True)
class KindOfPlant:
    """One kind, in either language."""

    takes_list: bool = False

    def schema(self, surface: Surface) -> dict[str, object]:
        """Declare the kinds of this language."""
        return {"type": "string", "enum": [surface.kind(kind) for kind in surface.kinds.kinds]}

    def read(self, raw: Any, surface: Surface) -> Kind:
        """Return the kind; an unknown one is refused with the known ones."""
        kind = surface.kinds.find(str(raw))
        if kind not in surface.kinds.kinds:
            known = ", ".join(surface.kinds.words(surface.language))
            raise Refusal("no_such_plant", value=str(raw)[:60], known=known)
        return kind
