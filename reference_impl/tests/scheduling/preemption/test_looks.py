"""A search looks at the tree only where what it knows does not decide (Q-268)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reference_impl.kueue.quota.tree import Node
from reference_impl.kueue.scheduling.preemption.search import FillBack, Room, Shortage

from .arenas import pair

CPU, MEMORY = pair("cpu"), pair("memory")
QUEUE, OTHER = Node("cq", is_queue=True), Node("other", is_queue=True)


class Looks:
    """Answers what the tree has, look by look, and counts."""

    def __init__(self, rooms: Iterable[Room]) -> None:
        self._rooms: Iterator[Room] = iter(rooms)
        self.count = 0

    def __call__(self) -> Room:
        self.count += 1
        return next(self._rooms)


def shortage(*rooms: Room) -> tuple[Shortage, Looks]:
    looks = Looks(rooms)
    return Shortage(looks), looks


def test_a_shortage_lasts_until_as_much_was_taken_away() -> None:
    lacking, looks = shortage({CPU: -3, MEMORY: 1}, {CPU: 0, MEMORY: 1})
    assert not lacking.is_over_without({CPU: 1})

    assert [lacking.is_over_without({CPU: 1}), lacking.is_over_without({MEMORY: 9}), looks.count] == [
        False,
        False,
        1,
    ]
    assert [lacking.is_over_without({CPU: 1}), looks.count] == [False, 1]
    assert [lacking.is_over_without({CPU: 1}), looks.count] == [True, 2]


def test_each_resource_that_is_short_is_waited_for() -> None:
    lacking, looks = shortage({CPU: -1, MEMORY: -2}, {CPU: 0, MEMORY: 0})
    assert not lacking.is_over_without({})

    assert [lacking.is_over_without({CPU: 1}), lacking.is_over_without({MEMORY: 1}), looks.count] == [
        False,
        False,
        1,
    ]
    assert [lacking.is_over_without({MEMORY: 1}), looks.count] == [True, 2]


def test_a_look_may_tell_that_less_came_free_than_was_taken_away() -> None:
    lacking, looks = shortage({CPU: -1}, {CPU: -1}, {CPU: 0})
    assert not lacking.is_over_without({})

    assert [lacking.is_over_without({CPU: 1}), lacking.is_over_without({CPU: 1}), looks.count] == [
        False,
        True,
        3,
    ]


def test_what_is_put_back_uses_up_the_room_that_was_seen() -> None:
    looks = Looks([{CPU: 2}, {CPU: -1}])
    putting_back = FillBack(looks)

    assert [
        putting_back.fits_with(QUEUE, {MEMORY: 5}),
        putting_back.fits_with(QUEUE, {CPU: 1}),
        putting_back.fits_with(QUEUE, {CPU: 1}),
    ] == [
        True,
        True,
        True,
    ]
    assert looks.count == 1
    assert not putting_back.fits_with(QUEUE, {CPU: 1})


def test_where_the_room_seems_used_up_another_look_decides() -> None:
    putting_back = FillBack(Looks([{CPU: 1}, {CPU: 0}, {CPU: -1}]))

    assert [putting_back.fits_with(QUEUE, {CPU: 2}), putting_back.fits_with(QUEUE, {CPU: 1})] == [True, False]


def test_only_as_much_of_the_same_queue_is_known_not_to_fit() -> None:
    putting_back = FillBack(Looks([{CPU: 0}, {CPU: -1}]))
    before = putting_back.is_refused(QUEUE, {CPU: 1})
    putting_back.fits_with(QUEUE, {CPU: 1})

    assert (before, putting_back.is_refused(QUEUE, {CPU: 1})) == (False, True)
    assert not putting_back.is_refused(OTHER, {CPU: 1})
    assert not putting_back.is_refused(QUEUE, {CPU: 2})
