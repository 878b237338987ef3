"""Cards of the public XQuAD paragraphs, and the truth for the bench beside them.

python -m messung.vault.xquad_cards zh FOLDER
frugal-memory vault bench --dir FOLDER/cards --db FOLDER/vault.db --queries FOLDER/truth.json
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from messung.datasets import LANGUAGES, data_folder, xquad
from messung.unavailable import NotAvailable

CARD = "---\nkind: knowledge\ntitle: p{number:03}\n---\n{text}\n"


def write(language: str, data: Path, folder: Path) -> int:
    """Write a card a paragraph below *folder*, and `truth.json` with every question; return how many cards."""
    collection = xquad(data, language)
    place = folder / "cards" / "03-Knowledge"
    place.mkdir(parents=True, exist_ok=True)
    paths: dict[str, str] = {}
    for number, entry in enumerate(collection.entries):
        (key,) = entry.covers
        name = f"p{number:03}.md"
        (place / name).write_text(CARD.format(number=number, text=entry.text), encoding="utf-8")
        paths[key] = f"03-Knowledge/{name}"
    queries = [
        {"query": question.text, "acceptable": [paths[key] for key in sorted(question.relevant)]}
        for question in collection.questions
    ]
    truth = json.dumps({"queries": queries}, ensure_ascii=False, indent=1)
    (folder / "truth.json").write_text(truth + "\n", encoding="utf-8")
    return len(collection.entries)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write cards and truth; 2 if the data is missing."""
    parser = argparse.ArgumentParser(prog="python -m messung.vault.xquad_cards", description=__doc__)
    parser.add_argument("language", choices=LANGUAGES)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--data", metavar="DIR", help="folder of the public data (default: FRUGAL_DATA)")
    chosen = parser.parse_args(arguments)
    try:
        count = write(chosen.language, data_folder(chosen.data), chosen.folder)
    except NotAvailable as reason:
        print(reason, file=sys.stderr)
        return 2
    print(f"written: {count} cards and truth.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
