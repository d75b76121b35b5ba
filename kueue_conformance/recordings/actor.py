"""Plays the user, the check controllers and the job controller of a story:
each action is one entry of its file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..base.json_types import Json
from ..case.context import CaseContext
from ..stage.checks.check import timestamp
from ..stage.clock import Clock
from ..stage.workloads.release import MANAGER, released_manifest
from ..wire.client import ApiError
from ..wire.resource import RESOURCES
from .view import workload_name


# Workloads as stories about queues write them: who asks for what, without the rest of a pod template
# (pure).
def workload_manifest(content: Json) -> Json:
    """Return the Workload of an action `submit`: name, queue, priority, active, annotations, and `sets` with
    name, count, minCount, requests, limits, and `pod` for what else its pods have.
    """
    metadata = {"name": content["name"]}
    if "annotations" in content:
        metadata["annotations"] = content["annotations"]
    optional_fields = {key: content[key] for key in ("priority", "active") if key in content}
    sets = [_pod_set(pod_set) for pod_set in content["sets"]]
    spec = {"queueName": content["queue"], **optional_fields, "podSets": sets}
    return {"kind": "Workload", "metadata": metadata, "spec": spec}


def _pod_set(content: Json) -> Json:
    counts = {key: content[key] for key in ("count", "minCount") if key in content}
    resources = {key: content[key] for key in ("requests", "limits") if key in content}
    container = {"name": "c", "image": "registry.example.com/work:1", "resources": resources}
    pod = {"restartPolicy": "Never", "containers": [container], **content.get("pod", {})}
    return {"name": content["name"], **counts, "template": {"spec": pod}}


FINISHED = {
    True: (
        "CompletionsReached",
        "Reached expected number of succeeded pods",
        ("SuccessCriteriaMet", "Complete"),
    ),
    False: (
        "BackoffLimitExceeded",
        "Job has reached the specified backoff limit",
        ("FailureTarget", "Failed"),
    ),
}


class CannotAct(Exception):
    """An action cannot be done: its object is missing, or the server refuses it, since the control plane has
    not done its part.
    """


class Actor:
    """Repeats the recorded actions on one context; it waits for quiet after each, or after the last of a
    step: then on virtual time what reacts without delay has reacted before the next action.
    """

    def __init__(self, context: CaseContext, namespace: str, *, rests: bool = True) -> None:
        self._context = context
        self._rests = rests
        self._client = context.client
        self._namespace = namespace
        self._client.create({"kind": "Namespace", "metadata": {"name": namespace}})

    def play(self, actions: Sequence[Mapping[str, Json]], wait: float) -> None:
        """Do the actions of a step and let the time pass after which its state was read. Raises CannotAct."""
        for action in actions:
            self.act(action)
            if self._rests:
                self._context.rest()
            else:
                self.do_pass(0)
        if not self._rests:
            self._context.rest()
        self.do_pass(wait)

    def act(self, action: Mapping[str, Json]) -> None:
        """Do one action. Raises CannotAct."""
        ((name, content),) = action.items()
        try:
            getattr(self, f"do_{name}")(content)
        except ApiError as error:
            raise CannotAct(f"the action `{name}` is refused: {error}") from error

    def do_refused(self, action: Json) -> None:
        """Do what the server is to refuse."""
        ((name, content),) = action.items()
        try:
            getattr(self, f"do_{name}")(content)
        except ApiError:
            return
        raise CannotAct(f"the action `{name}` is accepted, and was refused")

    def do_create(self, manifest: Json) -> None:
        """Create an object."""
        namespace = {"namespace": self._namespace} if RESOURCES[manifest["kind"]].namespaced else {}
        self._client.create({**manifest, "metadata": {**manifest["metadata"], **namespace}})

    def do_merge(self, content: Json) -> None:
        """Merge a patch into an object."""
        self._client.merge(
            content["kind"], self._name_on_cluster(content), content["patch"], namespace=self._place(content)
        )

    def do_delete(self, content: Json) -> None:
        """Delete an object."""
        self._client.delete(content["kind"], self._name_on_cluster(content), self._place(content))

    def do_condition(self, content: Json) -> None:
        """Set the Active condition of an AdmissionCheck."""
        texts = {key: content[key] for key in ("status", "reason", "message")}

        def with_status(document: Json) -> Json:
            about = {
                "observedGeneration": document["metadata"]["generation"],
                "lastTransitionTime": self._now(),
            }
            return {**document, "status": {"conditions": [{"type": "Active", **texts, **about}]}}

        self._client.update("AdmissionCheck", content["check"], with_status, sub="status")

    def do_verdict(self, content: Json) -> None:
        """Answer one check: by an apply that owns the entry, or by PUT."""
        entry = {key: value for key, value in content.items() if key not in {"workload", "check", "by"}}
        if content.get("by") == "put":
            self.do_verdicts({"workload": content["workload"], "entries": {content["check"]: entry}})
            return
        workload = self._workload(content["workload"])
        listed = (workload.get("status") or {}).get("admissionChecks") or []
        old: Json = next((entry for entry in listed if entry["name"] == content["check"]), {})
        body = {
            "kind": "Workload",
            "metadata": {"name": workload["metadata"]["name"], "namespace": self._namespace},
        }
        entries = [{"name": content["check"], **entry, "lastTransitionTime": self._since(old, entry)}]
        manager = f"checks.example.com/{content['check']}"
        self._client.apply({**body, "status": {"admissionChecks": entries}}, manager=manager, sub="status")

    def do_verdicts(self, content: Json) -> None:
        """Answer several checks in one PUT;
        what is not mentioned of an entry stays, but for a PUT without updates.
        """

        def with_verdicts(document: Json) -> Json:
            status = document.get("status") or {}
            entries = [
                self._entry_with_verdict(entry, content["entries"].get(entry["name"]))
                for entry in status.get("admissionChecks") or ()
            ]
            return {**document, "status": {**status, "admissionChecks": entries}}

        name = self._workload(content["workload"])["metadata"]["name"]
        self._client.update("Workload", name, with_verdicts, namespace=self._namespace, sub="status")

    def do_release(self, name: str) -> None:
        """Give the quota of an evicted bare Workload back, as a job integration does."""
        workload = self._workload(name)
        conditions = (workload.get("status") or {}).get("conditions") or ()
        if not any(condition["type"] == "Evicted" for condition in conditions):
            raise CannotAct(f"Workload {name} is to be released, and was never evicted")
        self._client.apply(released_manifest(workload, self._context), manager=MANAGER, sub="status")

    def do_submit(self, content: Json) -> None:
        """Create a Workload without a Job."""
        self.do_create(workload_manifest(content))

    def do_end(self, name: str) -> None:
        """Finish a Workload without a Job, as its job integration does."""
        about = {"reason": "Succeeded", "message": "done", "lastTransitionTime": self._now()}

        def with_finished(document: Json) -> Json:
            status = document.get("status") or {}
            finished = {"type": "Finished", "status": "True", **about}
            finished["observedGeneration"] = document["metadata"]["generation"]
            return {**document, "status": {**status, "conditions": [*status.get("conditions", ()), finished]}}

        self._client.update("Workload", name, with_finished, namespace=self._namespace, sub="status")

    def do_reclaim(self, content: Json) -> None:
        """Tell how many pods of a Workload will not run again."""
        pods = [{"name": name, "count": count} for name, count in content["pods"].items()]

        def with_status(document: Json) -> Json:
            return {**document, "status": {**document.get("status", {}), "reclaimablePods": pods}}

        self._client.update(
            "Workload", content["workload"], with_status, namespace=self._namespace, sub="status"
        )

    def do_run(self, content: Json) -> None:
        """Tell how many pods of a Job are active and ready, as the job controller does."""
        started = {"startTime": self._now()} if content["active"] else {}
        pods = {"active": content["active"], "ready": content["ready"], "terminating": 0}
        self._tell(content["job"], {**started, **pods, "uncountedTerminatedPods": {}})

    def do_finish(self, content: Json) -> None:
        """Finish a Job, as the job controller does."""
        reason, message, types = FINISHED[content["succeeded"]]
        time = self._now()
        about = {
            "status": "True",
            "reason": reason,
            "message": message,
            "lastTransitionTime": time,
            "lastProbeTime": time,
        }
        result = {"succeeded": 1, "completionTime": time} if content["succeeded"] else {"failed": 1}
        pods = {"startTime": time, "active": 0, "ready": 0, "terminating": 0, "uncountedTerminatedPods": {}}
        self._tell(
            content["job"], {**pods, **result, "conditions": [{"type": type_, **about} for type_ in types]}
        )

    def do_pass(self, seconds: float) -> None:
        """Let time pass."""
        Clock(self._context).advance(seconds)

    def _tell(self, job: str, status: Json) -> None:
        def with_status(document: Json) -> Json:
            return {**document, "status": {**document.get("status", {}), **status}}

        self._client.update("Job", job, with_status, namespace=self._namespace, sub="status")

    def _entry_with_verdict(self, old: Json, entry: Json | None) -> Json:
        if entry is None:
            return old
        retry_count = {"retryCount": old["retryCount"]} if "retryCount" in old else {}
        return {"name": old["name"], **retry_count, **entry, "lastTransitionTime": self._since(old, entry)}

    def _since(self, old: Json, entry: Json) -> str:
        return str(old["lastTransitionTime"]) if old.get("state") == entry["state"] else self._now()

    def _workload(self, name: str) -> Json:
        workloads = self._client.list("Workload", self._namespace)
        named = next((workload for workload in workloads if workload_name(workload) == name), None)
        if named is None:
            raise CannotAct(f"there is no Workload {name}")
        return named

    def _name_on_cluster(self, content: Json) -> str:
        workload = content["kind"] == "Workload"
        return str(self._workload(content["name"])["metadata"]["name"] if workload else content["name"])

    def _place(self, content: Json) -> str:
        return self._namespace if RESOURCES[content["kind"]].namespaced else ""

    def _now(self) -> str:
        return timestamp(self._context.cluster.now())
