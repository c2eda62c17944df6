"""References: where their values come from, what is said where there is none, and what is kept out of sight."""

from __future__ import annotations

import logging

import pytest
from pydantic import SecretStr

from console.contracts.errors import ConsoleError
from console.contracts.tool_servers import ToolServer
from console.storage.log_secrets import hide_in_logs
from console.storage.references import References

CANARY = "sk-TEST-CANARY-123"
OTHER = "tok-TEST-CANARY-456"


class Ring:
    def __init__(self) -> None:
        self.known: set[str] = set()

    async def key(self, service: str) -> SecretStr | None:
        return SecretStr(CANARY) if service == "notes" else None


@pytest.fixture
def ring() -> Ring:
    return Ring()


async def test_values_come_from_the_environment_and_the_keyring(ring: Ring) -> None:
    server = ToolServer(
        name="notes",
        command="${HOME}/bin/notes",
        args=("--user", "${env:LOGIN}", "plain $5 {x}"),
        env={"TOKEN": "Bearer ${key:notes}"},
        cwd="${HOME}",
        url="",
        headers={"X": "${LOGIN}-${LOGIN}"},
    )
    resolver = References(ring, {"HOME": "/home/ada", "LOGIN": "ada-byron"})
    assert await resolver.resolved(server) == ToolServer(
        name="notes",
        command="/home/ada/bin/notes",
        args=("--user", "ada-byron", "plain $5 {x}"),
        env={"TOKEN": f"Bearer {CANARY}"},
        cwd="/home/ada",
        headers={"X": "ada-byron-ada-byron"},
    )
    assert resolver.secrets == {CANARY, "ada-byron"}, "a home is no secret"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("${NOWHERE}", "The server “s” needs the variable NOWHERE, which is not set."),
        ("${key:web}", "The server “s” needs the key “web”, which is not in the keyring."),
    ],
)
async def test_a_value_that_is_missing_is_named(ring: Ring, text: str, words: str) -> None:
    with pytest.raises(ConsoleError) as caught:
        await References(ring, {}).resolved(ToolServer(name="s", command="x", env={"A": text}))
    assert caught.value.message == words
    assert "mcp.json" in caught.value.hint


async def test_a_secret_that_stands_in_the_file_is_known_by_its_name(ring: Ring) -> None:
    server = ToolServer(
        name="s",
        url="http://a",
        headers={"Authorization": f"Bearer {OTHER}", "Accept": "application/json", "X-Key": "abc"},
    )
    resolver = References(ring, {})
    assert await resolver.resolved(server) == server
    assert resolver.secrets == {OTHER}, "what is too short would blot out words"


async def test_what_was_put_in_stands_in_no_log(ring: Ring, caplog: pytest.LogCaptureFixture) -> None:
    before = logging.getLogRecordFactory()
    hide_in_logs(ring.known)
    try:
        await References(ring, {}).resolved(ToolServer(name="s", command="x", env={"A": "${key:notes}"}))
        with caplog.at_level(logging.INFO):
            logging.getLogger("server").info("began with %s", CANARY)
    finally:
        logging.setLogRecordFactory(before)
    assert [record.getMessage() for record in caplog.records] == ["began with ••••••"]
