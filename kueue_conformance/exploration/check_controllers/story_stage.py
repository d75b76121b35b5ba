"""Carries the acts of a story out on a cluster, and reads what the controller's entries say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...base.errors import UnmetPremise
from ...base.json_types import Json
from ...case.context import within
from ...history.fact import Fact
from ...stage import Queue, Stage
from ...stage.checks.check import Check
from ...stage.kueue.scripted_kueue import ScriptedKueue
from ...stage.making import manifests
from ...stage.subject.subject import Subject
from ...stage.workloads.workload import Workload
from .acts import FOR_ALL, FORMS, Act, Verb
from .check_stage import CheckStage
from .content import FIXED_PODS, SECTIONS
from .story import ALIKE, OTHER_CONTROLLERS, Story

_LARGE_BYTES = 60_000
"""An event of this size comes in several pieces, as TLS has no more than 16 KiB in one record."""
_TROUBLES = {
    "Error": "an error",
    "Nonsense": "nonsense",
    "UnknownState": "an unknown state",
    "Undecided": "no verdict",
}
_FIXED = "theirs"
_POD_SETS = ("main", "workers")


class StoryStage:
    """Acts as users, Kueue and the outside system; Workloads are made when they are submitted."""

    def __init__(self, stage: Stage, kueue: ScriptedKueue, subject: Subject, story: Story) -> None:
        self._stage = stage
        self._kueue = kueue
        self.subject = subject
        self._story = story
        half = len(story.foreign_checks) // 2
        before = [self._make_foreign(kind) for kind in story.foreign_checks[:half] if kind != ALIKE]
        self.checks = [CheckStage(subject, stage.names, kueue) for _ in range(story.checks)]
        behind = [kind for index, kind in enumerate(story.foreign_checks) if index >= half or kind == ALIKE]
        self.foreign: Sequence[Check] = [*before, *map(self._make_foreign, behind)]
        self._queue: Queue = stage.make_queue([*(check.check for check in self.checks), *self.foreign])
        self._queues = [self._queue] * story.workloads
        self.workloads = [
            Workload(stage.context, stage.namespace, stage.names.name("workload"))
            for _ in range(story.workloads)
        ]
        if story.namesakes:
            namespace = stage.make_namespace()
            self._queues[1] = stage.make_second_local_queue(self._queue, namespace=namespace)
            self.workloads[1] = Workload(stage.context, namespace, self.workloads[0].name)
        self._listed = [set(range(story.checks)) for _ in range(story.workloads)]
        self._decided: dict[tuple[int, int], tuple[str, Mapping[str, Any]]] = {}
        """What the outside system says, by the numbers of Workload and check."""
        self.had_trouble = False
        """Whether the outside system has answered what cannot be passed on."""
        self.excused = ""
        """The name of a Workload that the controller cannot serve for a while, empty where there is none."""
        self._work: Mapping[Workload, frozenset[str]] = {}
        """What tells the outside work of the last rest from any that is begun later."""
        self._annotations = 0
        self._acts: Mapping[Verb, Callable[[Workload, Act], object]] = {
            Verb.SUBMIT: self._submit,
            Verb.CREATE: self._create,
            Verb.RECREATE: self._submit,
            Verb.DECIDE: self._decide,
            Verb.TROUBLE: self._trouble,
            Verb.ANNOTATE: self._annotate,
            Verb.EXTEND: self._extend,
            Verb.EXPLAIN: lambda workload, _: kueue.explain_unadmitted(workload),
            Verb.NEIGHBOUR: self._answer_elsewhere,
            Verb.UNLIST: self._list,
            Verb.LIST: self._list,
            Verb.OVERWRITE: lambda workload, act: kueue.overwrite_verdict(workload, self._check(act)),
            Verb.DELETE: lambda workload, _: workload.delete(),
            Verb.EVICT: lambda workload, act: kueue.evict(workload, act.word or "Preempted"),
            Verb.RELEASE: lambda workload, _: kueue.release(workload),
            Verb.RESERVE: lambda workload, _: kueue.reserve(workload),
            Verb.REQUEUE: lambda workload, _: kueue.requeue(workload),
            Verb.CANCEL: lambda workload, _: kueue.cancel_reservation(workload),
            Verb.ADMIT: lambda workload, _: kueue.admit(workload),
            Verb.FINISH: lambda workload, act: kueue.finish(workload, well=not act.word),
            Verb.DEACTIVATE: lambda workload, _: workload.deactivate(),
            Verb.REACTIVATE: lambda workload, _: workload.reactivate(),
        }

    def carry_out(self, act: Act) -> None:
        """Carry out an act that is about a Workload, a check, or the outside system of all."""
        if act.verb in FOR_ALL:
            self._decide_all(act) if act.verb is Verb.DECIDE_ALL else self._fail_all()
            return
        if FORMS[act.verb].workload:
            self._acts[act.verb](self.workloads[act.workload - 1], act)
            return
        check = self.checks[act.check - 1]
        if act.verb is Verb.CREATE_CHECK:
            self._wait_until_gone(check.check.is_gone)
        check.carry_out(act)

    def rest(self) -> None:
        """Begin anew to look at what must not change while nothing happens to it."""
        for check in self.checks:
            check.rest()
        if self.subject.outside_work_is_visible:
            work = self.subject.work
            self._work = {workload: work.identity_of(workload) for workload in self.workloads}

    def forget_work(self) -> None:
        """Let work be begun anew: the controller may have read that its Workload was gone."""
        self._work = {}

    def has_same_work(self, workload: Workload) -> Fact:
        """Its outside work is that of the last rest, where it is known."""
        work = self.subject.work
        before = self._work.get(workload)
        return work.is_the_same(workload, work.identity_of(workload) if before is None else before)

    def carry_out_before_answer(self, act: Act) -> bool:
        """Carry an act out between a question about its Workload and the answer, which is the decision so
        far; return whether there was one. Where there was none it is carried out then.
        """
        known = {
            check: decided for (workload, check), decided in self._decided.items() if workload == act.workload
        }
        if not known or act.verb in (Verb.DECIDE, Verb.TROUBLE) or not self.subject.asks:
            self.carry_out(act)
            return False
        waits = [lambda: self.carry_out(act)]

        def happen() -> None:
            if waits:
                waits.pop()()

        workload = self.workloads[act.workload - 1]
        for check, (state, fields) in known.items():
            about: dict[str, Any] = {"about": workload, "check": self.checks[check - 1].check}
            self.subject.set_answer_after(happen, state, **about, **fields)
        context = self._stage.context
        context.cluster.wait(lambda: not waits, context.budgets.seconds("react"), context.react)
        was_asked = not waits
        happen()
        return was_asked

    def entries(self, workload: Workload) -> Sequence[Json]:
        """Return what the entries of the controller's checks say; None where there is none."""
        stored = self._stage.context.client.find("Workload", workload.name, workload.namespace) or {}
        listed = {entry["name"]: entry for entry in stored.get("status", {}).get("admissionChecks", [])}
        return [listed.get(check.check.name) for check in self.checks]

    def pod_sets(self, workload: Workload) -> Sequence[str]:
        """Return the names of the pod sets of a Workload."""
        stored = self._stage.context.client.find("Workload", workload.name, workload.namespace) or {}
        return [pod_set["name"] for pod_set in stored.get("spec", {}).get("podSets", [])]

    def _check(self, act: Act) -> Check:
        return self.checks[act.check - 1].check

    def _make_foreign(self, kind: str) -> Check:
        if kind == ALIKE:
            return self._stage.make_check_named_like(self.checks[0].check)
        if kind in OTHER_CONTROLLERS:
            controller = OTHER_CONTROLLERS[kind](self.subject.controller_name)
            return self._stage.make_check(active=False, controller=controller)
        return self._stage.make_check()

    def _create(self, workload: Workload, act: Act) -> None:
        index = act.workload - 1
        self._listed[index] = set()
        fields: dict[str, Any] = {"podSets": self._pod_sets()} if self._story.pod_sets else {}
        self._wait_until_gone(workload.is_gone)
        cpu = "" if act.word == "NoRequests" else "1"
        self._queues[index].submit(cpu=cpu, name=workload.name, **fields)

    def _submit(self, workload: Workload, act: Act) -> None:
        if workload.exists():
            workload.delete()
        self._create(workload, act)
        self._listed[act.workload - 1] = set(range(len(self.checks)))
        self._kueue.precheck_existing(workload, self._queue)

    def _wait_until_gone(self, is_gone: Callable[[], Fact]) -> None:
        """Wait until a name is free. Raises Nonconformance, or UnmetPremise where the controller was
        disturbed: one that is down takes its finalizer off later.
        """
        context = self._stage.context
        if not context.disturbed:
            within("cleanup", is_gone)
        elif not context.cluster.wait(
            lambda: bool(is_gone()), context.budgets.seconds("cleanup"), context.react
        ):
            raise UnmetPremise("undetermined: what was deleted is still there", hint="explore again")

    def _pod_sets(self) -> Sequence[Json]:
        """Return two pod sets, and one whose pods have values of their own for all that a verdict changes."""
        fields: dict[str, Any] = {"metadata": {}}
        for section in SECTIONS[:-1]:
            template = manifests.template_with(section, _FIXED)
            fields["metadata"] |= template.pop("metadata", {})
            fields |= template
        fixed = {"name": FIXED_PODS, "count": 1, "template": manifests.pod_template({"cpu": "1m"}, **fields)}
        return [*self._stage.pod_sets(*_POD_SETS), fixed]

    def _decide(self, workload: Workload, act: Act) -> None:
        self.had_trouble |= act.content.is_wrong
        answer = act.content.answer(self.pod_sets(workload))
        self._decided[act.workload, act.check] = act.word, answer
        self.subject.set_answer(act.word, about=workload, check=self._check(act), **answer)

    def _decide_all(self, act: Act) -> None:
        """Turn the switch, or those of the namespaces where it holds for one namespace."""
        for workload in {workload.namespace: workload for workload in self.workloads}.values():
            self.subject.set_answer(act.word, about=workload, **act.content.answer(()))

    def _fail_all(self) -> None:
        self.had_trouble = True
        self.subject.fail_answers()

    def _trouble(self, workload: Workload, act: Act) -> None:
        self.had_trouble = True
        self._decided.pop((act.workload, act.check), None)
        self.subject.set_trouble(_TROUBLES[act.word], about=workload, check=self._check(act))

    def _list(self, workload: Workload, act: Act) -> None:
        self._listed[act.workload - 1] ^= {act.check - 1}
        listed = [self.checks[index].check for index in self._listed[act.workload - 1]]
        self._kueue.list_checks(workload, *listed, *self.foreign)

    def _annotate(self, workload: Workload, act: Act) -> None:
        self._annotations += 1
        padding = "x" * _LARGE_BYTES if act.word else ""
        workload.annotate("example.com/note", f"{self._annotations}{padding}")

    def _extend(self, workload: Workload, _: Act) -> None:
        self._kueue.set_other_status_fields(workload)
        self._kueue.set_unknown_condition(workload)

    def _answer_elsewhere(self, workload: Workload, act: Act) -> None:
        changes = {"updates": self._stage.pod_updates()} if act.word == "Ready" else {"delay": 60}
        for check in self.foreign:
            check.answer(workload, act.word, message=self._stage.names.message(), **changes)
