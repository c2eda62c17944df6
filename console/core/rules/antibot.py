"""Recognises a page that keeps automatic visitors out, by the exact words of its maker."""

from __future__ import annotations

from console.contracts.view import PlanningView

LOOKED_AT = 50
# Several words each: a single one also stands in articles about the subject.
_MARKS = {
    "cloudflare": (
        "just a moment... | cloudflare",
        "attention required! | cloudflare",
        "checking your browser before accessing",
        "verify you are human by completing the action below",
        "cloudflare ray id",
    ),
    "akamai": ("access denied | reference #", "you don't have permission to access", "errors.edgesuite.net"),
    "recaptcha": ("g-recaptcha", "recaptcha requires verification", "i'm not a robot recaptcha"),
    "perimeterx": ("press & hold to confirm you are", "px-captcha", "please verify you are a human"),
    "datadome": ("geo.captcha-delivery.com", "datadome captcha", "slide right to secure your access"),
}


def wall(view: PlanningView) -> str | None:
    """The maker of the wall that stands before the page, or None."""
    texts = [view.screen.window, *(f"{e.label or ''} {e.value or ''}" for e in view.elements[:LOOKED_AT])]
    seen = "\n".join(texts).casefold().replace("’", "'")
    return next((maker for maker, marks in _MARKS.items() if any(mark in seen for mark in marks)), None)
