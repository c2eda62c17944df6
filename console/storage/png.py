"""A stored picture as the PNG that a planner is given."""

from __future__ import annotations

import io


def as_png(stored: bytes) -> bytes:
    """Takes some tens of milliseconds, so call it in a thread. Raises `OSError` for what is no picture."""
    from PIL import Image

    with Image.open(io.BytesIO(stored)) as opened:
        written = io.BytesIO()
        opened.convert("RGB").save(written, "PNG", compress_level=1)
    return written.getvalue()
