"""Executes the steps: the only writer of the provisioning check (PA-155…157, PA-120…126)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from reference_impl.api.kinds import POD_TEMPLATES, WORKLOADS
from reference_impl.api.resource import Json, Key, key_of
from reference_impl.api.shortening import shorten
from reference_impl.kueue.workload.view import Workload
from reference_impl.runtime.client import Client
from reference_impl.runtime.clock import Clock
from reference_impl.runtime.controller import RequeueAfter
from reference_impl.runtime.errors import ApiError
from reference_impl.runtime.log import Logger
from reference_impl.runtime.metrics import Registry
from reference_impl.runtime.recorder import Recorder
from reference_impl.runtime.write_through_cache import WriteThroughCache

from . import messages, metric_definitions
from .request import Request
from .rules import ProvisioningRules
from .steps import (
    CreateRequest,
    CreateTemplates,
    DeleteRequest,
    Fail,
    ReportChecks,
    RequeueLater,
    StateChange,
    Step,
    Template,
    TransferTemplates,
    WriteChecks,
)
from .templates import OwnedByAnotherError

CREATED: Final = "ProvisioningRequestCreated"
UPDATED: Final = "AdmissionCheckUpdated"
FAILED_CREATE: Final = "FailedCreate"


class RefusedError(Exception):
    """An object could not be created; users were told, and it is tried again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepExecutor:
    """Executes the steps of `provisioning/decide`; holds the clients and stores that they need."""

    rules: ProvisioningRules
    client: Client
    clock: Clock
    recorder: Recorder
    metrics: Registry
    log: Logger
    workloads: WriteThroughCache
    requests: WriteThroughCache
    templates: WriteThroughCache

    async def do(self, workload: Workload, steps: Sequence[Step]) -> RequeueAfter | None:
        """Do one step after another; those after one that failed are done too, and all is tried again.

        Raises ApiError where an answer could not be written:
        the others would be made from what is no longer so.
        """
        retry: RequeueAfter | None = None
        failures: list[str] = []
        for step in steps:
            match step:
                case WriteChecks():
                    # Later steps start from the answer: their preconditions are of the
                    # revision that this write made.
                    workload = await self._write(workload, step)
                case ReportChecks(changes):
                    for change in changes:
                        self._tell_change(workload, change)
                case RequeueLater(after):
                    retry = RequeueAfter(after)
                case Fail(message):
                    failures.append(message)
                case _:
                    workload = await self._attempt(workload, step, failures)
        for message in filter(None, failures):
            self.log.warning("tried again", workload=workload.key, problem=message)
        return RequeueAfter() if failures else retry

    async def _attempt(self, workload: Workload, step: Step, failures: list[str]) -> Workload:
        """Do a step that may fail for itself; return the Workload after it."""
        try:
            match step:
                case DeleteRequest(request):
                    await self._delete(request)
                case CreateRequest():
                    return await self._create(workload, step, failures)
                case CreateTemplates(request, templates):
                    for template in templates:
                        await self._template(template, request)
                case TransferTemplates(_, templates):
                    await self._update(templates)
        except ApiError as error:
            if not error.is_not_found:
                # A conflict is nothing to tell: the newer revision is on its way.
                failures.append("" if error.is_conflict else str(error))
        except OwnedByAnotherError as error:
            failures.append(str(error))
        return workload

    async def _write(self, workload: Workload, step: WriteChecks) -> Workload:
        status = {"admissionChecks": list(step.entries)}
        if step.requeue is not None:
            status["requeueState"] = step.requeue
        written = await self._apply(workload, status)
        # After the write: what was refused was no change.
        for change in step.changes:
            self.metrics.increment(metric_definitions.ANSWERS, change.check, change.after)
            self._tell_change(workload, change)
        return written

    async def _apply(self, workload: Workload, status: Json) -> Workload:
        """Apply a part of the status on the revision that was seen (PA-008, PA-155)."""
        # With the revision: another controller may have changed its own entry, and an
        # apply of the whole list would take that back.
        metadata = {name: workload.metadata[name] for name in ("name", "namespace", "uid", "resourceVersion")}
        body = {
            "apiVersion": WORKLOADS.api_version,
            "kind": WORKLOADS.kind,
            "metadata": metadata,
            "status": status,
        }
        manager = messages.CONTROLLER_NAME
        answer = await self.client.apply(WORKLOADS, body, manager=manager, subresource="status")
        return Workload(self.workloads.record_write(answer))

    def _tell_change(self, workload: Workload, change: StateChange) -> None:
        if self.rules.reports_states:
            note = messages.state_changed(change.check, change.before, change.after, change.message)
            self.recorder.normal(workload.object, UPDATED, note)

    async def _delete(self, request: Request) -> None:
        # By uid: the next attempt may have the same name.
        await self.client.delete(self.rules.request_resource, request.key, uid=request.uid)

    async def _create(self, workload: Workload, step: CreateRequest, failures: list[str]) -> Workload:
        """Make templates and request, and have the templates belong to it;
        say what was refused (PA-057, PA-124).
        """
        templates: list[Json] = list(step.present)
        name = step.object["metadata"]["name"]
        try:
            if not step.is_request_first:
                templates += await self._templates(step.templates)
            request = Request(await self._request(step.object))
        except RefusedError as refused:
            failures.append(str(refused))
            return await self._tell_refusal(workload, step.check, str(refused))
        self.metrics.increment(metric_definitions.REQUESTS, step.check, request.class_name)
        self.recorder.normal(workload.object, CREATED, messages.request_created(name), action="Created")
        if step.is_request_first:
            for template in step.templates:
                await self._template(template, request)
            return workload
        changed = (self.rules.transfer_template(template, request, workload) for template in templates)
        await self._update(template for template in changed if template is not None)
        return workload

    async def _templates(self, templates: Iterable[Template]) -> list[Json]:
        created = []
        for template in templates:
            if template.problem:
                raise RefusedError(messages.not_created(POD_TEMPLATES.kind, template.name, template.problem))
            try:
                created.append(self.templates.record_write(await self._hand_over(template)))
            except ApiError as error:
                exists = self.templates.get(key_of(template.object)) is not None
                if error.is_conflict or (error.is_already_exists and not exists):
                    raise  # it was made or changed a moment ago
                raise RefusedError(
                    messages.not_created(POD_TEMPLATES.kind, template.name, error.message)
                ) from None
        return created

    async def _hand_over(self, template: Template) -> Json:
        if template.replaces is None:
            return await self.client.create(POD_TEMPLATES, template.object)
        revision = template.replaces["metadata"]["resourceVersion"]
        metadata = {**template.object["metadata"], "resourceVersion": revision}
        return await self.client.update(POD_TEMPLATES, {**template.object, "metadata": metadata})

    async def _request(self, obj: Json) -> Json:
        resource = self.rules.request_resource
        try:
            return self.requests.record_write(await self.client.create(resource, obj))
        except ApiError as error:
            if error.is_already_exists and self.requests.get(key_of(obj)) is None:
                raise  # PA-125
            name = obj["metadata"]["name"]
            raise RefusedError(messages.not_created(resource.kind, name, error.message)) from None

    async def _template(self, template: Template, request: Request) -> None:
        """Make a template that belongs to a request from the start (DK-13, DK-14)."""
        if template.problem:
            raise OwnedByAnotherError(template.problem)
        bare = {**template.object, "metadata": {**template.object["metadata"], "ownerReferences": []}}
        owned = self.rules.transfer_template(bare, request, Workload(request.object))
        self.templates.record_write(await self.client.create(POD_TEMPLATES, owned))

    async def _update(self, templates: Iterable[Json]) -> None:
        for template in templates:
            self.templates.record_write(await self.client.update(POD_TEMPLATES, template))

    async def _tell_refusal(self, workload: Workload, check: str, text: str) -> Workload:
        """Say in the check and in an event what could not be made; only this check is written (PA-156)."""
        if not self.rules.reports_errors:
            return workload
        self.recorder.warning(workload.object, FAILED_CREATE, text)
        entry = next(entry for entry in workload.checks.entries if entry["name"] == check)
        message = shorten(text, messages.LONGEST_MESSAGE)
        failed_entry = self.rules.report_failure(entry, message, self.clock.now())
        return (
            workload
            if failed_entry is None
            else await self._apply(workload, {"admissionChecks": [failed_entry]})
        )


def key_of_owner(request: Json) -> Key | None:
    """Return the Workload that controls a request, as far as events of requests are followed (PC-06)."""
    owners = request["metadata"].get("ownerReferences") or ()
    controller = next((owner for owner in owners if owner.get("controller")), None)
    if controller is None or controller["kind"] != WORKLOADS.kind:
        return None
    if controller["apiVersion"].partition("/")[0] != WORKLOADS.group:
        return None
    return Key(request["metadata"]["namespace"], controller["name"])
