"""A console of its own for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from .fakes import FakeWiring


@pytest.fixture
def wiring(tmp_path: Path) -> FakeWiring:
    return FakeWiring(tmp_path / "data")
