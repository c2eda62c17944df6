"""What goes into a password field is not written down."""

from __future__ import annotations

from console.contracts.actions import Click, SetValue, TypeText
from console.core.secrecy import MASK, masked


def test_the_text_is_masked_and_nothing_else() -> None:
    assert masked(TypeText(target_id="p", text="hunter2"), protected=True) == TypeText(target_id="p", text=MASK)
    assert masked(SetValue(target_id="p", value="hunter2"), protected=True) == SetValue(target_id="p", value=MASK)
    assert masked(TypeText(text="x"), protected=False) == TypeText(text="x")
    assert masked(Click(target_id="p"), protected=True) == Click(target_id="p")
