"""A job integration for Kueue: it makes a Workload for each Training and obeys its admission.

A Training has two pod sets, a driver and workers, and is held back by spec.suspend; its operator runs the pods.
Reconciling is one method, `reconcile`, which reads like Kueue's documents: each step looks at the present state
and makes at most one write, with the resourceVersion that it has seen. What it wrote comes back by a watch.
"""

import hashlib
import signal
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from kubernetes import client, config, watch
from kubernetes.client import ApiException
from urllib3.exceptions import HTTPError

JOBS = ("example.com", "v1", "trainings")
WORKLOADS = ("kueue.x-k8s.io", "v1beta2", "workloads")
KIND = "Training"
QUEUE_LABEL, CLASS_LABEL = "kueue.x-k8s.io/queue-name", "kueue.x-k8s.io/priority-class"
TIME_LABEL, PARAMETERS = "kueue.x-k8s.io/max-exec-time-seconds", "provreq.kueue.x-k8s.io/"
FINALIZER, JOB_UID_LABEL = "kueue.x-k8s.io/resource-in-use", "kueue.x-k8s.io/job-uid"
REQUEUED_AT_ONCE = ("Preempted", "NodeFailures")
NOT_FOUND, CONFLICT, GONE = 404, 409, 410
LONGEST_NAME, FIRST_PAUSE, LONGEST_PAUSE = 253, 0.1, 2.0
Object = dict[str, Any]
Key = tuple[str, str]


class Conflict(Exception):
    """What flavors and checks add contradicts the pods, for good."""


class TrainingIntegration:
    """Two threads watch Trainings and Workloads; one decides and writes."""

    def __init__(self, api: client.CustomObjectsApi) -> None:
        self.api = api
        self.known: dict[str, dict[Key, Object]] = {"trainings": {}, "workloads": {}}
        self.listed: set[str] = set()
        self.due: dict[Key, float] = {}
        self.pauses: dict[Key, float] = {}
        self.changed, self.stop = threading.Event(), threading.Event()
        self.failure: Exception | None = None

    # Deciding

    def reconcile(self, key: Key) -> None:
        """Do what is next for a Training and its Workload."""
        job = self.known["trainings"].get(key)
        owned = [workload for workload in [*self.known["workloads"].values()] if job_key(workload) == key]
        if job is None or "deletionTimestamp" in job["metadata"]:
            for workload in owned:
                self.forget(workload)
            return
        if QUEUE_LABEL not in job["metadata"].get("labels", {}):
            return
        for workload in owned:
            if controller_of(workload)["uid"] != job["metadata"]["uid"]:
                self.delete(workload)  # of an earlier Training of this name
        workloads = [
            workload for workload in owned if controller_of(workload)["uid"] == job["metadata"]["uid"]
        ]
        if not workloads:
            self.reconcile_without_workload(job)
            return
        for workload in workloads[1:]:
            self.delete(workload)
        self.reconcile_with(job, workloads[0])

    def reconcile_without_workload(self, job: Object) -> None:
        """Hold the job back, and make its Workload when no pod is left."""
        if is_over(job):
            return
        if not is_suspended(job):
            self.hold(job, None)
        elif not is_active(job):
            self.require_current(job)
            self.create(WORKLOADS, self.workload_of(job))

    def reconcile_with(self, job: Object, workload: Object) -> None:
        """Bring a job and its Workload in step."""
        suspended, admitted = is_suspended(job), is_true(workload, "Admitted")
        if is_true(workload, "Finished"):
            self.forget(workload)
        elif "deletionTimestamp" in workload["metadata"]:
            self.forget(workload) if suspended else self.hold(job, workload)
        elif is_over(job):
            succeeded = job["status"]["phase"] == "Succeeded"
            self.finish(
                workload, "Succeeded" if succeeded else "Failed", f"The training has {job['status']['phase']}"
            )
        elif not says_what_runs(workload, job):
            self.follow_pods(job, workload)
        elif may_change_class(workload) and not has_fields(workload, priority := self.priority_of(job)):
            self.change(workload, priority)
        elif is_true(workload, "Evicted"):
            if not suspended or has_additions(job, workload):
                self.hold(job, workload)
            elif is_true(workload, "QuotaReserved") and not is_active(job):
                self.require_current(job)
                self.release(workload)
        elif suspended and admitted:
            self.start(job, workload)
        elif not suspended and not admitted:
            self.hold(job, workload)
        elif suspended and not has_fields(workload, queue := queue_of(job)):
            self.change(workload, queue)

    def follow_pods(self, job: Object, workload: Object) -> None:
        """Change a waiting Workload; stop a job whose Workload holds quota for something else."""
        if not is_suspended(job):
            self.hold(job, workload)
        elif not is_true(workload, "QuotaReserved"):
            self.change(workload, self.workload_of(job)["spec"])
        elif not is_active(job):
            self.delete(workload)

    def workload_of(self, job: Object) -> Object:
        """Return the Workload of a job; its name is the same at each try, and another for a job that follows."""
        metadata = job["metadata"]
        identity = "\n".join((KIND, JOBS[0], metadata["name"], metadata["uid"]))
        digest = hashlib.sha1(identity.encode(), usedforsecurity=False).hexdigest()[:5]
        owner = {
            "apiVersion": job["apiVersion"],
            "kind": KIND,
            "name": metadata["name"],
            "uid": metadata["uid"],
        }
        return {
            "apiVersion": "/".join(WORKLOADS[:2]),
            "kind": "Workload",
            "metadata": {
                "name": f"training-{metadata['name']}"[: LONGEST_NAME - 6] + f"-{digest}",
                "namespace": metadata["namespace"],
                "labels": {JOB_UID_LABEL: metadata["uid"]},
                "annotations": parameters_of(job),
                "finalizers": [FINALIZER],
                "ownerReferences": [{**owner, "controller": True, "blockOwnerDeletion": True}],
            },
            "spec": {
                **queue_of(job),
                "podSets": pod_sets(job),
                **self.priority_of(job),
                **time_limit_of(job),
            },
        }

    def priority_of(self, job: Object) -> Object:
        """Return what the WorkloadPriorityClass of a job brings."""
        name = job["metadata"]["labels"].get(CLASS_LABEL)
        if name is None:
            return {}
        found = self.api.get_cluster_custom_object(*WORKLOADS[:2], "workloadpriorityclasses", name)
        reference = {"group": WORKLOADS[0], "kind": "WorkloadPriorityClass", "name": name}
        return {"priorityClassRef": reference, "priority": found["value"]}

    # Starting and stopping

    def start(self, job: Object, workload: Object) -> None:
        """Let the job run with exactly what the admission adds to its pods."""
        try:
            templates = [
                with_additions(pod_set["template"], self.additions(workload, assignment))
                for pod_set, assignment in zip(
                    pod_sets(job), workload["status"]["admission"]["podSetAssignments"], strict=True
                )
            ]
        except Conflict as conflict:
            self.finish(workload, "FailedToStart", str(conflict))
            return
        self.update(JOBS, with_templates(job, templates, suspend=False))

    def hold(self, job: Object, workload: Object | None) -> None:
        """Suspend the job, and give it back the pods that its user wrote."""
        wanted = workload["spec"]["podSets"] if workload else pod_sets(job)
        self.update(JOBS, with_templates(job, [one["template"] for one in wanted], suspend=True))

    def additions(self, workload: Object, assignment: Object) -> Iterator[Object]:
        """Yield what the flavors of a pod set add, then what each check adds."""
        for name in dict.fromkeys(assignment.get("flavors", {}).values()):
            spec = self.api.get_cluster_custom_object(*WORKLOADS[:2], "resourceflavors", name).get("spec", {})
            yield {"nodeSelector": spec.get("nodeLabels", {}), "tolerations": spec.get("tolerations", [])}
        for check in workload["status"].get("admissionChecks", []):
            for update in check.get("podSetUpdates", []):
                if update["name"] == assignment["name"]:
                    yield update

    def release(self, workload: Object) -> None:
        """Give the quota of an evicted Workload back: no pod of its job is left."""
        evicted = condition(workload, "Evicted")
        requeued = "True" if evicted["reason"] in REQUEUED_AT_ONCE else "False"
        message = evicted["message"]
        status = with_condition(workload, "QuotaReserved", "False", "Pending", message)
        status = with_condition(
            {**workload, "status": status}, "Requeued", requeued, evicted["reason"], message
        )
        if is_true(workload, "Admitted"):
            text = "The workload has no reservation"
            status = with_condition(
                {**workload, "status": status}, "Admitted", "False", "NoReservation", text
            )
        self.update_status(
            {**workload, "status": {name: status[name] for name in status if name != "admission"}}
        )

    def finish(self, workload: Object, reason: str, message: str) -> None:
        """Declare a Workload finished, once."""
        self.update_status(
            {**workload, "status": with_condition(workload, "Finished", "True", reason, message)}
        )

    # Writing

    def require_current(self, job: Object) -> None:
        """Raise ApiException where the Training has changed since: Workloads and Trainings come by two watches,
        and quota is free for others as soon as a Workload says so.
        """
        current = self.api.get_namespaced_custom_object(*address(JOBS, job))
        if current["metadata"]["resourceVersion"] != job["metadata"]["resourceVersion"]:
            raise ApiException(CONFLICT, "the Training has changed")

    def change(self, workload: Object, fields: Object) -> None:
        """Give the spec of a Workload other values of some fields."""
        self.update(WORKLOADS, {**workload, "spec": {**workload["spec"], **fields}})

    def create(self, where: tuple[str, str, str], body: Object) -> None:
        """Create an object; one that is there already was created by a try whose answer was lost."""
        group, version, plural = where
        self.api.create_namespaced_custom_object(group, version, body["metadata"]["namespace"], plural, body)

    def update(self, where: tuple[str, str, str], body: Object) -> None:
        """PUT an object; its resourceVersion makes the server refuse a decision about an older state."""
        self.api.replace_namespaced_custom_object(*address(where, body), body)

    def update_status(self, workload: Object) -> None:
        """PUT the status of a Workload."""
        self.api.replace_namespaced_custom_object_status(*address(WORKLOADS, workload), workload)

    def forget(self, workload: Object) -> None:
        """Take the finalizer off a Workload that holds nothing any more."""
        finalizers = workload["metadata"].get("finalizers", [])
        if FINALIZER in finalizers:
            others = [name for name in finalizers if name != FINALIZER]
            self.update(WORKLOADS, {**workload, "metadata": {**workload["metadata"], "finalizers": others}})

    def delete(self, workload: Object) -> None:
        """Delete a Workload that stands for no job."""
        self.forget(workload)
        if "deletionTimestamp" not in workload["metadata"]:
            self.api.delete_namespaced_custom_object(*address(WORKLOADS, workload))

    # Working

    def run(self) -> None:
        """Look at each Training when it or its Workload has changed, until `stop` is set.

        Raises what a watch has raised: without it the program would decide by what it saw last.
        """
        for where in (JOBS, WORKLOADS):
            threading.Thread(target=self.follow_or_fail, args=(where,), daemon=True).start()
        while not self.stop.is_set():
            self.changed.wait(self.next_pause())
            self.changed.clear()
            if len(self.listed) == len(self.known):
                for key in [key for key, when in [*self.due.items()] if when <= time.monotonic()]:
                    self.due.pop(key, None)
                    self.attempt(key)
        if self.failure is not None:
            raise self.failure

    def next_pause(self) -> float:
        """Return the seconds until something is due."""
        return max(0.01, min(self.due.values(), default=time.monotonic() + 1.0) - time.monotonic())

    def attempt(self, key: Key) -> None:
        """Reconcile one Training; what fails is tried again later and later, and holds up no other one."""
        try:
            self.reconcile(key)
        except (ApiException, HTTPError, OSError) as problem:
            if getattr(problem, "status", None) not in (NOT_FOUND, CONFLICT):
                print(f"{'/'.join(key)}: {problem}", flush=True)
            pause = self.pauses.get(key, FIRST_PAUSE)
            self.pauses[key] = min(LONGEST_PAUSE, 2 * pause)
            self.due.setdefault(key, time.monotonic() + pause)
        else:
            self.pauses.pop(key, None)

    def follow_or_fail(self, where: tuple[str, str, str]) -> None:
        """Follow a kind, and end the program with an error that the watch does not expect."""
        try:
            self.follow(where)
        except Exception as failure:  # noqa: BLE001 - it is raised again, in the main thread
            self.failure = failure
            self.stop.set()
            self.changed.set()

    def follow(self, where: tuple[str, str, str]) -> None:
        """List and watch a kind for ever; a watch that ends or is too old (410) begins again with a list."""
        group, version, plural = where
        list_all = self.api.list_cluster_custom_object
        while not self.stop.is_set():
            try:
                listed = list_all(group, version, plural)
                before, self.known[plural] = self.known[plural], {key_of(obj): obj for obj in listed["items"]}
                self.listed.add(plural)
                for obj in [*before.values(), *listed["items"]]:
                    self.enqueue(plural, obj)
                since = listed["metadata"]["resourceVersion"]
                which = {"resource_version": since, "timeout_seconds": 300}
                for event in watch.Watch().stream(list_all, group, version, plural, **which):
                    self.remember(plural, event["type"], event["object"])
            except (ApiException, HTTPError, OSError) as problem:
                if getattr(problem, "status", None) != GONE:
                    print(f"watching {plural}: {problem}", flush=True)
                    self.stop.wait(0.5)

    def remember(self, plural: str, event_type: str, obj: Object) -> None:
        """Remember what a watch tells, and look at it."""
        if event_type == "DELETED":
            self.known[plural].pop(key_of(obj), None)
        else:
            self.known[plural][key_of(obj)] = obj
        self.enqueue(plural, obj)

    def enqueue(self, plural: str, obj: Object) -> None:
        """Have the Training of an object looked at now."""
        key = key_of(obj) if plural == "trainings" else job_key(obj)
        if key is not None:
            self.due[key] = time.monotonic()
            self.changed.set()


def key_of(obj: Object) -> Key:
    """Return namespace and name."""
    return obj["metadata"]["namespace"], obj["metadata"]["name"]


def address(where: tuple[str, str, str], obj: Object) -> tuple[str, str, str, str, str]:
    """Return what the client wants to know of where an object is."""
    group, version, plural = where
    namespace, name = key_of(obj)
    return group, version, namespace, plural, name


def controller_of(workload: Object) -> Object:
    """Return the owner that controls a Workload; empty where none does."""
    owners = workload["metadata"].get("ownerReferences", [])
    return next((owner for owner in owners if owner.get("controller")), {})


def job_key(workload: Object) -> Key | None:
    """Return the Training of a Workload, None for the Workload of something else."""
    owner = controller_of(workload)
    ours = (owner.get("kind"), owner.get("apiVersion")) == (KIND, "/".join(JOBS[:2]))
    return (workload["metadata"]["namespace"], owner["name"]) if ours else None


def queue_of(job: Object) -> Object:
    """Return what the Workload says of its queue."""
    return {"queueName": job["metadata"]["labels"][QUEUE_LABEL]}


def time_limit_of(job: Object) -> Object:
    """Return for how long a job may run, where its label says a number of seconds."""
    seconds = job["metadata"]["labels"].get(TIME_LABEL, "")
    return {"maximumExecutionTimeSeconds": int(seconds)} if seconds.isdecimal() else {}


def parameters_of(job: Object) -> Object:
    """Return what a job says to checks that make ProvisioningRequests."""
    annotations = job["metadata"].get("annotations", {})
    return {name: value for name, value in annotations.items() if name.startswith(PARAMETERS)}


def may_change_class(workload: Object) -> bool:
    """Tell whether Kueue takes another class: a Workload that holds quota without one gets none."""
    return "priorityClassRef" in workload["spec"] or not is_true(workload, "QuotaReserved")


def has_fields(workload: Object, fields: Object) -> bool:
    """Tell whether the spec of a Workload has these values."""
    return all(workload["spec"].get(name) == value for name, value in fields.items())


def is_suspended(job: Object) -> bool:
    """Tell whether a job is held back."""
    return bool(job["spec"].get("suspend"))


def is_active(job: Object) -> bool:
    """Tell whether pods of a job are left."""
    return bool(job.get("status", {}).get("active"))


def is_over(job: Object) -> bool:
    """Tell whether a job has ended."""
    return job.get("status", {}).get("phase") in ("Succeeded", "Failed")


def pod_sets(job: Object) -> list[Object]:
    """Return what runs: a driver, and workers."""
    driver, workers = job["spec"]["driver"], job["spec"]["workers"]
    return [
        {"name": "driver", "count": 1, "template": driver["template"]},
        {"name": "workers", "count": workers["count"], "template": workers["template"]},
    ]


def with_templates(job: Object, templates: list[Object], *, suspend: bool) -> Object:
    """Return a job with other pods, held back or not."""
    driver, workers = templates
    spec = job["spec"]
    described = {
        "driver": {**spec["driver"], "template": driver},
        "workers": {**spec["workers"], "template": workers},
    }
    return {**job, "spec": {**spec, **described, "suspend": suspend}}


def says_what_runs(workload: Object, job: Object) -> bool:
    """Tell whether a Workload asks for what its job needs now: flavors and checks add no requests."""
    return [*map(amounts, workload["spec"]["podSets"])] == [*map(amounts, pod_sets(job))]


def has_additions(job: Object, workload: Object) -> bool:
    """Tell whether the pods of a job are other than its user wrote them: a user may suspend a job that runs."""
    written = [pod_set["template"] for pod_set in workload["spec"]["podSets"]]
    return [pod_set["template"] for pod_set in pod_sets(job)] != written


def amounts(pod_set: Object) -> Object:
    """Return what a pod set takes."""
    containers = pod_set["template"]["spec"]["containers"]
    return {
        "count": pod_set["count"],
        "requests": [(one["name"], one.get("resources", {}).get("requests")) for one in containers],
    }


def with_additions(template: Object, additions: Iterator[Object]) -> Object:
    """Return a pod template with what flavors and checks add. Raises Conflict."""
    metadata, pod = dict(template.get("metadata", {})), dict(template["spec"])
    for added in additions:
        for holder, field in ((metadata, "labels"), (metadata, "annotations"), (pod, "nodeSelector")):
            if added.get(field):
                holder[field] = together(field, holder.get(field, {}), added[field])
        new = [one for one in added.get("tolerations", []) if one not in pod.get("tolerations", [])]
        if new:
            pod["tolerations"] = [*pod.get("tolerations", []), *new]
    return {**template, "spec": pod, **({"metadata": metadata} if metadata else {})}


def together(field: str, ours: Object, theirs: Object) -> Object:
    """Return two mappings as one. Raises Conflict where they disagree."""
    for name in ours.keys() & theirs.keys():
        if ours[name] != theirs[name]:
            raise Conflict(f"{field}: {name} is {ours[name]!r} and {theirs[name]!r}")
    return {**ours, **theirs}


def condition(workload: Object, name: str) -> Object:
    """Return a condition, empty when there is none."""
    conditions = workload.get("status", {}).get("conditions", [])
    return next((one for one in conditions if one["type"] == name), {})


def is_true(workload: Object, name: str) -> bool:
    """Tell whether a condition is True."""
    return condition(workload, name).get("status") == "True"


def timestamp() -> str:
    """Return the present as the API writes it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")  # noqa: TID251 - a program of its own has no other clock


def with_condition(workload: Object, name: str, status: str, reason: str, message: str) -> Object:
    """Return the status of a Workload with a condition, whose time moves with its status only."""
    old = condition(workload, name)
    since = old["lastTransitionTime"] if old.get("status") == status else timestamp()
    new = {"type": name, "status": status, "reason": reason, "message": message, "lastTransitionTime": since}
    new["observedGeneration"] = workload["metadata"]["generation"]
    # A new Workload, which Kueue has not written yet, has no status.
    written = workload.get("status", {})
    others = [one for one in written.get("conditions", []) if one["type"] != name]
    return {**written, "conditions": [*others, new]}


def main() -> None:
    """Run until SIGTERM."""
    config.load_kube_config()
    integration = TrainingIntegration(client.CustomObjectsApi())
    signal.signal(signal.SIGTERM, lambda *_: (integration.stop.set(), integration.changed.set()))
    integration.run()


if __name__ == "__main__":
    main()
