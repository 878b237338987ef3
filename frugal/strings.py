"""String catalogues: what users see, one TOML file a language and package; a key gives one text.

Nested tables become dotted keys. Texts are `str.format` templates with named fields; `{count:file|files}` stands for
the first word where `count` is 1, else for the second.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

LANGUAGES = ("en", "de")


@dataclass(frozen=True)
class Catalogue:
    """The texts of one language, merged from several packages; the last one that has a key wins."""

    language: str
    texts: Mapping[str, str]

    def text(self, key: str, **fields: object) -> str:
        """Return the text of *key* with *fields* filled in; a missing key is a programming error (KeyError)."""
        template = self.texts[key]
        if BETWEEN_FORMS not in template:
            return template.format_map(fields)
        return template.format_map({name: _Field(value) for name, value in fields.items()})

    def has(self, key: str) -> bool:
        """Tell whether *key* has a text."""
        return key in self.texts


BETWEEN_FORMS = "|"


@dataclass(frozen=True)
class _Field:
    """One value for a template: `one|many` behind its colon is a choice of words, anything else is `str.format`'s."""

    value: object

    def __format__(self, spec: str) -> str:
        one, bar, many = spec.partition(BETWEEN_FORMS)
        if not bar:
            return format(self.value, spec)
        return one if str(self.value) == "1" else many


def load_catalogue(language: str, packages: Iterable[str]) -> Catalogue:
    """Read `languages/<language>.toml` of each package in order."""
    texts: dict[str, str] = {}
    for package in packages:
        texts.update(read_texts(package_folder(package) / "languages" / f"{language}.toml"))
    return Catalogue(language, MappingProxyType(texts))


@lru_cache(maxsize=64)
def read_texts(file: Path) -> Mapping[str, str]:
    """Return the texts of one catalogue file under dotted keys; a file is read once a process."""
    with file.open("rb") as stream:
        return MappingProxyType(dict(_flatten(tomllib.load(stream), "")))


def _flatten(table: Mapping[str, object], prefix: str) -> Iterable[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", str(value)


def package_folder(package: str) -> Path:
    """Return the folder of an importable package without importing it; its resources are plain files."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(package)
    return Path(spec.origin).parent


NEAR_RATIO = 0.5


def nearest(value: str, known: Sequence[str]) -> str:
    """Return the known word that looks most like *value*, "" if none does; the dashes of long options do not count."""
    from difflib import get_close_matches

    by_form = {_form(word): word for word in reversed(known)}
    found = get_close_matches(_form(value), by_form, n=1, cutoff=NEAR_RATIO)
    return by_form[found[0]] if found else ""


def _form(word: str) -> str:
    return word.removeprefix("--")


def resolve_language(text: str) -> str | None:
    """Return `en` or `de` for spellings such as `de_DE`, `de-AT.UTF-8`; None for anything else."""
    primary = text.strip().lower().replace("_", "-").split(".")[0].split("-")[0]
    return primary if primary in LANGUAGES else None
