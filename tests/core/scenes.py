"""Small scenes for the tests of the core."""

from __future__ import annotations

from typing import Any

from console.contracts.geometry import Rect
from console.contracts.scene import Frame, Monitor, Scene, SceneElement, WindowInfo

SCREEN = Rect(x=0, y=0, width=1280, height=800)


def frame(**fields: Any) -> Frame:
    return Frame(
        **{
            "id": "f1",
            "bounds": SCREEN,
            "image_width": 1280,
            "image_height": 800,
            "taken_at_ms": 1000,
            "monitors": (Monitor(name="only", bounds=SCREEN, primary=True),),
            **fields,
        }
    )


def window(id_: int = 1, title: str = "Notes", app: str = "Mousepad", **fields: Any) -> WindowInfo:
    return WindowInfo(
        **{
            "id": id_,
            "title": title,
            "app": app,
            "bounds": Rect(x=0, y=0, width=640, height=480),
            "active": id_ == 1,
            **fields,
        }
    )


def element(id_: str, label: str = "", kind: str = "button", **fields: Any) -> SceneElement:
    place = {"window_id": 1, "window": "Notes", "app": "Mousepad", "clickable": kind == "button"}
    return SceneElement(
        **{
            "id": id_,
            "element_type": kind,
            "label": label,
            "bounds": Rect(x=10, y=10, width=80, height=24),
            **place,
            **fields,
        }
    )


def scene(*elements: SceneElement, windows: tuple[WindowInfo, ...] = (), **fields: Any) -> Scene:
    return Scene(
        **{
            "id": "s1",
            "taken_at_ms": 1000,
            "frame": frame(),
            "windows": windows or (window(),),
            "elements": elements,
            **fields,
        }
    )
