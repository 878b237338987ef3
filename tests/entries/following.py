"""Follow the calls that answers of show suggest."""

import re


def follow(memory, call: str) -> set[str]:
    """Return every text that is shown by *call* and by the calls its answers suggest."""
    texts: set[str] = set()
    waiting, done = [call], set()
    while waiting:
        call = waiting.pop()
        if call in done:
            continue
        done.add(call)
        ids, full = re.fullmatch(r'\w+\("([^"]+)"(?:, \w+=(true))?\)', call).groups()
        answer = memory("show", ids=ids, full=bool(full))
        head = r"(?m)^#\d+ \[\w+\] [^\n]*, (\d+) (?:chars|Zeichen)[^\n]*\n"
        for match in re.finditer(head, answer):
            texts.add(answer[match.end() : match.end() + int(match[1])])
        waiting += re.findall(r'(?:show|zeige)\("[^"]+"(?:, \w+=true)?\)', answer)
    return texts
