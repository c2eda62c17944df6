"""Keys: where they come from, and that they are nowhere else."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as NoKeyring
from keyring.errors import KeyringError
from pydantic import SecretStr

from console.contracts.errors import StorageError
from console.contracts.keys import ENVIRONMENT
from console.storage import keys as module
from console.storage.keys import Keys
from console.storage.log_secrets import hide_in_logs
from console.storage.own_texts import text

KEY = "sk-TEST-CANARY-123"


class Ring(KeyringBackend):
    """Keeps passwords in memory; `trouble` is raised instead."""

    priority = 1  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}
        self.trouble: Exception | None = None
        self.slow_s = 0.0

    def get_password(self, service: str, username: str) -> str | None:
        self._maybe()
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._maybe()
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._maybe()
        del self.kept[service, username]

    def _maybe(self) -> None:
        time.sleep(self.slow_s)
        if self.trouble is not None:
            raise self.trouble


@pytest.fixture(autouse=True)
def no_keys_around(monkeypatch: pytest.MonkeyPatch) -> None:
    for names in ENVIRONMENT.values():
        for name in names:
            monkeypatch.delenv(name, raising=False)


@pytest.fixture
def ring() -> Iterator[Ring]:
    before = keyring.get_keyring()
    made = Ring()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


@pytest.fixture
def no_ring() -> Iterator[None]:
    before = keyring.get_keyring()
    keyring.set_keyring(NoKeyring())
    yield
    keyring.set_keyring(before)


async def test_the_environment_comes_first(ring: Ring, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = Keys()
    await keys.save("google", SecretStr("from the ring"))
    assert await keys.where("google") == "keyring"
    monkeypatch.setenv("GEMINI_API_KEY", f" {KEY} ")
    found = await keys.key("google")
    assert found is not None
    assert found.get_secret_value() == KEY
    assert await keys.where("google") == "environment"
    assert KEY in keys.known
    assert KEY not in repr(found)


async def test_a_key_is_kept_in_the_ring_and_can_be_forgotten(ring: Ring) -> None:
    keys = Keys()
    assert await keys.where("anthropic") is None
    assert await keys.key("anthropic") is None
    assert await keys.save("anthropic", SecretStr(f"{KEY}\n")) == "keyring"
    assert ring.kept == {("operator-console", "anthropic"): KEY}
    again = await Keys().key("anthropic")
    assert again is not None
    await keys.forget("anthropic")
    await keys.forget("anthropic")
    assert ring.kept == {}


@pytest.mark.usefixtures("no_ring")
async def test_without_a_ring_it_is_kept_until_the_console_is_closed() -> None:
    keys = Keys()
    assert await keys.key("openai") is None
    assert await keys.save("openai", SecretStr(KEY)) == "session"
    assert await keys.where("openai") == "session"
    assert await Keys().key("openai") is None
    await keys.forget("openai")
    assert await keys.where("openai") is None


async def test_a_ring_that_refuses_or_sleeps_is_said(ring: Ring, monkeypatch: pytest.MonkeyPatch) -> None:
    ring.trouble = KeyringError("locked")
    with pytest.raises(StorageError, match="The keyring refused: locked"):
        await Keys().key("anthropic")
    ring.trouble, ring.slow_s = None, 0.3
    monkeypatch.setattr(module, "PATIENCE_S", 0.05)
    with pytest.raises(StorageError, match="does not answer"):
        await Keys().key("anthropic")


def test_a_key_is_in_no_log_line_and_no_traceback(caplog: pytest.LogCaptureFixture) -> None:
    before = logging.getLogRecordFactory()
    secrets: set[str] = set()
    hide_in_logs(secrets)
    try:
        logging.getLogger("a").info("nothing to hide")
        secrets.add(KEY)
        with caplog.at_level(logging.DEBUG):
            logging.getLogger("a").debug("the key is %s", KEY)
            logging.getLogger("a").debug("plain")
            try:
                raise ValueError(KEY)
            except ValueError:
                logging.getLogger("a").debug("it failed", exc_info=True)
    finally:
        logging.setLogRecordFactory(before)
    assert KEY not in caplog.text
    assert "the key is ••••••" in caplog.text
    assert "ValueError: ••••••" in caplog.text


def test_the_operators_own_text_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPERATOR_CONSOLE_DATA", str(tmp_path))
    shipped: Any = text("prompts/decide.md")
    assert "How to answer" in shipped
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "decide.md").write_text("my own rules", encoding="utf-8")
    assert text("prompts/decide.md") == "my own rules"
    (tmp_path / "prompts" / "decide.md").write_bytes(b"\xff\xfe\xff")
    assert text("prompts/decide.md") == shipped
