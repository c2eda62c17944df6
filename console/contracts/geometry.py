"""Points and rectangles in physical pixels of the virtual screen; x grows right, y grows down, both may be negative."""

from __future__ import annotations

from .base import Value, WholeNumber


class Point(Value):
    """A physical pixel of the virtual screen."""

    x: WholeNumber
    y: WholeNumber


class Rect(Value):
    """A half-open rectangle: the pixels with x <= px < x + width and y <= py < y + height."""

    x: WholeNumber
    y: WholeNumber
    width: WholeNumber
    height: WholeNumber

    @property
    def right(self) -> int:
        return self.x + self.width

    @property
    def bottom(self) -> int:
        return self.y + self.height

    @property
    def empty(self) -> bool:
        return self.width <= 0 or self.height <= 0

    @property
    def area(self) -> int:
        return 0 if self.empty else self.width * self.height

    @property
    def center(self) -> Point:
        return Point(x=self.x + self.width // 2, y=self.y + self.height // 2)

    def contains(self, point: Point) -> bool:
        return self.x <= point.x < self.right and self.y <= point.y < self.bottom

    def intersection(self, other: Rect) -> Rect:
        """The common part; empty (width or height 0) where there is none."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        width, height = min(self.right, other.right) - x, min(self.bottom, other.bottom) - y
        return Rect(x=x, y=y, width=max(width, 0), height=max(height, 0))

    def union(self, other: Rect) -> Rect:
        """The smallest rectangle that holds both; an empty one does not count."""
        if self.empty or other.empty:
            return other if self.empty else self
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Rect(x=x, y=y, width=max(self.right, other.right) - x, height=max(self.bottom, other.bottom) - y)
