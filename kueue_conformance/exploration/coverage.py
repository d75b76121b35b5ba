"""What an exploration has drawn and seen, and what of its vocabulary it has not, and why (pure)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..states import Machine
from .perturbation import Perturbation, PerturbationKind
from .state_changes import StateChanges
from .story import RunResult, Story

NOT_DECLARED, NOT_DRAWN, NOT_MET = (
    "not possible for this program",
    "not drawn",
    "drawn and not met",
)
"""Why something was never seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """Everything that the stories of a program can have, and that a run can show."""

    acts: Sequence[str] = ()
    """Acts by verb, and by their word where they have one, such as `decide Retry`."""
    waits: Collection[str] = ()
    """The verbs at which no perturbation begins."""
    kinds: Sequence[PerturbationKind] = ()
    machines: Sequence[Machine] = ()
    impossible: Mapping[str, str] = field(default_factory=dict)
    """The acts and kinds of perturbation that are never drawn for this program, with the reason."""
    causes: Mapping[tuple[str, str], Sequence[str]] = field(default_factory=dict)
    """By machine and state: the acts that lead there."""

    @property
    def verbs(self) -> Sequence[str]:
        """The verbs at which a perturbation can begin."""
        return [*dict.fromkeys(verb for verb in map(verb_of, self.acts) if verb not in self.waits)]


def verb_of(act: str) -> str:
    """Return the verb of an act with a word, such as `decide` of `decide Retry`."""
    return act.partition(" ")[0]


@dataclass(frozen=True, slots=True)
class Unseen:
    """Something of the vocabulary that was never seen: its section, its name, and why; `reason` is one of
    the three above, `why` says more.
    """

    section: str
    name: str
    reason: str
    why: str


@dataclass(frozen=True, slots=True)
class Section:
    """A row of the summary: how many were seen, of how many (0 where that has no number), and how often."""

    name: str
    covered: int
    total: int
    times: int


@dataclass(slots=True)
class Coverage:
    """What was run: acts, perturbations by the act at which they began, and changes of state."""

    stories: int = 0
    runs: int = 0
    undetermined: int = 0
    acts: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By verb and kind of perturbation: how often it happened."""
    unmet_pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    """The same where it met no request."""
    changes: StateChanges = field(default_factory=StateChanges)

    @property
    def perturbations(self) -> Counter[str]:
        """How often each kind of perturbation happened."""
        return _by_kind(self.pairs)

    @property
    def unmet(self) -> Counter[str]:
        """How often each kind of perturbation met no request."""
        return _by_kind(self.unmet_pairs)

    def count(self, story: Story, perturbation: Perturbation | None, result: RunResult) -> None:
        """Count one run."""
        self.runs += 1
        self.undetermined += bool(result.undetermined)
        self.acts.update(act.form for act in story.acts)
        self.changes.add(result.changes_of_state)
        if perturbation is not None:
            # By the verb alone: with each word there were as many pairs as no exploration runs.
            verb = str(story.acts[perturbation.act - 1].verb)
            (self.pairs if result.was_met else self.unmet_pairs)[verb, perturbation.kind.name] += 1

    def add(self, other: Coverage) -> None:
        """Count what another exploration has run as well."""
        self.stories += other.stories
        self.runs += other.runs
        self.undetermined += other.undetermined
        self.acts.update(other.acts)
        self.pairs.update(other.pairs)
        self.unmet_pairs.update(other.unmet_pairs)
        self.changes.add(other.changes)

    def times(self, machine: Machine, start: str, end: str) -> tuple[int, int]:
        """Return how often a change of state was seen, and how often the explored program wrote it."""
        counts = self.changes.states
        own = counts[machine.name, start, end, True]
        return own + counts[machine.name, start, end, False], own

    def lines(self, kinds: Iterable[PerturbationKind]) -> Iterator[str]:
        """Yield what was run, and which of these perturbations were not."""
        acts = ", ".join(f"{act} {number}" for act, number in sorted(self.acts.items()))
        yield f"{self.stories} stories, {self.runs} runs, {self.undetermined} undetermined"
        yield f"acts: {acts or 'none'}"
        for kind in kinds:
            unmet = f", {self.unmet[kind.name]} met no request" if self.unmet[kind.name] else ""
            yield f"  {kind.name:<34} {self.perturbations[kind.name]}{unmet}"


def sections(coverage: Coverage, vocabulary: Vocabulary) -> Iterator[Section]:
    """Yield the rows of the summary."""
    yield Section("acts", len(coverage.acts), len(vocabulary.acts), coverage.acts.total())
    kinds = coverage.perturbations
    yield Section("perturbations", len(kinds), len(vocabulary.kinds), kinds.total())
    pairs = len(vocabulary.verbs) * len(vocabulary.kinds)
    yield Section("acts × perturbations", len(coverage.pairs), pairs, coverage.pairs.total())
    for machine in vocabulary.machines:
        times = [coverage.times(machine, *ways)[0] for ways in ways_of(machine)]
        yield Section(f"states of {machine.name}", sum(map(bool, times)), len(times), sum(times))
    yield Section("reasons of conditions", len(coverage.changes.reasons), 0, coverage.changes.reasons.total())


def ways_of(machine: Machine) -> Sequence[tuple[str, str]]:
    """Return the permitted changes of state of a machine."""
    # A change that two may write is one change: only that it came is counted against it.
    return [*dict.fromkeys((transition.start, transition.end) for transition in machine.transitions)]


def unseen(coverage: Coverage, vocabulary: Vocabulary) -> Iterator[Unseen]:
    """Yield what of the vocabulary was never seen, and why; pairs of acts and perturbations have a matrix."""
    for act in vocabulary.acts:
        if not coverage.acts[act]:
            yield Unseen("acts", act, *_reason(act, vocabulary))
    for kind in vocabulary.kinds:
        if not coverage.perturbations[kind.name]:
            unmet = coverage.unmet[kind.name]
            met_nothing = NOT_MET, f"drawn {unmet} time(s), and met no request"
            yield Unseen(
                "perturbations", kind.name, *(met_nothing if unmet else _reason(kind.name, vocabulary))
            )
    for machine in vocabulary.machines:
        for start, end in ways_of(machine):
            if not coverage.times(machine, start, end)[0]:
                why = _reason_of_state(machine, end, coverage, vocabulary)
                yield Unseen(f"states of {machine.name}", f"{start} → {end}", *why)


def reasons_unseen(coverage: Coverage, vocabulary: Vocabulary) -> Counter[str]:
    """Return how much of the vocabulary was never seen, by why."""
    return Counter(row.reason for row in unseen(coverage, vocabulary))


def _reason(name: str, vocabulary: Vocabulary) -> tuple[str, str]:
    why = vocabulary.impossible.get(name)
    return (NOT_DECLARED, why) if why else (NOT_DRAWN, "")


def _reason_of_state(
    machine: Machine, end: str, coverage: Coverage, vocabulary: Vocabulary
) -> tuple[str, str]:
    acts = vocabulary.causes.get((machine.name, end), ())
    # An act leads there by way of the program, so that drawing it is no proof that the change can come.
    possible = [act for act in acts if act not in vocabulary.impossible]
    if acts and not possible:
        return NOT_DECLARED, f"{acts[0]}: {vocabulary.impossible[acts[0]]}"
    drawn = sum(coverage.acts[act] for act in possible)
    if possible and not drawn:
        return NOT_DRAWN, f"needs {' or '.join(possible)}"
    return NOT_MET, f"{' or '.join(possible)} drawn {drawn} time(s)" if possible else ""


def _by_kind(pairs: Mapping[tuple[str, str], int]) -> Counter[str]:
    result = Counter[str]()
    for (_, kind), number in pairs.items():
        result[kind] += number
    return result
