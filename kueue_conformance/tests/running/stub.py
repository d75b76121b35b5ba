"""A stub of a cluster, in which time passes only when asked for."""

from kueue_conformance.base.budget import Budgets
from kueue_conformance.case.context import CaseContext
from kueue_conformance.history.story import Change
from kueue_conformance.scenarios.dialect import known_dialects
from kueue_conformance.wire.client import Client


class StubRecorder:
    knows_users = True
    kinds = frozenset({"Workload"})

    def __init__(self, changes=()):
        self._changes = list(changes)

    def changes(self):
        return self._changes

    def arrivals(self, since):
        return self._changes[since:]

    def complete(self):
        pass

    def newest_revision(self):
        return max((change.revision for change in self._changes), default=0)

    def requests(self):
        return ()

    attempts = refused_writes = requests


class StubCluster:
    """`script` is what happens at each second: a mapping from second to an action."""

    kubeconfig = ""
    was_wait_too_short = False

    def __init__(self, script=None, changes=()):
        self.script = dict(script or {})
        self.recorder = StubRecorder(changes)
        self.time = 0.0

    def transport(self, *_):
        raise AssertionError("nothing is asked of this cluster")

    def begins(self, owns, calm):
        pass

    def ends(self, react):
        pass

    def now(self):
        return self.time

    def wait(self, condition, seconds, react):
        end = self.time + seconds
        while not condition() and self.time < end:
            self.time += 1
            self.script.get(self.time, lambda: None)()
        return condition()

    def passes(self, seconds, react):
        self.wait(lambda: False, seconds, react)

    def rest(self, seconds, react):
        [self.script[at]() for at in sorted(self.script) if at > self.time]
        self.time = max([self.time, *self.script])


def context(script=None, changes=(), **attributes):
    """Return the context of a case in dialect v0.19."""
    cluster = StubCluster(script, changes)
    client = Client(cluster.transport, agent="test")
    case_context = CaseContext(
        cluster, known_dialects()["v0.19"], Budgets(virtual=True), client, "ADM-204", lambda: None
    )
    for name, value in attributes.items():
        setattr(case_context, name, value)
    return case_context


def change(revision, actor="kueue", before=None, after=None, **fields):
    """Return one change of the Workload `work`."""
    known_fields = {"at": 0.0, "verb": "update", "kind": "Workload", "namespace": "ns", "name": "work"}
    return Change(revision=revision, actor=actor, before=before, after=after, **{**known_fields, **fields})


def workload(checks=None, **conditions):
    """Return a Workload with conditions (status, reason) and states of checks."""
    condition_list = [
        {"type": name, "status": status, "reason": why} for name, (status, why) in conditions.items()
    ]
    entries = [{"name": name, "state": state} for name, state in (checks or {}).items()]
    return {"spec": {}, "status": {"conditions": condition_list, "admissionChecks": entries}}
