"""What a subject still holds outside at the end of a case, for Workloads that need it no more."""

from __future__ import annotations

from collections.abc import Iterator

from ..history.story import Change, UnreleasedWork
from ..rules.check_controller.outside_work import reason_to_release
from ..subject.outside_work import OutsideWork, WorkloadIdentity, WorkSources
from ..subject.running_subject import RunningSubject
from .context import CaseContext


def unreleased_work(context: CaseContext, *, patient: bool = True) -> tuple[UnreleasedWork, ...]:
    """Return the work that is not released within the time that a clean-up has; `patient` waits for that.

    Nothing where no subject runs at the end, or its subject file does not show its work.
    """
    subject = context.subject
    if subject is None or subject.outside_work is None or not subject.up:
        return ()
    work = subject.outside_work
    held: list[UnreleasedWork] = []

    def is_released() -> bool:
        held[:] = _held(context, subject, work)
        return not held

    context.cluster.wait(is_released, context.budgets.seconds("cleanup") if patient else 0.0, lambda: False)
    return tuple(held)


def _held(context: CaseContext, subject: RunningSubject, work: OutsideWork) -> Iterator[UnreleasedWork]:
    checks, newest, uids = _case_objects(context, subject.controller_name)
    sources = WorkSources(client=context.client, claims=subject.claims, kubeconfig=context.cluster.kubeconfig)
    for change in newest:
        # What the cluster deletes with its owner is not the subject's to release.
        if change.after is None and work.needs_garbage_collection:
            continue
        row = reason_to_release(change.after, checks)
        identity = WorkloadIdentity(
            namespace=change.namespace, name=change.name, uids=uids[change.namespace, change.name]
        )
        if row and (items := work.items(identity, sources)):
            yield UnreleasedWork(
                at=change.at,
                revision=change.revision,
                namespace=change.namespace,
                name=change.name,
                row=row,
                noun=work.noun,
                items=[item.name for item in items],
            )


def _case_objects(
    context: CaseContext, controller: str
) -> tuple[frozenset[str], list[Change], dict[tuple[str, str], frozenset[str]]]:
    """Return the controller's checks, the newest change of each Workload, and the uids that each has had."""
    checks: set[str] = set()
    newest: dict[tuple[str, str], Change] = {}
    uids: dict[tuple[str, str], frozenset[str]] = {}
    for change in context.cluster.recorder.changes():
        state = change.after or change.before or {}
        if change.kind == "AdmissionCheck" and state["spec"].get("controllerName") == controller:
            checks.add(change.name)
        if change.kind == "Workload" and context.client.owns("Workload", change.namespace, change.name):
            key = (change.namespace, change.name)
            newest[key] = change
            uids[key] = uids.get(key, frozenset()) | {state["metadata"]["uid"]}
    return frozenset(checks), [*newest.values()], uids
