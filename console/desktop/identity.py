"""Gives things on the screen ids that stay: the same thing has the same id from one look to the next."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence


class Identities:
    """Ids are never given to anything else. `keys` say what a thing is; `refs` where it lives right now."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._by_ref: dict[Hashable, tuple[str, str]] = {}
        self._ref_of: dict[str, Hashable] = {}

    def assign(self, things: Sequence[tuple[Hashable, str, str]]) -> list[str]:
        """An id for each (ref, key, kind), in order.

        A ref that is known keeps its id as long as it is of the same kind, whatever its key has become. A new ref takes
        over the id of a thing with the same key that is not there any more, so a widget that was built anew is the same.
        """
        present = {ref for ref, _, _ in things}
        ids: list[str] = []
        for ref, key, kind in things:
            known = self._by_ref.get(ref)
            if known is not None and known[1] == kind:
                ids.append(known[0])
                continue
            ids.append(self._new(ref, key, kind, present))
        return ids

    def ref(self, id_: str) -> Hashable | None:
        """Where the thing lives, as far as is known."""
        return self._ref_of.get(id_)

    def _new(self, ref: Hashable, key: str, kind: str, present: set[Hashable]) -> str:
        for ordinal in range(10_000):
            id_ = f"{self._prefix}:{_short(f'{kind}|{key}|{ordinal}')}"
            holder = self._ref_of.get(id_)
            if holder is None or holder == ref or holder not in present:
                if holder is not None:
                    self._by_ref.pop(holder, None)
                self._by_ref[ref] = (id_, kind)
                self._ref_of[id_] = ref
                return id_
        raise RuntimeError("too many things of the same name")


def _short(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=5).hexdigest()
