"""Gives things on the screen ids that stay: the same thing has the same id from one look to the next."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Thing:
    """`ref` is where it lives right now, `key` tells what it is, `home` is the window that it belongs to.

    The key is asked for only when the ref is new.
    """

    ref: Hashable
    key: Callable[[], str]
    kind: str
    home: int


@dataclass(frozen=True)
class _Holder:
    ref: Hashable
    home: int


class Identities:
    """Ids are never given to anything else."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._by_ref: dict[Hashable, tuple[str, str]] = {}
        self._holders: dict[str, _Holder] = {}

    def assign(self, things: Sequence[Thing], homes: Collection[int] = ()) -> list[str]:
        """An id for each thing, in order; `homes` are all windows there are, also those that are not looked at.

        A ref that is known keeps its id as long as it is of the same kind, whatever its key has become. A new ref takes
        over the id of a thing with the same key that is not there any more, so a widget that was built anew is the
        same. A thing whose window is merely out of sight keeps its id for itself.
        """
        present = {thing.ref for thing in things}
        ids: list[str] = []
        for thing in things:
            known = self._by_ref.get(thing.ref)
            if known is not None and known[1] == thing.kind:
                ids.append(known[0])
                self._holders[known[0]] = _Holder(thing.ref, thing.home)
                continue
            ids.append(self._new(thing, present, homes))
        return ids

    def ref(self, id_: str) -> Hashable | None:
        """Where the thing lives, as far as is known."""
        holder = self._holders.get(id_)
        return holder.ref if holder is not None else None

    def _new(self, thing: Thing, present: Collection[Hashable], homes: Collection[int]) -> str:
        key = thing.key()
        ordinal = 0
        while True:
            id_ = f"{self._prefix}:{_short(f'{thing.kind}|{key}|{ordinal}')}"
            holder = self._holders.get(id_)
            if holder is None or holder.ref == thing.ref or _gone(holder, thing, present, homes):
                if holder is not None:
                    self._by_ref.pop(holder.ref, None)
                self._by_ref[thing.ref] = (id_, thing.kind)
                self._holders[id_] = _Holder(thing.ref, thing.home)
                return id_
            ordinal += 1


def _gone(holder: _Holder, thing: Thing, present: Collection[Hashable], homes: Collection[int]) -> bool:
    return holder.ref not in present and (holder.home == thing.home or holder.home not in homes)


def _short(text: str) -> str:
    return hashlib.blake2b(text.encode(errors="replace"), digest_size=5).hexdigest()
