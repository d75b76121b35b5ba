"""The story waits for watches that are later than what was read, longer on a busy machine."""

import pytest

from kueue_conformance.backends.watch_recorder import WatchLog

READ = b'{"kind": "Workload", "metadata": {"name": "work", "resourceVersion": "9"}}'


class Reader:
    """Lists nothing."""

    def list(self, path):
        del path
        return [], "1"


class News:
    """A condition on which nothing is heard; records the seconds of each wait."""

    def __init__(self):
        self.waits = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def wait_for(self, predicate, seconds):
        self.waits.append(seconds)
        return predicate()


@pytest.fixture
def log():
    log = WatchLog(Reader())
    log.news = News()
    log.stop()
    log.start()
    return log


def test_a_story_that_has_all_that_was_read_waits_once(log):
    log.catch_up()

    assert log.news.waits == [2]


@pytest.mark.parametrize(("slowdown", "longer"), [(1.0, 0), (3.0, 4), (40.0, 8)])
def test_a_late_watch_is_waited_for_by_the_slowdown_of_the_machine(monkeypatch, log, slowdown, longer):
    monkeypatch.setattr("kueue_conformance.backends.watch_recorder.measure_slowdown", lambda: slowdown)
    log.witness(lambda *_: (200, READ))("GET", "", {}, None)

    log.catch_up()

    assert log.news.waits == [2, longer]
