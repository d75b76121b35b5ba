"""The keyring in a Secret: the first replica makes it, the others take it, the leader renews it."""

import asyncio
import io

import pytest

from reference_impl.api.resource import Key
from reference_impl.runtime.errors import ApiError, OutsideError
from reference_impl.runtime.log import Logger
from reference_impl.runtime.serving.keyring import Keyring
from reference_impl.runtime.serving.secret import SharedKeyring
from reference_impl.tests.runtime.clocks import HandClock

DAY = 86400.0


class Server:
    """Keeps one Secret; `ahead` is what another client creates between our read and our write."""

    def __init__(self):
        self.secret, self.ahead, self.refusal = None, None, None

    async def get(self, _resource, _key):
        if self.refusal or self.secret is None:
            raise self.refusal or ApiError(404, "NotFound", "no secret")
        return self.secret

    async def create(self, _resource, secret):
        if self.ahead:
            self.secret = self.ahead
            raise ApiError(409, "AlreadyExists", "secret exists")
        self.secret = secret

    async def update(self, _resource, secret):
        self.secret = secret


@pytest.fixture
def server():
    return Server()


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def replica(server, clock):
    def replica():
        log = Logger(clock=clock, stream=io.StringIO())
        secret, names = Key("kueue-system", "certificate"), ("hook.kueue-system.svc",)
        return SharedKeyring(client=server, clock=clock, log=log, secret=secret, names=names)

    return replica


def current(replica):
    return asyncio.run(replica.current())


def test_replicas_have_one_keyring(server, replica):
    assert current(replica()) == current(replica())
    assert server.secret["type"] == "kubernetes.io/tls"


def test_the_first_of_two_wins(server, replica):
    identity = current(replica())
    server.secret, server.ahead = None, server.secret

    assert current(replica()) == identity


def test_what_cannot_be_used_is_replaced(server, replica):
    server.secret = {"metadata": {"resourceVersion": "7"}, "data": {"tls.crt": "aGk="}}

    identity = current(replica())

    assert Keyring.read(server.secret["data"]) == identity
    assert server.secret["metadata"] == {"resourceVersion": "7"}


@pytest.mark.parametrize(
    ("days", "changes"), [pytest.param(1, False, id="nothing due"), pytest.param(61, True, id="due")]
)
def test_a_renewal_is_seen_by_others(clock, replica, days, changes):
    identity = current(replica())
    clock.advance(days * DAY)

    asyncio.run(replica().renew())

    assert (current(replica()) != identity) is changes


def test_a_refusal_is_told_with_the_secret(server, replica):
    server.refusal = ApiError(403, "Forbidden", "secrets is forbidden")

    with pytest.raises(
        OutsideError, match=r"cannot use Secret kueue-system/certificate, .*: secrets is forbidden"
    ):
        asyncio.run(replica().open())
