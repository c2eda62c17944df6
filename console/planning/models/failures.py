"""Turns what can go wrong between here and a model into one sentence with what to do about it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

from console.contracts.errors import PlannerError

from .settings import TITLES

Trouble = Literal[
    "key", "model", "limit", "quota", "busy", "time", "network", "refused", "image", "tools", "length", "other"
]
LONGEST_BODY = 240
LONGEST_WAIT_S = 300.0
AGAIN: frozenset[Trouble] = frozenset({"limit", "busy", "time", "network"})


@dataclass(frozen=True)
class Place:
    """The model that was called; `secret` is blotted out of every sentence."""

    provider: str
    model: str
    address: str = ""
    secret: str = ""

    @property
    def who(self) -> str:
        return self.address or TITLES.get(self.provider, self.provider)

    @property
    def name(self) -> str:
        return f"{self.provider}:{self.model}"

    def clean(self, text: str) -> str:
        return text.replace(self.secret, "••••••") if self.secret else text


class ModelTrouble(PlannerError):
    """A call that gave nothing. `wait_s` is how long the provider asks to wait, where it says so."""

    def __init__(self, trouble: Trouble, message: str, hint: str, wait_s: float | None = None) -> None:
        super().__init__(message, hint)
        self.trouble = trouble
        self.wait_s = wait_s

    @property
    def may_try_again(self) -> bool:
        return self.trouble in AGAIN and (self.wait_s or 0) <= LONGEST_WAIT_S


def trouble_of(error: Exception, place: Place, timeout_s: float) -> ModelTrouble:
    """What happened, whatever the library calls it."""
    from pydantic_ai import exceptions as ai

    error = _unwrapped(error)
    said = place.clean(_said(error))
    wait_s = getattr(error, "retry_after", None)
    status = getattr(error, "status_code", None)
    if isinstance(error, ai.ContentFilterError):
        return _refused(said)
    if isinstance(error, TimeoutError | ai.ModelTimeoutError | ai.ModelRequestTimeout):
        return ModelTrouble(
            "time", f"{place.who} did not answer within {timeout_s:g} s.", "Raise the time in Settings, or try later."
        )
    if isinstance(error, ai.ModelQuotaExceededError) or status == 402:
        return ModelTrouble("quota", f"The account at {place.who} is used up: {said}", "Top it up, or use another key.")
    if isinstance(error, ai.ModelAuthenticationError) or status in (401, 403):
        return _key(place, status, said)
    if isinstance(error, ai.ModelNotFoundError) or status == 404:
        near = getattr(error, "suggested_model_id", None)
        hint = f"Did you mean {near}?" if near else "Check its name and the address in Settings."
        return ModelTrouble("model", f"{place.who} does not know the model “{place.model}”.", hint)
    if isinstance(error, ai.ModelRateLimitError) or status == 429:
        return ModelTrouble(
            "limit", f"{place.who} limits how often it is called.", "Wait, or use another model.", wait_s
        )
    busy = isinstance(error, ai.ModelUnavailableError | ai.ModelServerError)
    if busy or (isinstance(status, int) and status >= 500):
        words = (
            f"{place.who} is overloaded." if status == 529 else f"{place.who} has trouble ({status or 'no status'})."
        )
        return ModelTrouble("busy", words, "Try again later, or use another model.", wait_s)
    if isinstance(error, ai.ModelContextWindowExceededError):
        return ModelTrouble(
            "length", f"The request is too long for {place.model}.", "Lower the longest request in Settings."
        )
    if isinstance(error, ai.ModelConnectionError | OSError):
        return ModelTrouble(
            "network",
            f"{place.who} could not be reached, or the connection broke.",
            "Check the network and the address.",
        )
    return _rejected(said, place, status)


def cut_off(place: Place) -> ModelTrouble:
    """The connection ended in the middle of the answer."""
    return ModelTrouble("network", f"The answer of {place.who} broke off.", "Try again.")


def _refused(said: str) -> ModelTrouble:
    words = f"The model refused{f': {said}' if said else '.'}"
    return ModelTrouble("refused", words, "Say the goal in other words, or use another model.")


def refused(said: str) -> ModelTrouble:
    """The model would not do it; `said` is its reason, if it gave one."""
    return _refused(shortened(said))


def _key(place: Place, status: object, said: str) -> ModelTrouble:
    if status == 403:
        return ModelTrouble(
            "key", f"{place.who} does not let this key use “{place.model}”: {said}", "Use another key or model."
        )
    return ModelTrouble(
        "key", f"{place.who} does not accept the key.", "Enter the right one in Settings and press Test."
    )


def _rejected(said: str, place: Place, status: object) -> ModelTrouble:
    """A request that the provider would not take; its words tell the picture and the tools from the rest."""
    words = said.lower()
    if status == 413 or ("image" in words and status in (400, 413, 422)):
        return ModelTrouble("image", f"{place.who} does not take the picture: {said}", "Send it without the picture.")
    if "tool" in words and status in (400, 404, 422, 501):
        return ModelTrouble(
            "tools", f"“{place.model}” cannot call tools: {said}", "Choose “Text” as form of the answer."
        )
    code = f" ({status})" if status else ""
    return ModelTrouble(
        "other", f"{place.who} did not take the request{code}: {said}", "Check the settings of the model."
    )


def _said(error: Exception) -> str:
    """The provider's own words, short."""
    body = getattr(error, "body", None)
    return shortened(_message_in(body) or str(error))


def _message_in(body: object) -> str:
    if isinstance(body, str):
        try:
            body = json.loads(body)
        except ValueError:
            return str(body)
    if isinstance(body, list) and body:
        body = body[0]
    if isinstance(body, dict):
        inner = body.get("error", body)
        if isinstance(inner, dict):
            return str(inner.get("message") or "")
        return str(inner)
    return ""


def shortened(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST_BODY else flat[: LONGEST_BODY - 1] + "…"


def _unwrapped(error: Exception) -> Exception:
    """An error of OpenAI's own library as pydantic-ai would have named it; any other as it is."""
    import sys

    from pydantic_ai import exceptions as ai

    openai = sys.modules.get("openai")
    if openai is None:
        return error
    if isinstance(error, openai.APITimeoutError):
        return ai.ModelTimeoutError("", str(error))
    if isinstance(error, openai.APIConnectionError):
        return ai.ModelConnectionError("", str(error))
    if isinstance(error, openai.APIStatusError):
        return ai.ModelHTTPError(error.status_code, "", error.body, headers=dict(error.response.headers))
    return error
