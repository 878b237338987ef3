"""The kinds of cards in the vault and the folder of each; other kinds are kept on reading and refused on writing."""

FOLDERS = {
    "system": "00-System",
    "project": "02-Projects",
    "knowledge": "03-Knowledge",
    "content": "04-Content",
    "prompt": "05-Prompts",
    "business": "06-Business",
    "tool": "07-Tools",
    "mistake": "08-Mistakes",
}
DEFAULT_KIND = "knowledge"
KINDS = tuple(FOLDERS)

_KINDS_OF_FOLDERS = {folder: kind for kind, folder in FOLDERS.items()}


def kind_of_path(path: str) -> str:
    """Return the kind that the first folder of a vault path stands for, `note` for any other folder."""
    return _KINDS_OF_FOLDERS.get(path.split("/", 1)[0], "note")
