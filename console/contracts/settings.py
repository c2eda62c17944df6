"""What the operator can set. Each field has its title, its limits and one sentence; the form is made from them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from .base import Json, Value


class LimitSettings(Value):
    """Limits of a run."""

    max_steps: int = Field(default=80, ge=1, le=10_000, title="Steps", description="A run ends after this many steps.")
    timeout_s: int = Field(
        default=900,
        ge=5,
        le=86_400,
        title="Time",
        description="A run ends after this many seconds; waiting for you is not counted.",
    )
    max_cost_usd: float = Field(
        default=5.0,
        ge=0,
        le=10_000,
        title="Money",
        description="In US dollars: a run that has spent so much on models pauses and asks. 0 is no limit.",
    )
    max_tokens: int = Field(
        default=0,
        ge=0,
        le=1_000_000_000,
        title="Tokens",
        description="A run that has used so many tokens pauses and asks. 0 is no limit.",
    )


class SafetySettings(Value):
    """What waits for the operator."""

    ask_for: Literal["destructive", "every_change", "everything"] = Field(
        default="destructive", title="Ask before", description="Which steps wait for your approval."
    )
    stop_key: str = Field(default="Ctrl+Alt+Escape", title="Stop key", description="Stops a run from anywhere.")
    corner_stops: bool = Field(
        default=True,
        title="Screen corners stop",
        description="Throwing the pointer into a corner of the screen stops a run.",
    )
    pause_on_operator_input: bool = Field(
        default=True,
        title="Pause when I act",
        description="Moving the mouse or typing during an action pauses the run.",
    )


class DesktopSettings(Value):
    """How the console looks and acts."""

    ocr: bool = Field(
        default=True, title="Read pixels", description="Reads text from the picture where an app shows no elements."
    )
    settle_ms: int = Field(
        default=1500,
        ge=100,
        le=10_000,
        title="Settle",
        description="The longest wait, in ms, for the screen to come to rest.",
    )
    typing_delay_ms: int = Field(
        default=0, ge=0, le=500, title="Typing delay", description="A pause between keys, in ms."
    )


class AppearanceSettings(Value):
    """How the window looks."""

    theme: Literal["system", "light", "dark"] = Field(
        default="system", title="Theme", description="Light, dark or as the system."
    )
    compact_during_run: bool = Field(
        default=True, title="Get out of the way", description="Shows only a small bar while the agent works."
    )


class StorageSettings(Value):
    """How much of past runs is kept. A run that goes on or was interrupted is never deleted."""

    keep_days: int = Field(
        default=90,
        ge=0,
        le=36_500,
        title="Keep runs",
        description="A run is deleted this many days after its end. 0 keeps runs for ever.",
    )
    pictures_gb: int = Field(
        default=2,
        ge=0,
        le=10_000,
        title="Pictures",
        description="The oldest runs are deleted when all pictures take more than this many GB. 0 is no limit.",
    )


class Settings(Value):
    """All settings, by section."""

    limits: LimitSettings = Field(default=LimitSettings(), title="Limits")
    safety: SafetySettings = Field(default=SafetySettings(), title="Safety")
    desktop: DesktopSettings = Field(default=DesktopSettings(), title="Desktop")
    appearance: AppearanceSettings = Field(default=AppearanceSettings(), title="Appearance")
    storage: StorageSettings = Field(default=StorageSettings(), title="Storage")
    planner: str = Field(default="instructions", title="Planner", description="Which planner carries out a goal.")
    planners: dict[str, dict[str, Json]] = Field(
        default_factory=dict, title="Planners", description="What is set of each planner, by its name."
    )
