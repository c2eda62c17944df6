"""Tools of Model Context Protocol servers. Nothing here loads the SDK, which takes a second, before it is used."""

from .box import ToolBox
from .trial import look_at

__all__ = ["ToolBox", "look_at"]
