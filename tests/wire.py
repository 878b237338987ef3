"""What a reply weighs as the client gets it."""

import json

from frugal.engine import Reply


def size_of(reply: Reply) -> int:
    """Return the bytes of a reply's result object on the wire."""
    content = [{"type": "text", "text": reply.text}]
    result = {"content": content, "isError": reply.is_error, "resultType": "complete"}
    return len(json.dumps(result, ensure_ascii=False, separators=(",", ":")).encode())
