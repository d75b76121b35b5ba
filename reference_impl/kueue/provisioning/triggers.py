"""Which changes make a Workload, or an AdmissionCheck, worth another look (PA-030). No time does."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from reference_impl.api.resource import Json, Key, key_of
from reference_impl.runtime.store import Store

from . import config
from .config import ConfigReference
from .writing import key_of_owner

BY_CHECK: Final = "provisioning/workloads-by-check"
BY_CONFIG: Final = "provisioning/checks-by-configuration"
BY_OWNER: Final = "provisioning/requests-by-owner"
Enqueue = Callable[[Key], None]


def checks_of(workload: Json) -> Iterable[str]:
    """Index Workloads by the checks that they list."""
    return [entry["name"] for entry in (workload.get("status") or {}).get("admissionChecks") or ()]


def config_of(check: Json) -> Iterable[str]:
    """Index the checks that are answered here by their configuration."""
    if not config.is_ours(check):
        return ()
    name = ConfigReference.of(check).name
    return (name,) if name else ()


def owners_of(request: Json) -> Iterable[str]:
    """Index requests by the names of their owners, of whatever kind (PA-007)."""
    metadata = request["metadata"]
    owners = metadata.get("ownerReferences") or ()
    return {str(Key(metadata["namespace"], owner["name"])) for owner in owners}


class Triggers:
    """Turns events into keys of Workloads and of AdmissionChecks."""

    def __init__(
        self, workloads: Store, checks: Store, requests: Store, look: Enqueue, judge: Enqueue
    ) -> None:
        self._workloads = workloads
        self._checks = checks
        self._requests = requests
        self._look = look
        self._judge = judge

    def on_workload(self, _old: Json | None, new: Json | None) -> None:
        """Look at a Workload that has checks, or requests that it may not need any more."""
        if new is None:
            return
        key = key_of(new)
        if checks_of(new) or self._requests.by_index(BY_OWNER, str(key)):
            self._look(key)

    def on_request(self, old: Json | None, new: Json | None) -> None:
        """Look at the Workload that a request belongs to, or belonged to."""
        for obj in (old, new):
            key = None if obj is None else key_of_owner(obj)
            if key is not None:
                self._look(key)

    def on_check(self, old: Json | None, new: Json | None) -> None:
        """Judge a check, and look at the Workloads that list it."""
        if not (config.is_ours(old) or config.is_ours(new)):
            return
        if new is not None:
            self._judge(key_of(new))
        self._listing(key_of(new or old).name)

    def on_config(self, old: Json | None, new: Json | None) -> None:
        """Judge the checks of a configuration, and look at their Workloads where it matters to them."""
        for check in self._checks.by_index(BY_CONFIG, key_of(new or old).name):
            self._judge(key_of(check))
            if config.affects_workloads(old, new):
                self._listing(key_of(check).name)

    def _listing(self, check: str) -> None:
        for workload in self._workloads.by_index(BY_CHECK, check):
            self._look(key_of(workload))
