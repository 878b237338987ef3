"""The kinds of facts a memory holds, in the order in which they are listed."""

from frugal.api import Kind, KindVocabulary

KINDS = KindVocabulary(
    (
        Kind("interface", "schnittstelle"),
        Kind("pitfall", "fallstrick"),
        Kind("decision", "entscheidung"),
        Kind("measurement", "messwert"),
        Kind("workflow", "arbeitsweise"),
        Kind("history", "verlauf", is_hidden=True),
    )
)
