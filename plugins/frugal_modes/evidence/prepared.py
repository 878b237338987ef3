"""A message made ready to be stored: hashes of what it is and of what it says. No file is touched here."""

from dataclasses import dataclass
from hashlib import blake2b

from frugal_modes.evidence.records import Message
from frugal_modes.evidence.refs import MESSAGE, THREAD, Mark, digest, mark_of

_NEVER = -(1 << 62)


@dataclass(frozen=True, slots=True)
class Ready:
    """A message with its mark and the hash of its content. Neither its place nor the time of an edit is content.

    *thread* is the mark of its thread, or of the one that it would be the root of.
    """

    message: Message
    mark: Mark
    thread: Mark
    content: bytes

    def is_later_than(self, edited_at: int | None) -> bool:
        """Tell whether this text replaces one of *edited_at*: a text that was never edited is older than any edit."""
        own = self.message.edited_at
        return (_NEVER if own is None else own) >= (_NEVER if edited_at is None else edited_at)


def ready(corpus: str, message: Message) -> Ready:
    """Return *message* with its hashes in the corpus of this name."""
    thread = message.thread or message.natural_key
    return Ready(
        message,
        mark_of(MESSAGE, corpus, message.natural_key),
        mark_of(THREAD, corpus, message.conversation_id, thread),
        digest(
            message.conversation_id,
            message.sender_id,
            str(message.sent_at),
            message.thread,
            message.reply_to,
            message.workspace,
            message.subtype,
            message.text,
            message.text_raw,
        ),
    )


def text_key(text: str) -> int:
    """Return a signed 64-bit hash of a text, exactly as it is."""
    hashed = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(hashed, "big", signed=True)
