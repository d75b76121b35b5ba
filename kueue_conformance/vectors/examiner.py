"""Judges an API server by the recorded exchanges: sends a topic's requests when one of its exchanges is
judged, and finds the first difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from functools import cached_property
from types import MappingProxyType
from typing import Protocol

import pytest

from ..base.errors import EnvironmentProblem, Nonconformance
from ..scenarios.scenario import Scenario
from ..wire.endpoint import Endpoint
from .difference import difference
from .document import Answer, Topic, Vector
from .index import folder
from .known_differences import FILE, Known
from .player import Player, SetupFailed, namespace_for
from .server import Server


class ApiServers(Protocol):
    """The API server that is examined, without and with controllers: `Backend.api_server`."""

    def __call__(self, *, controllers: bool = False) -> Endpoint:
        """Return one of both."""


NOTHING: Known = MappingProxyType({})


class Examiner:
    """One server; each topic's requests are sent at most once.

    Where it is known to answer otherwise, it must. The namespaces of topics get the labels. Each topic is
    asked over a connection of its own: between two of them the server would close one that is idle.
    """

    def __init__(
        self,
        api_server: ApiServers,
        known_differences: Known = NOTHING,
        labels: Mapping[str, str] | None = None,
    ) -> None:
        self._api_server = api_server
        self._labels = labels
        self._known = known_differences
        self._asked: dict[str, Mapping[str, Answer] | SetupFailed] = {}
        self._topics: dict[str, Topic] = {}

    @cached_property
    def version(self) -> str:
        """The version that the server reports. Raises EnvironmentProblem when it does not answer."""
        try:
            with closing(Server(self._api_server())) as server:
                body = server.ask("GET", "/version", headers={}, body=b"").body
        except OSError as problem:
            raise EnvironmentProblem(
                f"the API server does not answer: {problem}", hint="is it running, and is the address right?"
            ) from problem
        return str(body.get("gitVersion", "unknown")) if isinstance(body, dict) else "unknown"

    def examine(self, exchange: str, scenario: Scenario) -> str:
        """Return the reason of a known difference, empty where there is none.

        Raises Nonconformance for unknown differences, and for known ones that are gone.
        """
        __tracebackhide__ = True
        name, _, vector_id = exchange.partition("/")
        topic = self._topics.setdefault(name, Topic.read(folder() / f"{name}.yaml"))
        vector = next(candidate for candidate in topic.vectors if candidate.id == vector_id)
        answer = self._answers(topic)[vector_id]
        unlike = difference(vector.answer, answer.json())
        known_difference = self._known.get(exchange)
        if known_difference and not unlike:
            unlike, known_difference = f"nothing by now: remove its row from {FILE}", None
        if unlike and not known_difference:
            raise Nonconformance(_describe_difference(scenario, topic, vector, unlike))
        return (
            f"known difference, {known_difference['row']}: {known_difference['reason']}"
            if known_difference
            else ""
        )

    def _answers(self, topic: Topic) -> Mapping[str, Answer]:
        if topic.name not in self._asked:
            self._asked[topic.name] = self._play(topic)
        result = self._asked[topic.name]
        if isinstance(result, SetupFailed):
            raise result
        return result

    def _play(self, topic: Topic) -> Mapping[str, Answer] | SetupFailed:
        with closing(Server(self._api_server(controllers=topic.controllers))) as server:
            try:
                answers = Player(server, topic, namespace_for(topic), self._labels).play()
            except SetupFailed as refused:
                return refused
        return {vector.id: answer for vector, answer in zip(topic.vectors, answers, strict=True)}


class ApiServer:
    """The server that a scenario judges."""

    def __init__(self, examiner: Examiner, scenario: Scenario) -> None:
        self._examiner = examiner
        self._scenario = scenario

    def must_answer(self, exchange: str) -> None:
        """Raise Nonconformance unless the server answers an exchange as it was recorded; a known difference
        counts as unsupported.
        """
        __tracebackhide__ = True
        known_difference = self._examiner.examine(exchange, self._scenario)
        if known_difference:
            pytest.skip(f"unsupported: {known_difference}")


def _describe_difference(scenario: Scenario, topic: Topic, vector: Vector, unlike: str) -> str:
    recorded = " ".join(topic.recorded.values())
    return "\n".join(
        [
            f"{scenario.id}  {scenario.title}  [{scenario.level}]",
            f"  rule      {' '.join(vector.rows)}",
            f"  exchange  {topic.name}/{vector.id}: {vector.title}",
            f"  asked     {vector.ask}  as {vector.user}",
            f"  differs   {unlike}",
            f"  recorded  {recorded}",
        ]
    )
