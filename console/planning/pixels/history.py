"""The conversation with a computer-use model, kept within its budget without ever parting a call from its result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..deciding.prompt import CHARACTERS_PER_TOKEN
from ..pictures import SentPicture

PICTURES, BYTES, TOKENS = 2, 8_000_000, 60_000
PICTURE_TOKENS = 1600  # what providers count for a picture of about a megapixel
LEFT_OUT = "(The picture of the screen at that time is left out.)"


@dataclass(frozen=True)
class Result:
    """What came of one call of the model: `call_id` is the provider's, `data` what else belongs to the answer."""

    call_id: str
    name: str
    words: str
    failed: bool = False
    data: Any = None


@dataclass(frozen=True)
class Exchange:
    """A reply of the model, as the wire has it, and the results of its calls; `words` where it called nothing."""

    reply: Any
    reply_size: int
    results: tuple[Result, ...] = ()
    words: str = ""
    picture: SentPicture | None = None

    def without_picture(self) -> Exchange:
        return replace(self, picture=None, words=f"{self.words} {LEFT_OUT}".strip())

    @property
    def text_size(self) -> int:
        return self.reply_size + len(self.words) + sum(len(result.words) for result in self.results)


@dataclass
class Conversation:
    """An opening (the goal, the first picture) and the exchanges since. A trimmed view of it is what is sent."""

    opening: str = ""
    first_picture: SentPicture | None = None
    exchanges: list[Exchange] = field(default_factory=list)
    pictures: int = PICTURES
    max_bytes: int = BYTES
    max_tokens: int = TOKENS

    @property
    def newest(self) -> SentPicture | None:
        """The picture that the model's next points belong to."""
        with_picture = [exchange.picture for exchange in self.exchanges if exchange.picture is not None]
        return with_picture[-1] if with_picture else self.first_picture

    def add(self, exchange: Exchange) -> None:
        """The newest exchange. A picture that will not be sent again is let go, and a line of text stands for it."""
        self.exchanges.append(exchange)
        left = self.pictures
        for place in range(len(self.exchanges) - 1, -1, -1):
            one = self.exchanges[place]
            if one.picture is None:
                continue
            if left <= 0:
                self.exchanges[place] = one.without_picture()
            left -= 1
        if left <= 0:
            self.first_picture = None

    def shrink(self, smaller: SentPicture) -> None:
        """The provider refused the newest picture: a smaller one takes its place, and no older one is sent again."""
        self.pictures = 1
        for place in range(len(self.exchanges) - 1, -1, -1):
            if self.exchanges[place].picture is not None:
                self.exchanges[place] = replace(self.exchanges[place], picture=smaller)
                return
        self.first_picture = smaller

    def trimmed(self) -> Trimmed:
        """The newest exchanges whole, as many as fit, each with its results; old pictures as a line of text."""
        kept = list(self.exchanges)
        pictures = self.pictures
        while True:
            view = self._view(kept, pictures)
            if view.size_bytes <= self.max_bytes and view.tokens <= self.max_tokens:
                return view
            if pictures > 1:
                pictures -= 1
            elif len(kept) > 1:
                kept = kept[max(1, len(kept) // 4) :]
            else:
                return view

    def _view(self, kept: Sequence[Exchange], pictures: int) -> Trimmed:
        shown: list[Exchange] = []
        left = pictures
        for exchange in reversed(kept):
            if exchange.picture is None or left > 0:
                shown.append(exchange)
                left -= exchange.picture is not None
            else:
                shown.append(exchange.without_picture())
        dropped = len(self.exchanges) - len(kept)
        opening = self.opening + (f"\n\n({dropped} earlier steps are left out here.)" if dropped else "")
        picture = self.first_picture if left > 0 and not dropped else None
        return Trimmed(opening, picture, tuple(reversed(shown)))


@dataclass(frozen=True)
class Trimmed:
    """What is sent of a conversation."""

    opening: str
    picture: SentPicture | None
    exchanges: tuple[Exchange, ...]

    @property
    def sent_pictures(self) -> list[SentPicture]:
        shown = [self.picture, *(exchange.picture for exchange in self.exchanges)]
        return [picture for picture in shown if picture is not None]

    @property
    def size_bytes(self) -> int:
        text = len(self.opening) + sum(exchange.text_size for exchange in self.exchanges)
        return text + sum(picture.base64_bytes for picture in self.sent_pictures)

    @property
    def tokens(self) -> int:
        text = len(self.opening) + sum(exchange.text_size for exchange in self.exchanges)
        return int(text / CHARACTERS_PER_TOKEN) + PICTURE_TOKENS * len(self.sent_pictures)
