"""Runs a story of jobs once, and says what was not allowed in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from ...base.errors import UnmetPremise
from ...case.context import CaseContext
from ...case.failure_text import story_of, under
from ...history.story import SUBJECT
from ...run import Run
from ...scenarios.dialect import Dialect
from ...stage import Stage
from ...stage.integration.integration import Integration
from ...stage.making.drawn_names import DrawnNames
from ...stage.making.names import Names
from ..disturbance import Interruption, interruption
from ..judgement import broken_rule
from ..perturbation import Perturbation
from ..state_changes import WORKLOADS, StateReader
from ..story import UNREST, Breach, RunResult
from ..subject_story_run import run_story
from .acts import Act, Verb
from .job_states import jobs_of
from .model import Contradiction, State, contradictions
from .story import Story
from .story_stage import StoryStage


class StoryRunner:
    """Runs stories on the integration of a run, each in a namespace of its own."""

    def __init__(
        self,
        run: Run,
        dialect: Dialect,
        seed: int,
        installed: Callable[[], AbstractContextManager[object]] = nullcontext,
        known_breaches: tuple[str, ...] = (),
    ) -> None:
        self._run = run
        self._dialect = dialect
        self._seed = seed
        self._runs = count(1)
        self._installed = installed
        """Surrounds each run: what the integration is changed by, in this process."""
        self._known_breaches = known_breaches
        """The safety rules that are not judged."""

    def run(
        self, story: Story, perturbation: Perturbation | None = None, *, patient: bool = True
    ) -> RunResult:
        """Run a story; the integration is running at its beginning, and at its end.

        Unless it is `patient`, what is missing when everything is at rest is a breach at once.
        """
        lent = self._run.case_context(self._dialect, "explore", log=Path(os.devnull))
        with self._installed(), lent as context:
            context.about = replace(context.about, permits=self._known_breaches)
            # The log of the integration goes nowhere: a refused write is what a perturbation is for.
            stage = Stage(context, self._names(story))
            assert context.subject is not None, "the profile needs one"
            assert context.subject.job_kind is not None, "its options were checked"
            kind = context.subject.job_kind
            integration = Integration(context, context.subject, kind, stage.names, stage.namespace)
            story_stage = StoryStage(stage, integration, kind, story)
            program = _RestartedIntegration(integration, context)
            disturbance = interruption(perturbation, context, context.cluster.faults, program)
            try:
                return run_story(StoryRun(context, story_stage, disturbance, patient), story)
            finally:
                disturbance.end()

    def _names(self, story: Story) -> Names:
        name = f"explore {next(self._runs)}"
        if story.drawn_names:
            return DrawnNames("explore", self._run.uid, name, self._seed, drawn_values=[])
        return Names("explore", self._run.uid, name, self._seed)


@dataclass(frozen=True, slots=True)
class _RestartedIntegration:
    """The integration as the program that an interruption ends and starts."""

    integration: Integration
    context: CaseContext

    def restart(self) -> None:
        """Kill it, and start it when a moment has passed."""
        with self.stopped():
            self.context.cluster.passes(self.context.budgets.seconds("quiet"), self.context.react)

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Kill it, and start it after a block."""
        # SIGKILL: an integration that ends in order could write what it still holds.
        self.integration.kill()
        try:
            yield
        finally:
            self.integration.start()


@dataclass(frozen=True, slots=True)
class StoryRun:
    """One run: the acts in order, a judgement at each rest, and that of the safety rules at the end."""

    context: CaseContext
    stage: StoryStage
    disturbance: Interruption
    is_patient: bool

    def carry_out(self, number: int, act: Act) -> Breach | None:
        """Carry an act out; return what was not allowed at a wait."""
        if act.verb is Verb.SETTLE:
            return self._rest(f"after act {number}")
        if act.verb is Verb.IDLE:
            return self._rest(f"before act {number}") or self._idle(f"in act {number}")
        with self.disturbance.around(number):
            self.stage.carry_out(act)
        return None

    def judge_end(self) -> Breach | None:
        """Return what was not allowed at the end, or in the whole story."""
        if breach := self._rest("at the end", is_last=True) or self._idle("at the end"):
            return breach
        self.context.end()
        return broken_rule(self.context)

    def _rest(self, when: str, *, is_last: bool = False) -> Breach | None:
        """Wait until all is as it should be, with pods of suspended jobs and then without, and at rest."""
        if breach := self._await(when, is_last=is_last):
            return breach
        if not self.stage.end_pods():
            return None
        return self._await(f"{when}, when pods have ended", is_last=is_last)

    def _await(self, when: str, *, is_last: bool) -> Breach | None:
        context = self.context
        if is_last or context.budgets.virtual:
            context.rest()
        seconds = context.budgets.seconds("recover" if context.disturbed else "react")
        has_patience = self.is_patient or context.budgets.virtual or bool(context.disturbed)
        if self._contradictions() and has_patience:
            context.cluster.wait(lambda: not self._contradictions(), seconds, context.react)
            if self._contradictions() and context.cluster.was_wait_too_short:
                raise UnmetPremise("undetermined: the machine is busy", hint="use one with less other work")
            # What is on its way arrives before everything is at rest.
            context.rest()
        elif not is_last and not context.budgets.virtual:
            # In real time a rest takes seconds: the last one shows what is late.
            context.cluster.passes(context.budgets.seconds("quiet"), context.react)
        wrong = self._contradictions()
        return self._breach(wrong[0], when) if wrong else None

    def _idle(self, when: str) -> Breach | None:
        """Let a while pass, in which an integration that is right writes nothing."""
        before = self.writes
        self.context.cluster.passes(self.context.budgets.seconds("steady"), self.context.react)
        written = self.writes - before
        if not written:
            return None
        lines = [
            *under("expected", [f"the integration writes nothing while nothing happens ({when})"]),
            *under("observed", [f"{written} write(s)"]),
        ]
        return Breach(cause=UNREST, text="\n".join([*lines, *story_of(self.context, lines)]))

    def _contradictions(self) -> Sequence[Contradiction]:
        client, stage = self.context.client, self.stage
        # From the server, and not from the recorded story: on a real one a watch may be late.
        documents = {name: job.object for name, job in stage.jobs.items()}
        flavors = [
            client.find("ResourceFlavor", flavor)
            for queue in stage.queues.values()
            for flavor in queue.flavors
        ]
        namespace = next(iter(stage.queues.values())).namespace
        state = State(
            fields=stage.kind.fields,
            jobs={name: document for name, document in documents.items() if document},
            wishes=stage.wishes,
            workloads=client.list("Workload", namespace),
            world={
                ("ResourceFlavor", "", flavor["metadata"]["name"]): flavor for flavor in flavors if flavor
            },
            tells_readiness="PodsReady" in stage.kind.options.capabilities,
        )
        return [*contradictions(state)]

    def _breach(self, contradiction: Contradiction, when: str) -> Breach:
        lines = [
            *under("expected", [f"{contradiction.name}: {contradiction.expected} ({when})"]),
            *under("observed", [f"{contradiction.name}: {contradiction.observed}"]),
        ]
        text = "\n".join([*lines, *story_of(self.context, lines)])
        return Breach(cause=f"model:{contradiction.statement}", text=text)

    @property
    def state_readers(self) -> Sequence[StateReader]:
        """The states of jobs and of Workloads."""
        return jobs_of(self.stage.kind.fields), WORKLOADS

    @property
    def writes(self) -> int:
        """How many writes of jobs and Workloads there were so far."""
        # Events and Leases are written by a clock of their own.
        return sum(
            change.actor == SUBJECT and change.kind in ("Workload", self.stage.kind.kind)
            for change in self.context.cluster.recorder.changes()
        )
