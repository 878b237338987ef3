"""Who gives the second opinion: any OpenAI-compatible endpoint, or a plugin in its place. Nothing here ever raises for
what a network or a plugin does: there is a verdict in time, or there is none.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from frugal.call import Call, Opinion
from frugal.entries.factcheck import (
    FactCheckSettings,
    Verdict,
    base_url,
    head_of,
    prompt_for,
    read_settings,
    read_verdict,
)

ANSWER_TOKENS = 16
LONGEST_REPLY_BYTES = 1 << 20
STATUSES = {401: "unauthorized", 403: "unauthorized", 404: "not_found", 429: "busy"}
"""How a status is told: what its reader can mend by another setting, or by waiting."""
STATE = "fact_check"

Monotonic = Callable[[], float]


class Source(Protocol):
    """Whoever can be asked; *deadline* is on the monotonic clock."""

    def ask(self, new: str, old: str, *, deadline: float) -> Verdict | None:
        """Return the verdict on two notes, None when there is none in time."""

    @property
    def trouble(self) -> "Trouble | None":
        """Why nothing is asked at the moment."""


@dataclass(frozen=True)
class Trouble:
    """A failure, its string key below `check.troubles`, and until when nothing is asked (monotonic clock)."""

    key: str
    until: float

    def left_s(self, now: float) -> int:
        """Return how many seconds it still lasts."""
        return max(round(self.until - now), 0)


class _Failed(Exception):
    """The endpoint did not do what it should; *key* names how."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(key)


class Endpoint:
    """The endpoint of one process: probed until it names the model, paused after a failure."""

    def __init__(self, settings: FactCheckSettings, clock: Monotonic = time.monotonic) -> None:
        self.settings = settings
        self._base = base_url(settings.url)
        self._clock = clock
        self._is_probed = not settings.probe_s
        self._trouble: Trouble | None = None

    @property
    def trouble(self) -> Trouble | None:
        """The last failure while its pause lasts."""
        if self._trouble and self._clock() < self._trouble.until:
            return self._trouble
        return None

    def ask(self, new: str, old: str, *, deadline: float) -> Verdict | None:
        """Return the verdict, None when there is none in time."""
        if self.trouble or deadline <= self._clock():
            return None
        heads = [head_of(text, self.settings.characters) for text in (new, old)]
        try:
            if not self._is_probed:
                self._probe(min(self.settings.probe_s, deadline - self._clock()))
            left = deadline - self._clock()
            if left > 0:
                return self._complete(prompt_for(*heads), min(self.settings.timeout_s, left))
        except _Failed as failed:
            is_refused = failed.key == "refused"
            pause = self.settings.pause_short_s if is_refused else self.settings.pause_s
            self._trouble = Trouble(failed.key, self._clock() + pause)
        return None

    def _probe(self, timeout_s: float) -> None:
        found = self._request("GET", "/models", None, timeout_s)
        try:
            names = {item["id"] for item in found["data"]}
        except (KeyError, TypeError):
            raise _Failed("protocol") from None
        if self.settings.model not in names:
            raise _Failed("model")
        self._is_probed = True

    def _complete(self, prompt: str, timeout_s: float) -> Verdict | None:
        body = {
            "model": self.settings.model,
            "messages": [{"role": "user", "content": prompt}],
            "temperature": 0,
            "max_tokens": ANSWER_TOKENS,
        }
        found = self._request("POST", "/chat/completions", body, timeout_s)
        try:
            return read_verdict(found["choices"][0]["message"]["content"])
        except (KeyError, TypeError, IndexError):
            raise _Failed("protocol") from None

    def _request(self, method: str, path: str, body: object, timeout_s: float) -> Any:
        """Return the JSON of the reply; raise `_Failed` for anything but a success within *timeout_s*."""
        # Importing the library takes a quarter of a second once, which is not the server's fault.
        try:
            _ = self._client
        except ValueError:  # a key that no header can carry
            raise _Failed("key") from None
        ending = time.monotonic() + timeout_s
        found = within(timeout_s, lambda: self._exchange(method, path, body, ending))
        if found is None:
            raise _Failed("slow")
        if isinstance(found, _Failed):
            raise found
        return found

    def _exchange(self, method: str, path: str, body: object, ending: float) -> Any:
        """Return the JSON of the reply, or what failed as a value: it leaves a thread of its own."""
        import json

        try:
            found = json.loads(self._receive(method, path, body, ending))
        except _Failed as failed:
            return failed
        except Exception as error:  # whatever a network and an HTTP library can come to
            return _Failed(_key_of(error))
        return _Failed("protocol") if found is None else found

    def _receive(self, method: str, path: str, body: object, ending: float) -> bytes:
        left = max(ending - time.monotonic(), 0.001)
        received = bytearray()
        with self._client.stream(method, self._base + path, json=body, timeout=left) as reply:
            if not reply.is_success:
                raise _Failed("redirect" if reply.is_redirect else STATUSES.get(reply.status_code, "status"))
            for chunk in reply.iter_raw():
                received += chunk
                if time.monotonic() > ending:
                    raise _Failed("slow")
                if len(received) > LONGEST_REPLY_BYTES:
                    raise _Failed("protocol")
        return bytes(received)

    @cached_property
    def _client(self) -> Any:
        """The HTTP client. No proxies and no redirects: the notes and the key go to that origin and nowhere else."""
        import httpx2 as http

        return http.Client(
            headers={
                "Accept-Encoding": "identity",  # a small reply could become any size
                **({"Authorization": f"Bearer {self.settings.key}"} if self.settings.key else {}),
            },
            follow_redirects=False,
            trust_env=False,
            # A kept connection may be closed by the other side just when it is used again.
            limits=http.Limits(max_keepalive_connections=0),
        )


def _key_of(error: Exception) -> str:
    """Return how *error* is told: a string key below `check.troubles`."""
    import httpx2 as http

    if isinstance(error, http.ConnectError):
        return "refused"
    if isinstance(error, http.TimeoutException):
        return "slow"
    return "broken" if isinstance(error, http.HTTPError) else "protocol"


class PluginOpinion:
    """A plugin's second opinion, under the same rules as the endpoint's."""

    trouble: Trouble | None = None

    def __init__(self, opinion: Opinion, characters: int) -> None:
        self._opinion = opinion
        self._characters = characters

    def ask(self, new: str, old: str, *, deadline: float) -> Verdict | None:
        """Return the plugin's verdict; whatever it raises or invents is no verdict."""
        heads = [head_of(text, self._characters) for text in (new, old)]
        return read_verdict(within(deadline - time.monotonic(), lambda: self._opinion(*heads)))


def within(seconds: float, work: Callable[[], Any]) -> Any:
    """Return what *work* returns, None if it takes longer or raises.

    It runs in a thread that is left to itself then: no timeout of a socket bounds a reply that trickles, or a plugin.
    """
    if seconds <= 0:
        return None
    found: list[Any] = []

    def run() -> None:
        try:
            found.append(work())
        except Exception:  # a fault of a plugin or of the HTTP library must not cost the answer
            found.append(None)

    thread = threading.Thread(target=run, name="second-opinion", daemon=True)
    thread.start()
    thread.join(seconds)
    return found[0] if found else None


def source_of(call: Call) -> Source | None:
    """Return whom this call may ask: a plugin, else the endpoint of this process, None if the fact check is off.

    Raises `Refusal` if the address may not be used.
    """
    settings = read_settings(call.settings)
    if settings.is_off:
        return None
    if call.opinion is not None:
        return PluginOpinion(call.opinion, settings.characters)
    if not settings.has_endpoint:
        return None
    known = call.process.get(STATE)
    if not isinstance(known, Endpoint) or known.settings != settings:
        known = call.process[STATE] = Endpoint(settings)
    return known
