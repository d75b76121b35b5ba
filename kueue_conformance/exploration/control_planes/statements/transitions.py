"""What is allowed of single writes of Kueue: reasons and texts of conditions, entries, counts (pure).

The writes of one act, in order, are in `State.changes`; behind several acts, or where something interrupts,
there are none, because a write may then bring back what an older copy says (AC-372).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ....history.story import Change
from ....stage.workloads.view import WorkloadView
from ..acts import Verb
from ..state import Contradiction, State
from .condition_texts import requeue_reasons, texts
from .evictions import EVICTIONS
from .kep_993 import kep_delays
from .provisioning_case import is_provisioning
from .workload_write import WorkloadWrite


def transitions(state: State) -> Iterator[Contradiction]:
    """Yield what single writes of Workloads say that they may not."""
    if not state.holds("0.19"):
        return
    for change in state.changes:
        if change.kind == "Workload" and change.before and change.after:
            write = WorkloadWrite(state, WorkloadView(change.before), WorkloadView(change.after), change.at)
            for statement, find in _WRITES.items():
                for expected, observed in find(write):
                    yield _contradiction(statement, change, expected, observed)


def _contradiction(statement: str, change: Change, expected: str, observed: str) -> Contradiction:
    name = f"Workload {change.name} at rv {change.revision}"
    return Contradiction(statement=statement, name=name, expected=expected, observed=observed)


def _entries(write: WorkloadWrite) -> Iterator[tuple[str, str]]:
    """Kueue changes entries of checks by an eviction alone; new entries are Pending, and in the order of
    their names (AC-357, AC-358).
    """
    old, new = write.before.checks, write.after.checks
    if write.is_eviction or old == new:
        return
    for name, entry in new.items():
        if is_provisioning(write.state.snapshot.get("AdmissionCheck", name)):
            continue  # an entry that Kueue's own controller writes
        if write.state.is_kep and old.get(name, {}).get("state") == "Retry":
            continue  # KEP-993 has Kueue end a Retry
        if name in old and dict(old[name]) != dict(entry):
            yield f"Kueue leaves the entry {name} as it is: {old[name]} (AC-357)", f"it is {entry}"
        content = {key: value for key, value in entry.items() if key not in ("name", "lastTransitionTime")}
        is_new = (content.get("state"), content.get("message", "")) == ("Pending", "")
        # An older copy brings an entry back that was removed (AC-372).
        if name not in old and not is_new and name not in _earlier_entries(write):
            yield f"the new entry {name} is Pending, without a message (AC-357)", f"it is {content}"
    # Kueue sorts the list where it adds or removes something, and never otherwise.
    is_synced = any(name not in old and name not in _earlier_entries(write) for name in new)
    if is_synced and [*new] != sorted(new) and [*old] == sorted(old):
        yield "entries are in the order of their names (AC-358)", f"they are {[*new]}"


def _earlier_entries(write: WorkloadWrite) -> frozenset[str]:
    """Return the names of the entries that the Workload has had since the rest before."""
    name = write.after.object["metadata"]["name"]
    copies = [change.before for change in write.state.changes if change.name == name and change.before]
    return frozenset(entry for copy in copies for entry in WorkloadView(copy).checks)


_WRITES: Mapping[str, Callable[[WorkloadWrite], Iterator[tuple[str, str]]]] = {
    "texts": texts,
    "entries": _entries,
    "requeued": requeue_reasons,
    "kep-delays": kep_delays,
    **EVICTIONS,
}
"""The statements about a write, by name."""


def frame(state: State) -> Iterator[Contradiction]:
    """Yield what has changed of Workloads that hold the quota of the rest before, and that no act was about:
    their admission, and what their checks have answered (AC-311, AC-357, AC-398).
    """
    if state.single_act is None or not state.holds("0.9"):
        return
    answers = state.single_act.verb in (Verb.ANSWER, Verb.APPROVE)
    for workload in state.snapshot.workloads():
        earlier = state.earlier(workload)
        if not _is_the_same_reservation(earlier, workload):
            continue
        if earlier.admission != workload.admission:
            yield _change(workload, "its admission stays", f"it is {workload.admission}")
        for name, entry in earlier.checks.items():
            if is_provisioning(state.snapshot.get("AdmissionCheck", name)):
                continue
            current = workload.checks.get(name)
            if current is not None and current != entry and not answers:
                yield _change(workload, f"the entry {name} stays {dict(entry)}", f"it is {dict(current)}")


def _is_the_same_reservation(earlier: WorkloadView, current: WorkloadView) -> bool:
    """Tell whether a Workload holds the quota that it held before, and nothing takes it away."""
    conditions = [view.condition("QuotaReserved") for view in (earlier, current)]
    is_held = all(condition.get("status") == "True" for condition in conditions)
    same = conditions[0].get("lastTransitionTime") == conditions[1].get("lastTransitionTime")
    return is_held and same and not current.is_true("Evicted") and not earlier.is_true("Evicted")


def _change(workload: WorkloadView, expected: str, observed: str) -> Contradiction:
    name = f"Workload {workload.object['metadata']['name']}"
    return Contradiction(statement="frame", name=name, expected=expected, observed=observed)
