"""Queues with provisioning checks: checks, their configurations, and what submits to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ...base.json_types import Json
from ...case.context import CaseContext, within
from ...history.fact import Fact
from ..answer import Answer, try_request
from ..checks.check import Check
from ..making.api_objects import ApiObject
from ..queues.queue import Queue
from ..requests.pod_template import PodSetOnFlavor, PodTemplate
from ..requests.provisioning_request import KIND
from ..stage import Stage
from ..subject.check_names import CheckNames
from ..subject.faults import Disturbance
from ..workloads.workload import Workload
from . import check as made
from .autoscaler import Autoscaler
from .check import CONFIG, ProvisioningCheck

CONTROLLER = "kueue.x-k8s.io/provisioning-request"
MISSING_UID = "00000000-0000-4000-8000-000000000000"
"""The uid of an object that does not exist."""


class Provisioning:
    """Makes them for the judged program: the one in Kueue, or a subject that makes ProvisioningRequests."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._context: CaseContext = stage.context
        subject = self._context.subject
        self.controller = subject.controller_name if subject is not None else CONTROLLER
        self._check_names = CheckNames(stage.names, subject.check_name if subject is not None else "")

    def make_config(self, **spec: Any) -> str:
        """Create a configuration, and return its name; see `provisioning.check.config` for the arguments."""
        name = self._stage.names.name("config")
        self._stage.client.create(made.config(name, **spec))
        return name

    def make_active_check(self, *, name: str = "", **config: Any) -> ProvisioningCheck:
        """Make an AdmissionCheck with a configuration of its own,
        and wait until its controller has made it Active.
        """
        check = self.make_check_without_config(name=name, **config)
        self._stage.client.create(made.config(check.config, **config))
        within("react", check.is_active)
        return check

    def make_check_without_config(self, *, name: str = "", **_: Any) -> ProvisioningCheck:
        """Make an AdmissionCheck whose configuration does not exist."""
        config = self._stage.names.name("config")
        return self.make_check_with(made.reference(config), name=name, config=config)

    def make_check_with(self, parameters: Json, *, name: str = "", config: str = "") -> ProvisioningCheck:
        """Make an AdmissionCheck with this reference, good or bad."""
        name = self._check_names.take(name)
        self._stage.client.create(made.check(name, self.controller, parameters))
        return ProvisioningCheck(self._context, name, config)

    def reference(self, config: str, **wrong: str) -> Json:
        """Return a reference to a configuration, with another `group` or `kind` where that is given."""
        return made.reference(config, **wrong)

    def make_queue(self, *other_checks: Check, cpu: str = "10", queue: Any = None, **config: Any) -> Queue:
        """Make a queue that requires a provisioning check,
        and the checks of others; `config` configures the first one.
        """
        return self._stage.make_queue(
            [self.make_active_check(**config), *other_checks], cpu=cpu, **(queue or {})
        )

    def pod_set_on(self, flavor: str, pod_set: Json, *tolerations: Json) -> PodSetOnFlavor:
        """Return a podSet with what its flavor brings to its pods: its node label, and these tolerations."""
        return PodSetOnFlavor(pod_set, flavor, self._stage.node_selector(flavor), tolerations)

    def submit_until_requested(self, queue: Queue, form: Any = "workload", **spec: Any) -> Workload:
        """Submit something to a queue, and wait until a request for its first check exists."""
        workload = queue.submit(form, **spec)
        within("react", workload.request(queue.checks[0]).exists)
        return workload

    def has_admitted(self, workloads: Sequence[Workload], count: int) -> Fact:
        """Exactly so many of these are admitted; they are read at once."""
        workload_objects = self._stage.client.list("Workload", self._stage.namespace)
        true = {
            workload["metadata"]["name"]
            for workload in workload_objects
            for condition in (workload.get("status") or {}).get("conditions") or ()
            if condition["type"] == "Admitted" and condition["status"] == "True"
        }
        admitted_count = sum(workload.name in true for workload in workloads)
        return Fact(
            admitted_count == count,
            f"{count} of {len(workloads)} Workloads are admitted",
            f"{admitted_count} are",
        )

    def shows_message(self, workload: Workload, check: Check, text: str) -> Fact:
        """The entry of a check tells what an autoscaler said: exactly, where Kueue's own check is judged;
        within a text of its own, where a subject is.
        """
        is_exact = self._context.subject is None
        return (
            workload.has_entry_message(check, text)
            if is_exact
            else workload.has_entry_message_containing(check, text)
        )

    def try_to_make_config(self, **spec: Json) -> Answer:
        """Try to create a configuration with exactly these fields; return the server's answer."""
        manifest = {"kind": CONFIG, "metadata": {"name": self._stage.names.name("config")}, "spec": spec}
        return try_request(lambda: self._stage.client.create(manifest))

    def store_config(self, **spec: Json) -> Json:
        """Make a configuration with exactly these fields, and return its spec as the server keeps it."""
        name = self._stage.names.name("config")
        return self._stage.client.create({"kind": CONFIG, "metadata": {"name": name}, "spec": spec})["spec"]

    def try_to_make_empty_config(self, name: str) -> Answer:
        """Try to create a configuration without a spec; return the server's answer."""
        return try_request(lambda: self._stage.client.create({"kind": CONFIG, "metadata": {"name": name}}))

    # What other clients make

    def make_foreign_request(
        self, name: str, *, owner: str = "", uid: str = "", kind: str = "ConfigMap", class_name: str = "any"
    ) -> ApiObject:
        """Make a request as another client would, owned by an object of this name if one is named, but not
        controlled by it.
        """
        group = {"Workload": "kueue.x-k8s.io/v1beta2"}.get(kind, "v1")
        reference = {"apiVersion": group, "kind": kind, "name": owner, "uid": uid or MISSING_UID}
        spec = {
            "provisioningClassName": class_name,
            "podSets": [{"podTemplateRef": {"name": "somebodys"}, "count": 1}],
        }
        metadata = {
            "name": name,
            "namespace": self._stage.namespace,
            **({"ownerReferences": [reference]} if owner else {}),
        }
        self._stage.client.create({"kind": KIND, "metadata": metadata, "spec": spec})
        return ApiObject(self._context, KIND, name, self._stage.namespace)

    def owner_fields_of(self, workload: Workload) -> Mapping[str, str]:
        """Return who owns a request of another client: a Workload that exists, so that no garbage collection
        takes it away.
        """
        return {"owner": workload.name, "uid": workload.object["metadata"]["uid"], "kind": "Workload"}

    def make_foreign_template(self, name: str) -> str:
        """Make a PodTemplate as another client would, and return its uid."""
        metadata = {"name": name, "namespace": self._stage.namespace}
        pods = {"spec": {"containers": [{"name": "any", "image": "registry.k8s.io/pause:3.10"}]}}
        created = self._stage.client.create({"kind": "PodTemplate", "metadata": metadata, "template": pods})
        return str(created["metadata"]["uid"])

    def make_controlled_template(self, name: str, queue: Queue) -> PodTemplate:
        """Make a PodTemplate that a LocalQueue controls, as if another client had made it for that."""
        namespace = self._stage.namespace
        local_queue = self._stage.client.get("LocalQueue", queue.name, namespace)
        owner = {
            "apiVersion": local_queue["apiVersion"],
            "kind": "LocalQueue",
            "name": queue.name,
            "uid": local_queue["metadata"]["uid"],
            "controller": True,
        }
        self.make_foreign_template(name)
        owned = {"metadata": {"ownerReferences": [owner]}}
        self._stage.client.merge("PodTemplate", name, owned, namespace=namespace)
        return PodTemplate(self._context, namespace, name)

    def provision_in_turn(self, autoscaler: Autoscaler, check: Check, *workloads: Workload) -> None:
        """Provide for every Workload in turn that has a request,
        and have it finish, until each was admitted.
        """
        for _ in workloads:
            within("requeue", lambda: _is_any_asked_for(check, workloads))
            # With its quota reserved, so that Kueue keeps the request.
            chosen = _workloads_asked_for(check, workloads)[0]
            autoscaler.provision(chosen.request(check))
            within("admit", chosen.is_admitted)
            chosen.finish()

    # How the controller is operated

    def restart(self, after: Disturbance | None = None) -> None:
        """End it and start it again, at once or `after` a disturbance of it has struck or has nothing more to
        strike; that is over then.
        """
        if after is not None:
            self._context.cluster.passes(self._context.budgets.seconds("settle"), self._context.react)
        with self.without_controller():
            if after is not None:
                after.remove_all()

    @contextmanager
    def without_controller(self) -> Iterator[None]:
        """Stop the controller for the block: the subject, or Kueue with it."""
        running = self._context.subject
        if running is None:
            with self._stage.without_control_plane():
                yield
            return
        running.up[0].dies(self._context.cluster)
        yield
        running.start(self._context.cluster)


def _workloads_asked_for(check: Check, workloads: Sequence[Workload]) -> list[Workload]:
    return [
        workload
        for workload in workloads
        if workload.is_prechecked() and workload.request(check).is_unanswered()
    ]


def _is_any_asked_for(check: Check, workloads: Sequence[Workload]) -> Fact:
    names = [workload.name for workload in _workloads_asked_for(check, workloads)]
    return Fact(bool(names), "one of the Workloads has a ProvisioningRequest without an answer", f"{names}")
