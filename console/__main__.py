"""The command `operator-console`: hands the arguments to the command line, and the wiring only when it is needed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from console.cli.main import main as command_line

if TYPE_CHECKING:
    from console.cli.wiring import Wiring


def _wiring() -> Wiring:
    """Imported here because everything heavy hangs on it."""
    from console.app import wiring

    return wiring()


def main() -> int:
    return command_line(sys.argv[1:], _wiring)


if __name__ == "__main__":
    sys.exit(main())
