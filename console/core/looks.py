"""A fingerprint of what can be seen, to tell whether a scene has changed."""

from __future__ import annotations

import hashlib

from console.contracts.scene import Scene


def looks(scene: Scene) -> str:
    """Equal for two scenes with the same windows and elements; pixels do not count,
    so a blinking caret is no change."""
    parts = [f"{w.id}|{w.title}|{w.active}|{w.minimized}" for w in scene.windows]
    parts += [f"{e.id}|{e.label}|{e.value}|{e.state.model_dump_json()}" for e in scene.elements]
    return hashlib.blake2b("\n".join(parts).encode(), digest_size=12).hexdigest()
