"""What the actions need of the devices: small protocols, so that a test can hand in its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from console.contracts.action import Modifier, MouseButton
from console.contracts.desktop import ImageMedia
from console.contracts.geometry import Point, Rect
from console.contracts.scene import Frame, Scene, SceneElement, WindowInfo

WindowState = Literal["maximize", "unmaximize", "minimize", "restore", "fullscreen", "unfullscreen", "above"]


class ObserverDevice(Protocol):
    """Looks at everything at once."""

    async def observe(self, goal: str) -> Scene: ...


class CaptureDevice(Protocol):
    """Takes pictures of the screen."""

    async def grab(self, region: Rect | None = None) -> Frame: ...

    async def encode(self, frame: Frame, media: ImageMedia) -> bytes: ...


class ListedWindow(Protocol):
    """A window and whether it is the console's own."""

    @property
    def info(self) -> WindowInfo: ...

    @property
    def own(self) -> bool: ...


class WindowDevice(Protocol):
    """The windows and what the window manager does with them. Lists stand topmost first."""

    async def all_windows(self) -> Sequence[ListedWindow]: ...

    async def activate(self, window_id: int, timeout_s: float = 2.0) -> bool: ...

    async def close_window(self, window_id: int) -> None: ...

    async def move_resize(self, window_id: int, bounds: Rect) -> None: ...

    async def set_state(self, window_id: int, state: WindowState) -> None: ...

    async def wait_for(self, predicate: Callable[[tuple[WindowInfo, ...]], bool], timeout_s: float) -> bool: ...


class ElementDevice(Protocol):
    """Elements by their id. All but `refresh` raise `TargetError` if the element is gone or refuses."""

    async def refresh(self, seen: SceneElement, window: WindowInfo | None) -> SceneElement | None:
        """What it is like now, or None if it is gone."""
        ...

    def offers(self, element: SceneElement, action: str) -> bool: ...

    async def act(self, element_id: str, action: str) -> None: ...

    async def focus(self, element_id: str) -> bool:
        """True if it has the keyboard focus afterwards."""
        ...


class ValueDevice(Protocol):
    """The values of elements by their id; the same errors."""

    async def set_text(self, element_id: str, text: str) -> str | None:
        """Answers what stands there now, None for a protected field."""
        ...

    async def set_number(self, element_id: str, value: float) -> str | None: ...

    async def select_option(self, element_id: str, option: str) -> None: ...

    async def read_text(self, element_id: str) -> str:
        """The whole text or number in it. Refuses a password."""
        ...


class AccessibilityDevice(ElementDevice, ValueDevice, Protocol):
    """Both."""


class PointerDevice(Protocol):
    """The pointer, in physical pixels; scrolling in notches. Raises `InputError` if input was not delivered."""

    async def move(self, point: Point) -> None: ...

    async def click(
        self,
        point: Point,
        *,
        button: MouseButton = "left",
        count: int = 1,
        modifiers: Sequence[Modifier] = (),
        hold_ms: int = 0,
    ) -> None: ...

    async def scroll(self, point: Point, dx: int, dy: int, *, modifiers: Sequence[Modifier] = ()) -> None: ...

    async def drag(self, points: Sequence[Point], *, modifiers: Sequence[Modifier] = ()) -> None: ...


class KeyDevice(Protocol):
    """The keyboard. Raises `InputError` for an unknown key and for text that could not be typed exactly."""

    async def keys(self, combo: Sequence[str]) -> None: ...

    async def type_text(self, text: str) -> None: ...


class InputControl(Protocol):
    """Stopping and letting go."""

    def stop_now(self) -> None:
        """No further event is sent until `reset`; may be called at any moment."""
        ...

    def reset(self) -> None: ...

    async def release_all(self) -> None: ...


class InputDevice(PointerDevice, KeyDevice, InputControl, Protocol):
    """All three."""
