"""Acts of a story of a control plane: what users, administrators and check controllers do, one line each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

from ..option_act import Grammar, OptionAct


class Verb(StrEnum):
    """What an act does."""

    CONFIGURE = "configure"
    """The control plane is started with a feature, such as `waitForPodsReady` that blocks admission."""
    NAMES = "names"
    """Objects have names as long and as much alike as they may be."""
    CLASS = "class"
    """An administrator creates a WorkloadPriorityClass."""
    RUNTIME = "runtime"
    """An administrator creates a RuntimeClass, with the CPU that a pod of it needs beside its containers."""
    FLAVOR = "flavor"
    """An administrator creates a ResourceFlavor; `taint=yes` keeps off pods that do not tolerate it,
    unless the flavor itself `tolerates` it.
    """
    CHECK = "check"
    """An administrator creates an AdmissionCheck, which its controller makes Active; `retry` and `policy` are
    fields of KEP-993, which releases prune.
    """
    CONFIG = "config"
    """An administrator creates a ProvisioningRequestConfig, to which a check can refer: Kueue's own."""
    SET_CONFIG = "set-config"
    PROVISION = "provision"
    """The autoscaler answers the newest ProvisioningRequest of a Workload, with `details` of its class."""
    DROP_REQUEST = "drop-request"
    """Another client deletes the newest ProvisioningRequest of a Workload."""
    COHORT = "cohort"
    """An administrator creates a Cohort, with quota and a parent."""
    QUEUE = "queue"
    """An administrator creates a ClusterQueue."""
    LOCAL = "local"
    """An administrator creates a LocalQueue."""
    SET_QUOTA = "set-quota"
    SET_CHECKS = "set-checks"
    SET_COHORT = "set-cohort"
    SET_PARENT = "set-parent"
    """An administrator puts a Cohort under another one, or under none."""
    SET_STRATEGY = "set-strategy"
    SET_CLASS = "set-class"
    SET_RUNTIME = "set-runtime"
    LIMIT_RANGE = "limit-range"
    """An administrator sets the CPU that containers of the namespace request by default; without, none."""
    LABEL_NAMESPACE = "label-namespace"
    RESTART = "restart"
    """The control plane is stopped and started."""
    STOP = "stop"
    """An administrator sets the stopPolicy of a ClusterQueue or LocalQueue; `None` resumes it."""
    SET_ACTIVE = "set-active"
    """The controller of a check sets its Active condition."""
    SUBMIT = "submit"
    """A user creates a Workload, or a Job."""
    ANSWER = "answer"
    """The controller of a check gives a verdict, where the Workload has quota and lists the check; with
    `others=yes` those of its other checks do at once, with longer delays.
    """
    APPROVE = "approve"
    """The controllers answer Ready for every check that is Pending."""
    DEACTIVATE = "deactivate"
    ACTIVATE = "activate"
    SET_PRIORITY = "set-priority"
    MOVE = "move"
    """A user names another LocalQueue, where the Workload has no quota."""
    CHANGE_JOB = "change-job"
    """A user changes a Job."""
    SUSPEND = "suspend"
    """A user pauses a Job."""
    PODS = "pods"
    """A Job has so many active pods, which are ready or not; a bare Workload is ready or not. Pods end when
    their Job is suspended and everything is at rest; those that are `lasting` when it is said, or at the end.
    """
    RECLAIM = "reclaim"
    """Some pods of an admitted Workload have finished."""
    FINISH = "finish"
    """An admitted Workload finishes."""
    REQUEST = "request"
    """A user sends a request at the limits of Kueue's API, of which nothing is stored."""
    DROP_WORKLOAD = "drop-workload"
    """Another client deletes the Workload of a Job, which gets a new one."""
    FAIL = "fail"
    """A Job fails, whatever has become of its Workload."""
    DELETE = "delete"
    WAIT = "wait"
    """Time passes."""
    SETTLE = "settle"
    """Nothing happens until everything is at rest; then the state is judged."""


_QUOTA = frozenset({"quota", "memory", "counted", "borrow", "lend"})
_CONFIG = frozenset({"class", "retries", "wait", "longest", "parameter", "manages", "merges", "labels"})
OPTIONS: Mapping[str, frozenset[str]] = {
    Verb.CONFIGURE: frozenset({"feature"}),
    Verb.CHECK: frozenset({"config", "retry", "policy"}),
    Verb.CONFIG: _CONFIG,
    Verb.SET_CONFIG: _CONFIG,
    Verb.PROVISION: frozenset({"state", "details"}),
    Verb.CLASS: frozenset({"value"}),
    Verb.RUNTIME: frozenset({"cpu"}),
    Verb.SET_PARENT: frozenset({"parent"}),
    Verb.SET_CLASS: frozenset({"value"}),
    Verb.SET_RUNTIME: frozenset({"cpu"}),
    Verb.SET_STRATEGY: frozenset({"strategy"}),
    Verb.LIMIT_RANGE: frozenset({"cpu"}),
    Verb.LABEL_NAMESPACE: frozenset({"team"}),
    Verb.CHANGE_JOB: frozenset({"parallelism", "cpu", "limit", "min", "tolerates", "class"}),
    Verb.PODS: frozenset({"active", "ready", "lasting"}),
    Verb.FLAVOR: frozenset({"taint", "tolerates"}),
    Verb.COHORT: frozenset({*_QUOTA, "parent", "weight"}),
    Verb.QUEUE: frozenset(
        {*_QUOTA, "cohort", "checks", "team", "strategy", "weight"}
        | {"within", "reclaim", "lower", "borrowing", "preempting"}
    ),
    Verb.LOCAL: frozenset({"of"}),
    Verb.SET_QUOTA: _QUOTA,
    Verb.SET_CHECKS: frozenset({"checks"}),
    Verb.SET_COHORT: frozenset({"cohort"}),
    Verb.STOP: frozenset({"policy"}),
    Verb.SET_ACTIVE: frozenset({"active"}),
    Verb.SUBMIT: frozenset(
        {"to", "form", "pods", "memory", "min", "priority", "class", "tolerates", "on", "active", "limit"}
        | {"affinity", "init", "sidecar", "second", "whole", "requests", "runtime", "parameter"}
    ),
    Verb.ANSWER: frozenset({"check", "state", "delay", "update", "others", "reason"}),
    Verb.SET_PRIORITY: frozenset({"priority"}),
    Verb.MOVE: frozenset({"to"}),
    Verb.RECLAIM: frozenset({"count"}),
    Verb.WAIT: frozenset({"seconds"}),
    Verb.REQUEST: frozenset({"of"}),
}
"""The options that an act may have; those that are not here have none."""
UNNAMED = frozenset(
    {
        Verb.CONFIGURE,
        Verb.NAMES,
        Verb.LIMIT_RANGE,
        Verb.LABEL_NAMESPACE,
        Verb.RESTART,
        Verb.APPROVE,
        Verb.REQUEST,
        Verb.WAIT,
        Verb.SETTLE,
    }
)
"""Acts that are about no object, or about all."""
CREATES = frozenset(
    {
        Verb.CLASS,
        Verb.RUNTIME,
        Verb.FLAVOR,
        Verb.CHECK,
        Verb.CONFIG,
        Verb.COHORT,
        Verb.QUEUE,
        Verb.LOCAL,
        Verb.SUBMIT,
    }
)
"""Acts that create an object."""
_NAMES: Mapping[str, str] = {
    Verb.FLAVOR: "f",
    Verb.CHECK: "k",
    Verb.CONFIG: "g",
    Verb.SET_CONFIG: "g",
    Verb.COHORT: "c",
    Verb.QUEUE: "q",
    Verb.LOCAL: "l",
    Verb.SET_QUOTA: "qc",
    Verb.SET_CHECKS: "q",
    Verb.SET_COHORT: "q",
    Verb.SET_STRATEGY: "q",
    Verb.SET_PARENT: "c",
    Verb.CLASS: "p",
    Verb.RUNTIME: "r",
    Verb.SET_CLASS: "p",
    Verb.SET_RUNTIME: "r",
    Verb.STOP: "ql",
    Verb.SET_ACTIVE: "k",
    Verb.DELETE: "fkcqlpwrg",
}
"""The letters with which the object of an act can begin; those of the others are Workloads, `w`."""
_REFERENCE = re.compile(r"\b[fkcqlpwrg][1-9]")


class Act(OptionAct):
    """One act, of those above."""

    __slots__ = ()
    grammar = Grammar(verbs=Verb, options=OPTIONS, unnamed=UNNAMED, letters=_NAMES, usual_letters="w")

    @property
    def objects(self) -> frozenset[str]:
        """The objects that it is about or names, such as `w1` and `l2`."""
        return frozenset(_REFERENCE.findall(str(self).partition(" ")[2]))


SETTLE = Act(Verb.SETTLE)


def act(verb: Verb, name: str = "", **options: object) -> Act:
    """Return an act; options that are empty or None are left out."""
    return Act.with_options(verb, name, **options)
