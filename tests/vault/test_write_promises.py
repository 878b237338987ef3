"""What people suffered elsewhere, and must not here: nothing overwritten, nothing taken for a copy that differs."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vault.conftest import BODY, OTHER_BODY, Vault
from tests.vault.secret_samples import R16, R40

SIX = (
    ("openai-style-key", "sk" + "-" + R40),
    ("github-token", "gh" + "p_" + R40[:36]),
    ("aws-key-id", "AK" + "IA" + R16),
    ("jwt", ".".join(("ey" + "JhbGciOiJSUzI1NiJ9", "ey" + "JpZCI6NDIsInJvbGUiOiJhZG1pbiJ9", R40))),
    ("private-key", f"-----BEGIN PRIV{'ATE'} KEY-----\n{R40}{R16}\n-----END PRIV{'ATE'} KEY-----"),
    ("url-password", "db://u:p4ssw0rd@h"),
)
THREE = (
    "3b18e512dba79e4c8300dd08aeb37f8e728b8dad",
    "123e4567-e89b-12d3-a456-426614174000",
    "ISBN 978-0-13-468599-1",
)


def test_pain_4_known_title_does_not_overwrite_the_older_note(vault: Vault) -> None:
    first = vault("memory_capture", title="Proxy", body=BODY)

    second = vault("memory_capture", title="Proxy", body=OTHER_BODY)

    assert vault.files() == sorted([first["path"], second["path"]])
    assert first["path"] in second["text"]
    assert second["path"] in second["text"]
    for word, path in (("ecs-prod", first["path"]), ("ecs-test", second["path"])):
        assert path in vault.reply("memory_search", query=word).text


def test_pain_44_keys_are_named_and_never_repeated(vault: Vault) -> None:
    for number, (kind, secret) in enumerate(SIX):
        told = vault("memory_capture", title=f"Key {number}", body=f"{BODY}\n{secret}")["text"]

        assert kind in told
        assert secret not in told
    for number, harmless in enumerate(THREE):
        assert (
            "redential"
            not in vault("memory_capture", title=f"No key {number}", body=f"{BODY} {harmless}")["text"]
        )


@settings(max_examples=12)
@given(
    st.from_regex(
        r"(run|version|port) [0-9]{1,4}(\.[0-9]{1,3})? took [0-9]{1,3}(\.[0-9])? s", fullmatch=True
    ),
    st.integers(0, 9),
    st.data(),
)
def test_texts_that_differ_in_a_number_are_never_unchanged(
    vault: Vault, text: str, digit: int, data: st.DataObject
) -> None:
    places = [index for index, char in enumerate(text) if char.isdecimal() and char != str(digit)]
    if not places:
        return
    place = data.draw(st.sampled_from(places))
    other = text[:place] + str(digit) + text[place + 1 :]

    one = vault("memory_capture", title="Measured", body=f"{text} on the machine")
    two = vault("memory_capture", title="Measured", body=f"{other} on the machine")

    assert one["path"] != two["path"]
    assert vault.card(two["path"]).body == f"{other} on the machine"
    again = vault("memory_capture", title="Measured", body=f"{text} on the machine")
    assert (again["action"], again["path"]) == ("unchanged", one["path"])
