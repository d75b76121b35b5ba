"""What a decision writes holds for the revision that it was made from (AC-370)."""

import asyncio
from types import SimpleNamespace

import pytest

from reference_impl.workload.decision import (
    ApplyCondition,
    ApplyStatus,
    Delete,
    MergeStatus,
    ReplaceObject,
    ReplaceStatus,
)
from reference_impl.workload.writing import perform

from .objects import ADMITTED, workload

SEEN = workload(ADMITTED)


class Client:
    """Notes the bodies of writes, or what they are conditional on."""

    def __init__(self):
        self.bodies = []

    async def apply(self, _resource, body, **_):
        self.bodies.append(body)

    async def patch(self, _resource, _key, body, **_):
        self.bodies.append(body)

    async def update(self, _resource, body, **_):
        self.bodies.append(body)

    update_status = update

    async def delete(self, _resource, _key, **preconditions):
        self.bodies.append({"metadata": preconditions})


@pytest.mark.parametrize(
    ("write", "condition"),
    [
        pytest.param(ApplyStatus(SEEN.status), "resourceVersion", id="apply"),
        pytest.param(ApplyCondition(SEEN.status, "Admitted"), "resourceVersion", id="one condition"),
        pytest.param(ReplaceStatus(SEEN.status), "resourceVersion", id="status"),
        pytest.param(MergeStatus({"status": {"admission": None}}), "resourceVersion", id="merge"),
        pytest.param(ReplaceObject(SEEN.object), "resourceVersion", id="object"),
        pytest.param(Delete(), "uid", id="delete"),
    ],
)
def test_a_write_is_conditional_on_what_was_seen(write, condition):
    client = Client()

    asyncio.run(perform(client, SEEN, write, SimpleNamespace(shaped=lambda status: status)))

    assert [body["metadata"][condition] for body in client.bodies] == [SEEN.metadata[condition]]
