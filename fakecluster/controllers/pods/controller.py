"""Carries pods through their lives: a node, the steps of the script,
the end of a graceful deletion (FK-480…FK-482).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from ...api.steps import Steps
from ...base.json_types import Json
from ...base.numbers.timestamps import since_epoch
from ...registry.machinery import Api
from ...store import Event, Name, Store
from ..engine import Key
from . import scripts
from .scripts import INSTANT_SCRIPT, Phase, Script, ScriptError, ScriptStep

if TYPE_CHECKING:
    from ..scheduler import Scheduler
    from .kubelets import Kubelets

PODS, NODES = ("", "pods"), ("", "nodes")
CLAIMS, VOLUMES = ("", "persistentvolumeclaims"), ("", "persistentvolumes")


class PodSimulator:
    """Scheduler and kubelet of every node.

    `script` is what pods do that bring none; it may be changed at any time.

    Without `schedules` it is the kubelets only: another program binds pods.
    """

    resources = (PODS, NODES, CLAIMS, VOLUMES)

    def __init__(self, api: Api, script: Script = INSTANT_SCRIPT, *, schedules: bool = True) -> None:
        self.script = script
        self._api = api
        self._schedules = schedules
        self._unattended: dict[str, dict[Name, None]] = {}
        """The pods that no kubelet cares for, by the node that they are bound to."""

    @cached_property
    def _kubelets(self) -> Kubelets:
        from .kubelets import Kubelets  # many clusters never have a pod

        return Kubelets(self._api)

    @cached_property
    def _scheduler(self) -> Scheduler | None:
        """What binds pods; it takes in what is stored when it is first asked."""
        if not self._schedules:
            return None
        from ..scheduler import Scheduler  # as above

        return Scheduler(self._api)

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every pod."""
        # Made anew at a restart, as it takes in what is stored when it is first asked.
        self.__dict__.pop("_scheduler", None)
        return [stored.name for stored in store.list(PODS)]

    def keys(self, event: Event) -> Iterable[Key]:
        """Return the pod of an event, and the pods that may have a node or a kubelet now."""
        waiting: list[Key] = list(self._scheduler.observe(event)) if self._scheduler else []
        if event.resource == NODES:
            # Pods of a node that was missing are cared for once it is there.
            return [*waiting, *self._unattended.pop(event.after.name[1], ())]
        return [event.after.name, *waiting] if event.resource == PODS and event.type != "DELETED" else waiting

    def work(self, key: Key) -> Steps[float | None]:
        """Bring one pod forward by as many steps as are due."""
        stored = self._api.store.get(PODS, (key[0], key[1]))
        if stored is None:
            return None
        if not stored.object["spec"].get("nodeName"):
            # A pod that goes before it had a node gets none any more.
            if self._scheduler and "deletionTimestamp" not in stored.object["metadata"]:
                return (yield from self._scheduler.schedule(stored.object))
            return None
        if not self._kubelets.runs(stored.object):
            self._unattended.setdefault(stored.object["spec"]["nodeName"], {})[stored.name] = None
            return None
        if "deletionTimestamp" in stored.object["metadata"]:
            yield from self._kubelets.terminate(stored)
            return None
        return (yield from self._advance(stored.object))

    def reach(self, namespace: str, name: str, phase: Phase, exit_code: int = 0) -> Steps[None]:
        """Bring a pod to a phase now, whatever its script says.

        Raises LookupError when there is no such pod.
        """
        stored = self._api.store.get(PODS, (namespace, name))
        if stored is None:
            raise LookupError(f"there is no pod {namespace}/{name}: list the pods to see which there are")
        yield from self._kubelets.reach(stored.object, ScriptStep(phase, exit_code=exit_code))

    def _advance(self, pod: Json) -> Steps[float | None]:
        try:
            script = scripts.of(pod, self.script)
        except ScriptError as error:
            yield from self._kubelets.report_unreadable_script(pod, error)
            return None
        step = scripts.following(script, pod["status"].get("phase", "Pending"))
        if step is None:
            return None
        seconds = since_epoch(_since(pod)) + step.after - self._api.clock.now()
        if seconds > 0:
            return seconds
        yield from self._kubelets.reach(pod, step)
        return None


def _since(pod: Json) -> str:
    """Return when the pod reached its present phase."""
    status = pod.get("status", {})
    if status.get("phase") == "Running" and status.get("startTime"):
        return str(status["startTime"])
    scheduled = (
        condition["lastTransitionTime"]
        for condition in status.get("conditions", ())
        if condition["type"] == "PodScheduled"
    )
    return str(next(scheduled, None) or pod["metadata"]["creationTimestamp"])
