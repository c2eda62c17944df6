"""Ids stay with their things and are never given to others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from console.desktop.identity import Identities, Thing

ONE, TWO = 1, 2


def thing(ref: str, key: str = "key", kind: str = "button", home: int = ONE) -> Thing:
    return Thing(ref, lambda: key, kind, home)


def test_the_same_place_keeps_its_id_when_its_words_change() -> None:
    ids = Identities("ax")
    (first,) = ids.assign([thing("a", "Play")])
    assert ids.assign([thing("a", "Pause")]) == [first]
    assert first.startswith("ax:")


def test_equal_things_are_told_apart() -> None:
    a, b = Identities("ax").assign([thing("a"), thing("b")])
    assert a != b


def test_a_thing_that_was_built_anew_keeps_its_id() -> None:
    ids = Identities("ax")
    first = ids.assign([thing("a"), thing("b")])
    assert ids.assign([thing("c"), thing("d")]) == first
    assert ids.ref(first[0]) == "c"


def test_another_kind_at_the_same_place_is_another_thing() -> None:
    ids = Identities("ax")
    (first,) = ids.assign([thing("a")])
    assert ids.assign([thing("a", kind="link")]) != [first]


def test_a_thing_in_a_window_that_is_out_of_sight_keeps_its_id_for_itself() -> None:
    ids = Identities("ax")
    (first,) = ids.assign([thing("a", home=ONE)], {ONE})
    (second,) = ids.assign([thing("b", home=TWO)], {ONE, TWO})
    assert first != second
    assert ids.assign([thing("a", home=ONE), thing("b", home=TWO)], {ONE, TWO}) == [first, second]
    (third,) = ids.assign([thing("c", home=TWO)], {TWO})  # the first window is gone for good
    assert third == first


def test_an_unknown_id_lives_nowhere() -> None:
    assert Identities("ax").ref("ax:1") is None


def test_ids_are_the_same_in_the_next_run() -> None:
    assert Identities("ax").assign([thing("x")]) == Identities("ax").assign([thing("y")])


THINGS = st.lists(
    st.tuples(st.integers(0, 8), st.sampled_from("xyz"), st.sampled_from(("button", "link")), st.integers(1, 2)),
    unique_by=lambda t: t[0],
    max_size=8,
)


@given(st.lists(THINGS, max_size=12))
def test_at_any_moment_every_thing_has_its_own_id_and_keeps_it_while_it_is_there(
    looks: list[list[tuple[int, str, str, int]]],
) -> None:
    ids = Identities("ax")
    before: dict[tuple[int, str], str] = {}
    for look in looks:
        things = [thing(f"r{ref}", key, kind, home) for ref, key, kind, home in look]
        given_ids = ids.assign(things, {ONE, TWO})
        assert len(set(given_ids)) == len(given_ids)
        assert all(ids.ref(id_) == thing.ref for id_, thing in zip(given_ids, things, strict=True))
        now = {(ref, kind): id_ for (ref, _, kind, _), id_ in zip(look, given_ids, strict=True)}
        assert all(before[thing] == id_ for thing, id_ in now.items() if thing in before)
        before = now


@given(st.permutations(["a", "b", "c", "d"]))
def test_the_order_of_a_look_does_not_move_ids(order: list[str]) -> None:
    ids = Identities("ax")
    first = dict(zip("abcd", ids.assign([thing(ref) for ref in "abcd"]), strict=True))
    assert ids.assign([thing(ref) for ref in order]) == [first[ref] for ref in order]
