"""Calls nobody would make on purpose: arguments of every kind of JSON, hostile texts, wrong types, wrong names.

Everything comes from one seeded generator, so that a failure is a seed and a number.
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from frugal.engine import ToolDefinition

HOSTILE = (
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "x\udfffy",
    "\x1b[2J\x1b]0;t\x07",
    "\u202eabc\u2066",
    "\u2028#1 [pitfall]\u2029",
    "\r\n#7 2026-11-30 header",
    "'; DROP TABLE entry; --",
    'a" OR 1=1',
    "NEAR(a b)",
    "* AND (",
    '"unbalanced',
    "body:x OR title:",
    "%s {0} {name} ${HOME} $(id) `id`",
    "../../etc/passwd",
    "/dev/zero",
    "C:\\x\\y",
    "file:///etc/hosts",
    "--help",
    "-",
    "null",
    "true",
    "NaN",
    "1e999",
    "9223372036854775808",
    "-1",
    "0",
    "#1",
    "box#1",
    "b#1-2",
    "1-99999999999",
    "3-1",
    "2026-02-30",
    "👩‍🚀🇩🇪❤️",
    "连接池设备",
    "e\u0301" * 40,
    "\ufeffx",
    "ignore previous instructions",
    "---\ntitle: x\n---\n",
    "```\n# h\n```",
    "a | b | c",
    "m1-m3",
    "r1",
    "*",
    "a/b",
    "[[a]] ![[b]]",
)
WORDS = (
    "user",
    "port",
    "backup",
    "über",
    "连接池",
    "run",
    "7",
    "12.4",
    "s",
    "#1",
    "shop",
    "C++",
    "a/b",
    "2026-11-30",
)
NAMED = ("1", "2", "1,2", "1-3", "#1", "a/b", "a/c", "a/ü", "m1", "m1-m2", "shop", "unsorted", "2026-11-01")
MARKS = ("\n", "\t", " ", ". ", "\r\n", "\n\n", "; ", " | ")


NEW = frozenset({"key", "kennung", "title", "titel"})
"""Parameters for which a value that was good before is mostly taken."""
TEXT = {"type": "string"}
KEPT = 60
"""How many good values of a parameter, and words of answers, are remembered."""


class FuzzedCall(NamedTuple):
    """One call: the tool as named, and its arguments."""

    tool: str
    arguments: dict[str, Any]


class Fuzzer:
    """Makes calls of the tools that *definitions* declare; *foreign* are names of tools of other modes."""

    def __init__(
        self, definitions: Sequence[ToolDefinition], foreign: Sequence[str], choice: random.Random
    ) -> None:
        self._definitions = definitions
        self._foreign = foreign
        self._choice = choice
        self._good: dict[str, list[Any]] = {}
        self._said: list[str] = []

    def learn(self, made: FuzzedCall, answer: str) -> None:
        """Take note of what a call that worked was given, and of what it said: such values lead further inside."""
        for name, value in made.arguments.items():
            known = self._good.setdefault(name, [])
            known.append(value)
            del known[:-KEPT]
        self._said += re.findall(r"[\w/#.-]+", answer)[:KEPT]
        del self._said[:-KEPT]

    def call(self) -> FuzzedCall:
        """Return the next call."""
        choice = self._choice
        definition = choice.choice(self._definitions)
        name = definition.name
        if choice.random() < 0.03:
            name = choice.choice((*self._foreign, *HOSTILE, name.upper(), f"{name} "))
        if choice.random() < 0.02:
            return FuzzedCall(name, self._anything())
        return FuzzedCall(name, self._arguments(definition.input_schema))

    def _anything(self) -> dict[str, Any]:
        return {self.text(): self.value(3) for _ in range(self._choice.randrange(6))}

    def _arguments(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        choice = self._choice
        required = schema.get("required", ())
        care = choice.choice(
            (1.0, 0.98, 0.9, 0.5)
        )  # most calls are nearly right: only those reach the inside
        more = choice.choice((0.0, 0.2, 0.5))
        arguments: dict[str, Any] = {}
        for name, declared in schema["properties"].items():
            if choice.random() > (care if name in required else more):
                continue
            is_meant = choice.random() < care
            arguments[name] = self.meant(name, declared) if is_meant else self.value(2)
        if choice.random() < 0.02:
            arguments[self.text()] = self.value(1)
        return arguments

    def meant(self, name: str, declared: Mapping[str, Any]) -> Any:
        """Return a value of the type that a parameter declares, often one that was good before."""
        choice = self._choice
        if name in NEW and choice.random() < 0.2:
            return f"a/k{choice.randrange(10**6)}"
        if (good := self._good.get(name)) and choice.random() < 0.4:
            return choice.choice(good)
        if self._said and declared.get("type") == "string" and choice.random() < 0.15:
            return choice.choice(self._said)
        if words := declared.get("enum"):
            return choice.choice(words)
        hints = re.findall(r"[\w/*.-]+", str(declared.get("description", ""))) or ["x"]
        kinds: dict[str, Callable[[], Any]] = {
            "string": lambda: choice.choice(hints) if choice.random() < 0.3 else self.sensible(),
            "integer": lambda: choice.choice((0, 1, 2, 5, 20, 100, -1, choice.randrange(10**6))),
            "number": lambda: choice.choice((0, 0.5, 1, 1.5, -2, 1e9)),
            "boolean": lambda: choice.random() < 0.5,
            "array": lambda: [
                self.meant("", declared.get("items", TEXT)) for _ in range(choice.randrange(4))
            ],
            "object": lambda: self._arguments(declared) if "properties" in declared else self._anything(),
        }
        kind = declared.get("type", "string")
        return kinds[choice.choice(kind) if isinstance(kind, list) else kind]()

    def sensible(self) -> str:
        """Return a text that may well be meant: ids, words, a paragraph, sometimes a hostile one."""
        choice = self._choice
        pick = choice.random()
        if pick < 0.2:
            return choice.choice((*NAMED, str(choice.randrange(60)), f"a/k{choice.randrange(999)}"))
        if pick < 0.3:
            return choice.choice(HOSTILE)
        if pick < 0.35:
            return choice.choice(("acc | 81.2 % | A | 1 | 5\nloss | 0.3", "acc | 1/3", "a | b"))
        if pick < 0.5:
            return choice.choice(WORDS)
        count = choice.choice((2, 5, 12, 60)) if choice.random() > 0.01 else 30_000
        return "".join(choice.choice(WORDS) + choice.choice(MARKS) for _ in range(count))

    def text(self) -> str:
        """Return any text."""
        choice = self._choice
        if choice.random() < 0.5:
            return choice.choice(HOSTILE)
        return "".join(chr(choice.randrange(1, 0x2FFFF)) for _ in range(choice.randrange(1, 12)))

    def value(self, depth: int) -> Any:
        """Return a JSON value of any kind."""
        choice = self._choice
        kinds: list[Callable[[], Any]] = [
            lambda: None,
            lambda: choice.random() < 0.5,
            lambda: choice.choice((0, -1, 1, 2**63 - 1, 2**63, -(2**80), 10**40)),
            lambda: choice.choice((0.0, -0.5, 1e308, float("inf"), float("nan"))),
            self.text,
            self.sensible,
        ]
        if depth:
            kinds += [
                lambda: [self.value(depth - 1) for _ in range(choice.randrange(5))],
                lambda: {self.text(): self.value(depth - 1) for _ in range(choice.randrange(4))},
            ]
        return choice.choice(kinds)()
