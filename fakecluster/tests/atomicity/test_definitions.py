"""A definition whose creation is interrupted anywhere is served,
or it is not there: what follows the store catches up.
"""

from __future__ import annotations

from fakecluster import FakeCluster
from fakecluster.tests.server.test_streams import OBJECTS, WIDGETS

from .stage import Stage

DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
NAME = "widgets.demo.example.com"
CANNOT_FAIL = ("subscribers.py", "Subscribers.notify", "call")
"""What was called before the revision was stored has been deeper on the stack."""
FOLLOWING = ("store.py", "subscribers.py", "crds/follower.py", "api/registry.py", "aggregation/")


async def wrong_definitions(cluster):
    """The steps at which an interruption leaves a definition
    that is not served, or one that is served and not there.
    """
    stage, wrong = Stage(cluster), []
    create = ("POST", DEFINITIONS, WIDGETS, {})
    for step in await stage.steps(*create):
        if step == CANNOT_FAIL or not step[0].startswith(FOLLOWING):
            continue
        await stage.ask("DELETE", f"{DEFINITIONS}/{NAME}")
        code = await stage.ask(*create, step)
        there, served = await stage.ask("GET", f"{DEFINITIONS}/{NAME}"), await stage.ask("GET", OBJECTS)
        if there != served or (code == 201) > (there == 200):
            wrong.append((step, code, there, served))
    return wrong


def test_a_definition_is_there_and_served_or_neither():
    with FakeCluster(tls=False, controllers="none") as cluster:
        assert cluster.run(wrong_definitions(cluster)) == []
