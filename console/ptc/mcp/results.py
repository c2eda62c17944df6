"""What a tool has answered, as the result of a step."""

from __future__ import annotations

import base64
import binascii
import io
import warnings
from typing import TYPE_CHECKING, Any

from console.contracts.moves import StepErr, StepOk

from .plain import LONGEST_ERROR, cleaned, sentence, within

if TYPE_CHECKING:
    from mcp_types import CallToolResult

LARGEST_PICTURE = 20_000_000


def step_of(server: str, result: CallToolResult) -> StepOk | StepErr:
    """Structured content, else the texts joined; pictures and files are described, never decoded in full."""
    words = "\n".join(filter(None, (_words(block) for block in result.content)))
    if result.is_error:
        said = sentence(words, LONGEST_ERROR) or "It gave no reason."
        return StepErr(message=f"{server}: {said}")
    if result.structured_content is not None:
        return StepOk(data=cleaned(within(result.structured_content)))
    return StepOk(data=cleaned(within(words)) if words else None)


def _words(block: Any) -> str:
    """One block of the answer as text."""
    kind = getattr(block, "type", "")
    if kind == "text":
        return str(block.text)
    if kind == "image":
        size = _size(block.data)
        return f"(image, {size}{sentence(block.mime_type, 60)})"
    if kind == "audio":
        return f"(audio, {sentence(block.mime_type, 60)})"
    if kind == "resource_link":
        return f"(file, {sentence(str(block.uri), 200)})"
    if kind == "resource":
        text = getattr(block.resource, "text", None)
        return text if isinstance(text, str) else f"(file, {sentence(str(block.resource.uri), 200)})"
    return f"({sentence(str(kind), 40) or 'something'})"


def _size(data: str) -> str:
    """Width and height, if the head of the picture tells them."""
    from PIL import Image

    if len(data) > LARGEST_PICTURE:
        return ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(base64.b64decode(data, validate=True))) as picture:
                return f"{picture.width}x{picture.height}/"
    except (OSError, ValueError, binascii.Error, SyntaxError, Image.DecompressionBombError):
        return ""
