"""Compares a fake and a real API server live,
exchange by exchange, and with the recordings (design.md §8).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass

from ..base.json_types import Json
from ..wire.endpoint import Endpoint
from .difference import difference
from .document import Answer, Topic
from .known_differences import FILE, Known
from .player import Player, namespace_for
from .server import Server


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedExchange:
    """An exchange with the differences between both answers."""

    exchange: str
    unlike: str
    """The first difference, empty where there is none."""
    verdict_unlike: str
    """The first difference in status code, reason and causes, by which clients decide."""
    drifted: str
    """How the real server's answer differs from the recorded one."""


def compare(topic: Topic, real: Server, fake: Server) -> tuple[ComparedExchange, ...]:
    """Send the requests of a topic to both servers at the same time; return the exchanges in order."""
    with ThreadPoolExecutor(2) as both:
        futures = [both.submit(Player(server, topic, namespace_for(topic)).play) for server in (real, fake)]
        answers = [future.result() for future in futures]
    return tuple(
        _compare_exchange(f"{topic.name}/{vector.id}", vector.answer, *pair)
        for vector, *pair in zip(topic.vectors, *answers, strict=True)
    )


@contextmanager
def servers(real: Endpoint, fake: Endpoint) -> Iterator[tuple[Server, Server]]:
    """Yield both servers."""
    with closing(Server(real)) as real_server, closing(Server(fake)) as fake_server:
        yield real_server, fake_server


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """All exchanges and the known differences."""

    compared: Sequence[ComparedExchange]
    known_differences: Known

    @property
    def unexpected_differences(self) -> list[ComparedExchange]:
        """Exchanges that differ without a known difference."""
        return [
            exchange
            for exchange in self.compared
            if exchange.unlike and exchange.exchange not in self.known_differences
        ]

    @property
    def stale(self) -> list[str]:
        """Known differences that are gone."""
        return [
            exchange.exchange
            for exchange in self.compared
            if not exchange.unlike and exchange.exchange in self.known_differences
        ]

    def lines(self) -> list[str]:
        """Return the lines of the summary."""
        total, known_count = (
            len(self.compared),
            sum(exchange.exchange in self.known_differences for exchange in self.compared),
        )
        same_verdict = sum(not exchange.verdict_unlike for exchange in self.compared)
        as_recorded = sum(not exchange.drifted for exchange in self.compared)
        return [
            *(
                f"{exchange.exchange}: {exchange.unlike}{self._why(exchange)}"
                for exchange in self.compared
                if exchange.unlike
            ),
            *(
                f"{exchange.exchange}: no longer as recorded: {exchange.drifted}"
                for exchange in self.compared
                if exchange.drifted
            ),
            *(f"{name}: equal by now: remove its row from {FILE}" for name in self.stale),
            f"{sum(not exchange.unlike for exchange in self.compared)} of {total} exchanges equal",
            f"{known_count} known differences, {len(self.unexpected_differences)} unexpected, {len(self.stale)} stale",
            f"{same_verdict} of {total} equal in status code, reason and causes",
            f"{as_recorded} of {total} answers of the real server are as recorded",
        ]

    def _why(self, exchange: ComparedExchange) -> str:
        row = self.known_differences.get(exchange.exchange)
        return f"  [known: {row['row']}, {row['reason']}]" if row else ""


def _compare_exchange(exchange: str, recorded: Json, real: Answer, fake: Answer) -> ComparedExchange:
    return ComparedExchange(
        exchange=exchange,
        unlike=difference(real.json(), fake.json()),
        verdict_unlike=difference(_verdict(real), _verdict(fake)),
        drifted=difference(recorded, real.json()),
    )


def _verdict(answer: Answer) -> Json:
    status = answer.body if isinstance(answer.body, dict) and answer.body.get("kind") == "Status" else {}
    causes = (status.get("details") or {}).get("causes") or ()
    cause_rows = [{"reason": cause.get("reason"), "field": cause.get("field")} for cause in causes]
    return {"code": answer.status, "reason": status.get("reason"), "causes": cause_rows}
