"""Events: what is sent, and what is folded into an earlier one (AC-380, C-08, R-11)."""

import asyncio
import io

import pytest

from reference_impl.api.resource import Key
from reference_impl.runtime.errors import ApiError
from reference_impl.runtime.log import Logger
from reference_impl.runtime.recorder import Broadcaster

from .clocks import HandClock


class Sink:
    """Takes events instead of an API server."""

    def __init__(self, lost=False):
        self.created, self.patched, self.lost = [], [], lost

    async def create(self, _resource, event):
        self.created.append(event)

    async def patch(self, _resource, key, body, *, kind):
        if self.lost:
            raise ApiError(404, "NotFound", "not found")
        self.patched.append((key, body, kind))


def job(revision="7", name="job"):
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"namespace": "ns", "name": name, "uid": "u", "resourceVersion": revision},
    }


def record(*tellings, sink=None, clock=None):
    """Have a recorder tell each (object, reason, note), with seconds in between; return what arrived."""
    sink, clock = sink or Sink(), clock or HandClock()

    async def run():
        broadcaster = Broadcaster(sink, clock, Logger(clock=clock, stream=io.StringIO()))
        recorder = broadcaster.recorder("c")
        sending = asyncio.create_task(broadcaster.run())
        for wait, obj, reason, note in tellings:
            clock.advance(wait)
            recorder.normal(obj, reason, note)
            for _ in range(4):
                await asyncio.sleep(0)
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)

    asyncio.run(run())
    return sink


def test_an_event_names_object_controller_and_moment():
    (event,) = record((0, job(), "Started", "go")).created

    assert event["regarding"] == {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "namespace": "ns",
        "name": "job",
        "uid": "u",
        "resourceVersion": "7",
    }
    assert (event["reason"], event["action"], event["note"], event["type"]) == (
        "Started",
        "Started",
        "go",
        "Normal",
    )
    assert event["reportingController"] == "c"
    assert event["eventTime"] == "1970-01-12T13:46:40.000000Z"
    assert event["metadata"]["namespace"] == "ns"


@pytest.mark.parametrize(
    ("second", "created", "patched"),
    [
        pytest.param((0, job(), "R", "other note"), 1, 1, id="the note does not count"),
        pytest.param((0, job("8"), "R", "note"), 2, 0, id="another revision of the object"),
        pytest.param((0, job(), "S", "note"), 2, 0, id="another reason"),
        pytest.param((0, job(name="x"), "R", "note"), 2, 0, id="another object"),
        pytest.param((361, job(), "R", "note"), 2, 0, id="too long ago"),
    ],
)
def test_what_folds(second, created, patched):
    sink = record((0, job(), "R", "note"), second)

    assert (len(sink.created), len(sink.patched)) == (created, patched)


def test_of_a_series_only_the_second_event_is_sent():
    sink = record(*[(1, job(), "R", "note")] * 5)

    ((key, body, kind),) = sink.patched
    assert key == Key("ns", sink.created[0]["metadata"]["name"])
    assert body == {"series": {"count": 2, "lastObservedTime": "1970-01-12T13:46:42.000000Z"}}
    assert kind == "strategic"


def test_a_folded_event_that_was_deleted_is_made_again_with_its_old_time():
    first, second = record((0, job(), "R", "note"), (60, job(), "R", "note"), sink=Sink(lost=True)).created

    assert second["eventTime"] == first["eventTime"]
    assert second["series"]["count"] == 2


def test_names_differ_even_when_time_stands_still():
    sink = record((0, job(), "R", "note"), (0, job(), "S", "note"))

    assert len({event["metadata"]["name"] for event in sink.created}) == 2


@pytest.mark.parametrize(("length", "length_kept"), [(1024, 1024), (1025, 1024)], ids=["fits", "cut"])
def test_notes_are_cut_to_what_the_api_takes(length, length_kept):
    (event,) = record((0, job(), "R", "x" * length)).created

    assert len(event["note"]) == length_kept


class Shared(Sink):
    """Another program has taken the first name."""

    async def create(self, resource, event):
        if not self.created:
            self.created.append({"metadata": {**event["metadata"]}})
            raise ApiError(409, "AlreadyExists", "already exists")
        await super().create(resource, event)


def test_a_name_that_another_program_took_in_the_same_nanosecond_is_left_to_it():
    sink = record((0, job(), "R", "note"), (0, job(), "R", "note"), sink=Shared())

    names = [event["metadata"]["name"] for event in sink.created]
    assert len({*names}) == len(names) == 2
    assert [key.name for key, _, _ in sink.patched] == [names[1]]
