"""Who may come in over HTTP: the address, the token, the hosts and origins. Settled before anything is bound.

Needs no SDK, so that whatever is wrong with the settings is told at once.
"""

import errno
import hmac
import ipaddress
import os
import re
import socket
import stat
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from frugal import paths
from frugal.errors import UsageError
from frugal.settings import Settings

TOKEN, TOKEN_FILE = "FRUGAL_MEMORY_HTTP_TOKEN", "FRUGAL_MEMORY_HTTP_TOKEN_FILE"
LEAST_TOKEN_CHARACTERS = 32
LARGEST_TOKEN_FILE_BYTES = 4096
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
PUBLIC_BITS = 0o077
LAST_PORT = 65_535
DEFAULT_PORT = 80
"""The port that a client leaves out."""

_ADDRESS = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[\w.-]+)):(?P<port>[0-9]{1,5})", re.ASCII)
_TOKEN = re.compile(r"[!-~]+")


@dataclass(frozen=True)
class Address:
    """Where a server listens: *host* in lower case without brackets; port 0 stands for any free one."""

    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches it."""
        return self.host in LOOPBACK

    def with_port(self, port: int) -> "Address":
        """Return the same host with the port that was given by the system."""
        return Address(self.host, port)

    def __str__(self) -> str:
        return f"{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


def read_address(text: str) -> Address:
    """Return the address written as `HOST:PORT`, `[::1]:PORT` for IPv6; raise `UsageError` if it is none."""
    match = _ADDRESS.fullmatch(text.strip())
    if match is None or int(match["port"]) > LAST_PORT:
        raise UsageError("http_bad_address", value=text[:60])
    host = match["name"] or match["six"]
    if match["six"]:
        try:
            host = str(ipaddress.IPv6Address(host))
        except ValueError:
            raise UsageError("http_bad_address", value=text[:60]) from None
    return Address(host.lower(), int(match["port"]))


@dataclass(frozen=True)
class Door:
    """What a request has to bring along; *hosts* and *origins* are those that the config file lists beside ours."""

    address: Address
    token: bytes = b""
    hosts: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()

    def refusal(self, headers: Iterable[tuple[bytes, bytes]]) -> int:
        """Return the HTTP status that refuses a request with *headers*, 0 if it may come in.

        421: a foreign Host, as a name that was bent to this address has. 403: a page of elsewhere. 401: no token.
        """
        found: dict[bytes, list[bytes]] = {}
        for name, value in headers:
            found.setdefault(name.lower(), []).append(value)
        if not self._knows_host(found.get(b"host", [])):
            return 421
        if not all(self._knows_origin(origin) for origin in found.get(b"origin", [])):
            return 403
        return 0 if self._has_token(found.get(b"authorization", [])) else 401

    def _knows_host(self, given: list[bytes]) -> bool:
        host = given[0].decode("latin-1").strip().lower() if len(given) == 1 else ""
        names = LOOPBACK if self.address.is_loopback else {self.address.host}
        own = {str(Address(name, self.address.port)) for name in names}
        if self.address.port == DEFAULT_PORT:
            own |= {_without_port(name) for name in own}
        return host in own or host in self.hosts or _without_port(host) in self.hosts

    def _knows_origin(self, given: bytes) -> bool:
        origin = given.decode("latin-1").strip().lower()
        if origin in self.origins:
            return True
        try:
            parts = urlsplit(origin)
            return parts.scheme in ("http", "https") and parts.hostname in LOOPBACK
        except ValueError:
            return False

    def _has_token(self, given: list[bytes]) -> bool:
        if not self.token:
            return True
        scheme, _, token = (given[0] if len(given) == 1 else b"").strip().partition(b" ")
        is_equal = hmac.compare_digest(token.strip(), self.token)
        return is_equal and scheme.lower() == b"bearer"


def _without_port(host: str) -> str:
    return re.sub(r":[0-9]*\Z", "", host)


def open_door(text: str, settings: Settings) -> Door:
    """Return what lets requests in at the address *text*; raise `UsageError` where the settings do not allow it."""
    address = read_address(text)
    token = read_token(settings.environ, settings.system)
    if not token and not address.is_loopback:
        raise UsageError("http_needs_token", value=str(address), variable=TOKEN, file_variable=TOKEN_FILE)
    table = settings.config.get("http", {})
    return Door(address, token, _listed(table, "hosts"), _listed(table, "origins"))


def _listed(table: Mapping[str, object], key: str) -> frozenset[str]:
    """Return the texts of a list in the config file; one text counts as a list of one."""
    value = table.get(key, [])
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise UsageError("http_bad_list", value=f"[http] {key}")
    return frozenset(item.strip().lower().rstrip("/") for item in items if item.strip())


def read_token(environ: Mapping[str, str], system: str) -> bytes:
    """Return the bearer token of the variable, else of the file that the other one names; b"" if neither is set."""
    token = environ.get(TOKEN, "").strip()
    source = TOKEN
    if not token:
        given = environ.get(TOKEN_FILE, "").strip()
        if not given:
            return b""
        path = paths.expand_path(given, environ=environ, system=system)
        source = paths.shown(path)
        token = _token_of(path)
    if len(token) < LEAST_TOKEN_CHARACTERS:
        raise UsageError("http_short_token", source=source, least=LEAST_TOKEN_CHARACTERS)
    if not _TOKEN.fullmatch(token):
        raise UsageError("http_odd_token", source=source)
    return token.encode()


def _token_of(path: Path) -> str:
    """Return what the file *path* holds; it has to belong to the user and to be closed to everybody else."""
    shown = paths.shown(path)
    with path.open("rb") as stream:
        status = os.fstat(stream.fileno())
        if sys.platform != "win32":  # there a mode says nothing about who may read
            if status.st_uid != os.getuid():
                raise UsageError("http_token_owner", path=shown)
            if stat.S_IMODE(status.st_mode) & PUBLIC_BITS:
                raise UsageError("http_token_mode", path=shown, mode=f"{stat.S_IMODE(status.st_mode):04o}")
        data = stream.read(LARGEST_TOKEN_FILE_BYTES)
    return data.decode("utf-8", "replace").strip()


def listen(address: Address) -> list[socket.socket]:
    """Return bound sockets, one for each address that the host has; raise `UsageError` if one cannot be bound.

    A name that stands for this machine alone and leads elsewhere is refused: no token guards it.
    """
    try:
        found = socket.getaddrinfo(
            address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except OSError as error:
        raise UsageError("http_no_host", value=address.host[:60], reason=error.strerror or "") from None
    places = list(dict.fromkeys((family, str(place[0])) for family, _, _, _, place in found))
    if address.is_loopback and not all(ipaddress.ip_address(place).is_loopback for _, place in places):
        raise UsageError("http_no_host", value=address.host, reason=", ".join(place for _, place in places))
    sockets: list[socket.socket] = []
    port, failure = address.port, None
    for family, place in places:
        try:
            sockets.append(_bound(family, place, port))
        except OSError as error:
            failure = error
            if error.errno == errno.EADDRINUSE:
                break
        else:
            port = sockets[-1].getsockname()[1]
    if failure and (not sockets or failure.errno == errno.EADDRINUSE):
        for opened in sockets:
            opened.close()
        raise UsageError("http_not_bound", value=str(address), reason=failure.strerror or "")
    return sockets  # of a name with two addresses the system may have only one


def _bound(family: int, place: str, port: int) -> socket.socket:
    opened = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":  # there it would let a second server take the port
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        opened.bind((place, port))
        opened.listen()
    except OSError:
        opened.close()
        raise
    return opened
