"""Vault: folders of Markdown cards and the memories other agents left behind, read in place and searchable."""

from frugal.api import Mode, ModeOption, SchemaFolder, hookimpl
from frugal_modes.vault.readers import REFERENCES
from frugal_modes.vault.tools import TOOLS

VAULT = Mode(
    name="vault",
    package="frugal_modes.vault",
    file_name="vault.db",
    settings_prefix="VAULT",
    flags=("--vault",),
    tools=TOOLS,
    schemas=(SchemaFolder("search", "frugal.search"), SchemaFolder("vault", "frugal_modes.vault")),
    options=(ModeOption("dir"), ModeOption("vault-config")),
    locate="frugal_modes.vault.places:locate",
    kept_in="frugal_modes.vault.places:cards_folder",
    readers=REFERENCES,
    card_source="frugal_modes.vault.importing:CARDS",
    upkeep="frugal_modes.vault.upkeep:upkeep",
    examine="frugal_modes.vault.upkeep:examine",
    records_language=False,
)


@hookimpl
def frugal_modes() -> Mode:
    """Contribute the vault mode."""
    return VAULT
