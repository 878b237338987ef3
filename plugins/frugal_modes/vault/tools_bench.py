"""bench, a command of the shell alone."""

from frugal_modes.vault.declarations import path, shell_only, switch

BENCH = shell_only(
    "vault_bench",
    "bench:bench",
    path("queries"),
    path("save"),
    path("baseline"),
    switch("allow_unresolved"),
    command="bench",
)

TOOLS = (BENCH,)
