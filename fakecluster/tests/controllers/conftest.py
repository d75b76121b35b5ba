"""A cluster without a network in which controllers run and time is moved by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import orjson
import pytest

from fakecluster.api.outcome import Request, Response, User
from fakecluster.api.steps import Pending, Steps, take_without_turns
from fakecluster.auth.certificates import Authority, Certificates
from fakecluster.auth.issuers import Issuers
from fakecluster.auth.security import Settings
from fakecluster.base.clock import VirtualClock
from fakecluster.cluster.core import Core
from fakecluster.cluster.pod_control import PodControl
from fakecluster.controllers import Engine, SigningKeys, engine

START = 1_767_225_600.0
ADMIN = User(name="admin", groups=("system:masters", "system:authenticated"))
TYPES = {"PATCH": "application/merge-patch+json"}


def to_end(steps: Steps[Any]) -> Any:
    """Take steps that wait for nothing to their end, and return what they come to."""
    outcome = take_without_turns(steps)
    assert not isinstance(outcome, Pending), outcome.wait
    return outcome


@dataclass(frozen=True)
class World:
    """One cluster and its controllers."""

    core: Core
    engine: Engine

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Return what the API answers, after everything it started has come to rest."""
        content_type = TYPES.get(method, "application/json")
        url = urlsplit(path)
        request = Request(
            method=method,
            path=url.path,
            query=tuple(parse_qsl(url.query, keep_blank_values=True)),
            headers={"content-type": content_type, "accept": "application/json"},
            body=b"" if body is None else orjson.dumps(body),
            user=ADMIN,
            audit_id="test",
        )
        outcome = self.core.api.handle(request)
        assert isinstance(outcome, Response)
        self.pass_time(0)
        return orjson.loads(outcome.body)

    @property
    def pods(self) -> PodControl:
        """What pods can be told; a cluster without a network waits for nothing."""
        return PodControl(self.engine.controllers["pods"], to_end)

    def pass_time(self, seconds: float) -> None:
        """Let everything happen that is due within some seconds."""
        clock = self.core.clock
        assert isinstance(clock, VirtualClock)
        clock.advance_to(clock.now() + seconds)

    def names(self, path: str) -> list[str]:
        """Return the names of a collection's objects."""
        return [item["metadata"]["name"] for item in self.ask("GET", path)["items"]]

    def refusals(self) -> list[str]:
        """Return what the API refused to anybody."""
        return [
            f"{entry.user} {entry.verb} {entry.path}: {entry.message}"
            for entry in self.core.journal
            if entry.code >= 400
        ]


@pytest.fixture(scope="session")
def settings() -> Settings:
    """One signing key for all clusters: making one takes longer than a test."""
    return Settings(issuers=Issuers(b"the certificates of the cluster"))


@pytest.fixture(scope="session")
def authority() -> Authority:
    """One authority that signs certificates for all clusters."""
    return Authority.fresh()


@pytest.fixture
def make_world(settings: Settings) -> Iterator[Callable[..., World]]:
    """Return a factory for clusters with a choice of controllers."""
    worlds: list[World] = []

    def make(controllers: str = "all", certificates: Certificates | None = None) -> World:
        core = Core.fresh(VirtualClock(START), 0, settings)
        world = World(core, engine(core.api, controllers, keys=SigningKeys(settings.signer, certificates)))
        world.engine.start()
        world.pass_time(0)
        worlds.append(world)
        return world

    yield make
    for world in worlds:
        world.engine.stop()


@pytest.fixture
def world(make_world: Callable[..., World]) -> World:
    """A cluster in which all controllers run."""
    return make_world("all")
