"""No text without a reader: every key of a catalogue is named by the code, whole or as a prefix and a rest."""

import ast
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

import frugal
import frugal_modes
from frugal.strings import read_texts

ENGINE, MODES = Path(frugal.__file__).parent, Path(frugal_modes.__file__).parent
FOLDERS = sorted(folder for root in (ENGINE, MODES) for folder in root.rglob("languages"))

DECLARED = ("tools.", "options.")
"""Tables that the declarations of tools and options ask for by their names; the contract of modes covers them."""
COMPOSED = re.compile(
    r"cli\.errors\.\w+_alone"  # where nothing is near
    r"|errors\.\w+_(shell|given)"  # what the shell says instead, and of a file that is only read
    r"|edit\.successor_(named|changed)"  # a table of the notebook is an argument
    r"|errors\.unknown_(kind|source)_filter"
    r"|errors\.(bad_query|bad_time|unknown_argument|unsafe_target|zip)_\w+"  # code and reason
)
"""Keys whose last word is put together of several."""


def words_of(files: Iterable[Path]) -> tuple[set[str], set[str]]:
    """Return the texts and names that may be keys or their last words, and the prefixes before a replaced part."""
    words: set[str] = set()
    prefixes: set[str] = set()
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Constant(value=str(text)):
                    words.add(text)
                case ast.keyword(arg=str(name)) | ast.arg(arg=name) | ast.AnnAssign(target=ast.Name(id=name)):
                    words.add(name)
                case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]) if "." in text:
                    prefixes.add(text)
    return words, prefixes


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parent.name)
def test_every_key_is_asked_for_somewhere(folder: Path) -> None:
    package = folder.parent
    own = MODES if package == ENGINE else package
    words, prefixes = words_of([*ENGINE.rglob("*.py"), *own.rglob("*.py")])
    for schema in (package / "schema").glob("*.sql"):
        words.update(re.findall(r"'(\w+)'", schema.read_text(encoding="utf-8")))

    def is_asked_for(key: str) -> bool:
        rests = [key[len(prefix) :].partition(".")[0] for prefix in prefixes if key.startswith(prefix)]
        return key in words or bool(words.intersection(rests)) or bool(COMPOSED.fullmatch(key))

    keys = [key for key in read_texts(folder / "en.toml") if not key.startswith(DECLARED)]

    assert [key for key in keys if not is_asked_for(key)] == []
