"""Outages of a system behind drivers: of the whole system, or for some Workloads (CC-053, CC-076, CC-082)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...base.json_types import Json
from ...subject.drivers import TROUBLE, TROUBLE_OF_WORKLOAD, DriverContext, StateDriver
from ...subject.drivers.decision import Decision
from .early_decisions import EarlyDecisions
from .outside_system import Key, skip_unsupported


class Outage:
    """Begins and ends outages by the driver `trouble` of a subject file."""

    def __init__(self, driver: StateDriver | None, decision_of: Callable[[Key], Decision]) -> None:
        self._driver = driver
        self._decision_of = decision_of
        self._wanted: dict[Key, bool] = {}
        self._begun: dict[Key, Decision] = {}
        self.began_at = 0.0

    @property
    def is_total(self) -> bool:
        """Whether the whole system is out of order."""
        return bool(self._begun) and self._driver is not None and self._driver.is_shared

    @property
    def is_wanted(self) -> bool:
        """Whether there is an outage, or will be for a Workload that is yet to come."""
        return any(self._wanted.values())

    def begin(self, means: DriverContext, namespace: str, workload: str) -> None:
        """Begin an outage for a Workload, or for all of a namespace; skips the case when no driver can."""
        if self._driver is None:
            skip_unsupported(TROUBLE)
        if workload and self._driver.is_shared:
            skip_unsupported(TROUBLE_OF_WORKLOAD)
        self._wanted[namespace, workload] = True
        self.began_at = means.current_time()
        if self._driver.is_shared:
            self._begin((namespace if self._driver.tells("namespace") else "", ""), means)

    def act(self, means: DriverContext, workloads: Iterable[Key]) -> bool:
        """Begin it for those Workloads that it is about; return whether there was one more."""
        due = [key for key in workloads if self._is_about(key) and key not in self._begun]
        for key in due:
            self._begin(key, means)
        return bool(due)

    def prepare(self, key: Key, manifest: Json, means: DriverContext, early: EarlyDecisions) -> Json:
        """Begin it for a Workload that is about to be created, where it is about that; return the manifest
        that is created.
        """
        if self._driver is None or not self._is_about(key) or key in self._begun:
            return manifest
        decision = self._decision_of(key)
        prepared = early.make(self._driver, [decision], manifest, means)
        if prepared is None:
            return manifest
        self._begun[key] = decision
        return prepared

    def end(self, means: DriverContext, namespace: str, workload: str) -> None:
        """End it for a Workload, or for all of a namespace; one of the whole system ends in any case."""
        if workload and not self.is_total:
            self._wanted[namespace, workload] = False
        else:
            self._wanted.clear()
        for key in [key for key in self._begun if not self._is_about(key)]:
            self._end(key, means)

    def end_all(self, means: DriverContext) -> None:
        """End every outage: the next case finds a system that works."""
        self._wanted.clear()
        for key in list(self._begun):
            self._end(key, means)

    def _is_about(self, key: Key) -> bool:
        return self._wanted.get(key, self._wanted.get((key[0], ""), False))

    def _begin(self, key: Key, means: DriverContext) -> None:
        assert self._driver is not None, "begin() skips a case without a driver"
        assert self._driver.driver is not None, "trouble is no endpoint of the harness"
        # Before the act: what has begun by half is ended as well.
        self._begun[key] = self._decision_of(key)
        self._driver.driver.decide(self._begun[key], means, self._driver.timeout)

    def _end(self, key: Key, means: DriverContext) -> None:
        assert self._driver is not None, "begin() skips a case without a driver"
        self._driver.take_back(self._begun.pop(key), means, frozenset())
