"""Certificates as a part: the leader has the authorities trusted by every caller, and then renews."""

import asyncio
import io
import random

import pytest

from reference_impl.api.kinds import CRDS, SECRETS
from reference_impl.api.resource import Key
from reference_impl.runtime.errors import ApiError
from reference_impl.runtime.log import Logger
from reference_impl.runtime.metrics import Registry
from reference_impl.runtime.part import Runtime
from reference_impl.runtime.serving.keyring import Keyring, first
from reference_impl.runtime.serving.renewal import CertificatePart
from reference_impl.runtime.serving.secret import SharedKeyring
from reference_impl.runtime.serving.trust import WebhookCaller, in_conversion
from reference_impl.tests.runtime.clocks import HandClock

DAY = 86400.0
FRONT, BACK = Key("team", "front"), Key("team", "back")


class Server:
    """Keeps a Secret and two callers; `refused` names a caller that cannot be written."""

    def __init__(self, ring):
        self.secret, self.refused, self.applied = {"data": ring.data()}, "", []

    async def get(self, resource, key):
        service = {"namespace": "team", "name": key.name}
        return (
            self.secret
            if resource == SECRETS
            else {"spec": {"conversion": {"webhook": {"clientConfig": {"service": service}}}}}
        )

    async def update(self, _resource, secret):
        self.secret = secret

    async def apply(self, _resource, obj, *, manager):
        if obj["metadata"]["name"] == self.refused:
            raise ApiError(403, "Forbidden", "no")
        self.applied.append((obj["metadata"]["name"], manager))


class Shown:
    """A server that notes what it shows."""

    def __init__(self):
        self.identities = []

    def show(self, identity):
        self.identities.append(identity)


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def server(clock):
    return Server(first(("front.team.svc", "back.team.svc"), clock.now() - 80 * DAY))


@pytest.fixture
def shown():
    return [Shown(), Shown()]


@pytest.fixture
def renewing(server, clock, shown):
    log = Logger(clock=clock, stream=io.StringIO())
    names = ("front.team.svc", "back.team.svc")
    certificate_part = CertificatePart(
        keyring=SharedKeyring(client=server, clock=clock, log=log, secret=Key("team", "ring"), names=names),
        servers=shown,
        callers={caller: (WebhookCaller(CRDS, caller.name, in_conversion),) for caller in (FRONT, BACK)},
        manager="certificates",
    )
    runtime = Runtime(
        client=server, clock=clock, log=log, metrics=Registry(), broadcaster=None, random=random.Random(0)
    )
    (renewing,) = certificate_part.assemble(runtime)
    return renewing


def test_every_caller_is_told_then_the_certificate_is_renewed(server, shown, renewing):
    before = Keyring.read(server.secret["data"])

    asyncio.run(renewing.step())

    assert server.applied == [("front", "certificates"), ("back", "certificates")]
    assert [caller.identities for caller in shown] == [[before.identity()], [before.identity()]]
    assert Keyring.read(server.secret["data"]).certificate != before.certificate


def test_nothing_is_renewed_before_every_caller_is_told(server, shown, renewing):
    before, server.refused = server.secret, "front"

    asyncio.run(renewing.step())

    assert server.applied == [("back", "certificates")]
    assert (server.secret, shown[0].identities) == (before, [])
