"""The work queue: each key once, one worker a key, backoff, and the busy token."""

import asyncio

import pytest

from reference_impl.runtime.workqueue import WorkQueue

from .clocks import HandClock


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def queue(clock):
    return WorkQueue(clock)


def take(queue):
    return asyncio.run(asyncio.wait_for(queue.get(), 1))


def test_a_key_waits_once_however_often_it_is_added(queue):
    for key in ("a", "b", "a"):
        queue.add(key)

    assert [take(queue), take(queue)] == ["a", "b"]
    assert len(queue) == 0


def test_a_key_at_work_comes_again_only_after_done(queue):
    queue.add("a")
    take(queue)
    queue.add("a")
    assert len(queue) == 0

    queue.done("a")

    assert take(queue) == "a"


def test_failures_double_the_delay(queue, clock):
    delays = []
    for _ in range(4):
        queue.add_rate_limited("a")
        delays += clock.due
        clock.advance(10)
        queue.done(take(queue))

    assert delays == [0.005, 0.01, 0.02, 0.04]


def test_forgotten_failures_start_again(queue, clock):
    for _ in range(3):
        queue.add_rate_limited("a")
        clock.advance(10)
        queue.done(take(queue))
    queue.forget("a")

    queue.add_rate_limited("a")

    assert clock.due == [0.005]


@pytest.mark.parametrize(
    ("wishes", "due"),
    [
        pytest.param((5, 3), [3], id="a sooner wish wins"),
        pytest.param((3, 5), [3], id="a later wish changes nothing"),
        pytest.param((0,), [], id="no delay is at once"),
    ],
)
def test_of_several_wishes_the_earliest_counts(queue, clock, wishes, due):
    for seconds in wishes:
        queue.add_after("a", seconds)

    assert clock.due == due


def test_a_key_is_due_once_its_time_has_come(queue, clock):
    queue.add_after("a", 60)
    clock.advance(59)
    assert len(queue) == 0

    clock.advance(1)

    assert take(queue) == "a"


def test_busy_while_a_key_waits_for_a_worker_or_is_at_work(queue, clock):
    queue.add("first")
    take(queue)
    queue.done("first")
    tokens = [clock.tokens]
    queue.add("a")
    tokens.append(clock.tokens)
    take(queue)
    tokens.append(clock.tokens)
    queue.done("a")

    assert [*tokens, clock.tokens] == [0, 1, 1, 0]


def test_a_key_without_a_worker_does_not_stop_the_time(queue, clock):
    queue.add("a")
    tokens = [clock.tokens]
    take(queue)

    assert [*tokens, clock.tokens] == [0, 1]


def test_a_key_that_waits_for_its_time_is_no_work(queue, clock):
    queue.add_after("a", 60)

    assert clock.tokens == 0


def test_close_gives_back_the_token_and_the_timers(queue, clock):
    queue.add("a")
    queue.add_after("b", 60)

    queue.close()

    assert (clock.tokens, clock.due) == (0, [])
