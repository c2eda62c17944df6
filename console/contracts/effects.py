"""What an action is expected to change on the screen, and what was seen of it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from .base import Value


class _Expectation(Value):
    timeout_ms: int = Field(default=2000, ge=0)


class SelectorAppears(_Expectation):
    kind: Literal["selector_appears"] = "selector_appears"
    selector: str

    def describe(self) -> str:
        return f"{self.selector} appears"


class SelectorDisappears(_Expectation):
    kind: Literal["selector_disappears"] = "selector_disappears"
    selector: str

    def describe(self) -> str:
        return f"{self.selector} disappears"


class SelectorTextContains(_Expectation):
    kind: Literal["selector_text_contains"] = "selector_text_contains"
    selector: str
    substring: str

    def describe(self) -> str:
        return f"{self.selector} shows “{self.substring}”"


class DomChanged(_Expectation):
    kind: Literal["dom_changed"] = "dom_changed"

    def describe(self) -> str:
        return "something changes"


EffectExpectation = Annotated[
    SelectorAppears | SelectorDisappears | SelectorTextContains | DomChanged, Field(discriminator="kind")
]


class SelectorEffect(Value):
    kind: Literal["selector_effect"] = "selector_effect"
    expectation: EffectExpectation


class AdapterReadback(Value):
    kind: Literal["adapter_readback"] = "adapter_readback"
    action: str


class AxReread(Value):
    kind: Literal["ax_reread"] = "ax_reread"


class NoEffectKind(Value):
    kind: Literal["none"] = "none"


EffectKind = Annotated[SelectorEffect | AdapterReadback | AxReread | NoEffectKind, Field(discriminator="kind")]
EffectStatus = Literal["observed", "timed_out", "not_checked", "contradicted"]


class ObservedEffect(Value):
    """What was seen after an action. `not_checked` is never proof of anything."""

    status: EffectStatus
    kind: EffectKind = NoEffectKind()
    detail: str | None = None

    def words(self) -> str:
        return self.status.replace("_", " ")
