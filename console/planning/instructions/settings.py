"""What can be set of the embedded planner."""

from __future__ import annotations

from pydantic import Field

from console.contracts.base import Value


class InstructionSettings(Value):
    """How patient the planner is."""

    wait_s: int = Field(
        default=15,
        ge=1,
        le=300,
        title="Patience",
        description="How many seconds an instruction waits for what is not on the screen yet.",
    )
    batch: int = Field(
        default=5,
        ge=1,
        le=20,
        title="Steps at once",
        description="How many steps are planned from one look at the screen.",
    )
