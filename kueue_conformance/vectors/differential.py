"""Compares a fake and a real API server live, exchange by exchange, and with the recordings (design.md §8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass

from ..base.json_types import Json
from ..wire.endpoint import Endpoint
from .comparing import difference
from .document import Answer, Topic
from .known import FILE, Known
from .playing import Player, unused_namespace
from .server import Server


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """An exchange with the differences between both answers."""

    exchange: str
    unlike: str
    """The first difference, empty where there is none."""
    verdict_unlike: str
    """The first difference in status code, reason and causes, by which clients decide."""
    drifted: str
    """How the real server's answer differs from the recorded one."""


def compare(topic: Topic, real: Server, fake: Server) -> tuple[Compared, ...]:
    """Send the requests of a topic to both servers at the same time; return the exchanges in order."""
    with ThreadPoolExecutor(2) as both:
        asked = [both.submit(Player(one, topic, unused_namespace(topic)).play) for one in (real, fake)]
        answers = [one.result() for one in asked]
    return tuple(
        _compared(f"{topic.name}/{vector.id}", vector.answer, *pair)
        for vector, *pair in zip(topic.vectors, *answers, strict=True)
    )


@contextmanager
def servers(real: Endpoint, fake: Endpoint) -> Iterator[tuple[Server, Server]]:
    """Yield both servers."""
    with closing(Server(real)) as one, closing(Server(fake)) as other:
        yield one, other


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """All exchanges and the known differences."""

    compared: Sequence[Compared]
    known: Known

    @property
    def unexpected(self) -> list[Compared]:
        """Exchanges that differ without a known difference."""
        return [one for one in self.compared if one.unlike and one.exchange not in self.known]

    @property
    def stale(self) -> list[str]:
        """Known differences that are gone."""
        return [one.exchange for one in self.compared if not one.unlike and one.exchange in self.known]

    def lines(self) -> list[str]:
        """Return the lines of the summary."""
        total, known = len(self.compared), sum(one.exchange in self.known for one in self.compared)
        same_verdict = sum(not one.verdict_unlike for one in self.compared)
        as_recorded = sum(not one.drifted for one in self.compared)
        return [
            *(f"{one.exchange}: {one.unlike}{self._why(one)}" for one in self.compared if one.unlike),
            *(
                f"{one.exchange}: no longer as recorded: {one.drifted}"
                for one in self.compared
                if one.drifted
            ),
            *(f"{name}: equal by now: remove its row from {FILE}" for name in self.stale),
            f"{sum(not one.unlike for one in self.compared)} of {total} exchanges equal",
            f"{known} known differences, {len(self.unexpected)} unexpected, {len(self.stale)} stale",
            f"{same_verdict} of {total} equal in status code, reason and causes",
            f"{as_recorded} of {total} answers of the real server are as recorded",
        ]

    def _why(self, one: Compared) -> str:
        row = self.known.get(one.exchange)
        return f"  [known: {row['row']}, {row['reason']}]" if row else ""


def _compared(exchange: str, recorded: Json, real: Answer, fake: Answer) -> Compared:
    return Compared(
        exchange=exchange,
        unlike=difference(real.json(), fake.json()),
        verdict_unlike=difference(_verdict(real), _verdict(fake)),
        drifted=difference(recorded, real.json()),
    )


def _verdict(answer: Answer) -> Json:
    status = answer.body if isinstance(answer.body, dict) and answer.body.get("kind") == "Status" else {}
    causes = (status.get("details") or {}).get("causes") or ()
    found = [{"reason": one.get("reason"), "field": one.get("field")} for one in causes]
    return {"code": answer.status, "reason": status.get("reason"), "causes": found}
