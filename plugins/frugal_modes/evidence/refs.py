"""How messages and threads are named: refs that are the same after every import, and hashes of what they hold."""

import hashlib
from base64 import b32encode
from typing import NamedTuple

SHORTEST_REF = 13
LONGEST_REF = 26
MESSAGE = "m-"
THREAD = "t-"

_STANDARD = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_ALPHABET = "234567abcdefghijklmnopqrstuvwxyz"  # in the order of their codes: refs sort like marks
_TO_OURS = bytes.maketrans(_STANDARD, _ALPHABET.encode("ascii"))
_HALF = 1 << 63


class Mark(NamedTuple):
    """The 128-bit hash of a natural key as two signed integers that sort like its bytes."""

    mark: int
    rest: int


def digest(*parts: str) -> bytes:
    """Return 16 bytes that tell *parts* apart, their borders included."""
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    lengths = ",".join(str(len(part)) for part in encoded)
    return hashlib.blake2b(b"\0".join((lengths.encode("ascii"), *encoded)), digest_size=16).digest()


def mark_of(kind: str, *parts: str) -> Mark:
    """Return the hash of a key: *kind* is `MESSAGE` or `THREAD`, *parts* the corpus name and the parts of the key."""
    hashed = digest(kind, *parts)
    return Mark(int.from_bytes(hashed[:8], "big") - _HALF, int.from_bytes(hashed[8:], "big") - _HALF)


def ref_of(kind: str, mark: int, rest: int, length: int = SHORTEST_REF) -> str:
    """Return the ref of a mark: *kind* and *length* characters of base32."""
    raw = (mark + _HALF).to_bytes(8, "big") + (rest + _HALF).to_bytes(8, "big")
    return kind + b32encode(raw).translate(_TO_OURS)[:length].decode("ascii")


def first_half(ref: str, kind: str) -> int | None:
    """Return the mark that *ref* begins with, None if it cannot be a ref of this *kind*."""
    letters = ref.removeprefix(kind)
    is_sound = ref.startswith(kind) and SHORTEST_REF <= len(letters) <= LONGEST_REF
    if not is_sound or not set(letters) <= set(_ALPHABET):
        return None
    bits = 0
    for letter in letters[:SHORTEST_REF]:
        bits = bits << 5 | _ALPHABET.index(letter)
    return (bits >> 1) - _HALF
