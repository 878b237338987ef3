"""What a line of the shell came to, for every test that runs one in this process."""

import json
from typing import Any, NamedTuple


class Told(NamedTuple):
    """The exit code and what stood on the two streams."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one object on stdout, on one line."""
        found = json.loads(self.out)
        assert isinstance(found, dict)
        assert self.out.count("\n") == 1, "exactly one line"
        return found
