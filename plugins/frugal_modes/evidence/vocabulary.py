"""The fixed words of queries and imports, as clients see them and as the code compares them."""

MATCH_KINDS = ("literal", "phrase", "prefix", "stem")
ROLES = ("canonical", "alias")
LIST_FILTERS = (
    "corpora",
    "conversation_ids",
    "conversation_types",
    "sender_ids",
    "sender_types",
    "thread_ids",
    "organizations",
    "workspaces",
)
TIME_FILTERS = ("from", "to")
FORMATS = ("jsonl", "csv", "slack", "mattermost", "discord", "whatsapp", "mbox", "telegram")
"""The formats of sources, in the order in which they are told."""
