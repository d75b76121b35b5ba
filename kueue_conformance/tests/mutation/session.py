"""The session: cosmic-ray's database of work items and results. It is kept, so that a run goes on where an
earlier one was ended.

A work item's id is made of the mutant's change and of the definition that holds it: where a definition has
changed, its mutants are other ones, and the results of all others stay. What was caught stays caught; what
was not is tried again when the scenarios have changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from cosmic_ray.work_db import WorkDB
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkerOutcome, WorkItem, WorkResult

from kueue_conformance.tests.checkout import ROOT

from .mutants import Mutant, path_of

_OUTCOMES = {"survived": TestOutcome.SURVIVED, "incompetent": TestOutcome.INCOMPETENT}


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What came of a mutant: `verdict` is `must`, `should` or `may` (a case caught it at that level), `unit`,
    `survived`, `incompetent`.
    """

    verdict: str
    by: str = ""
    """The case or unit test that caught it."""
    ran: int = 0
    """How many cases were run."""
    seconds: float = 0.0
    scenarios: str = ""
    """The digest of the scenarios that were run."""

    @property
    def final(self) -> bool:
        """Whether stronger scenarios would change nothing."""
        return self.verdict in {"must", "incompetent"}

    @property
    def is_reached(self) -> bool:
        """Whether a case executes the line."""
        return self.ran > 0


@dataclass(frozen=True, slots=True)
class Part:
    """Some mutants, what is known of them, and of how many they are."""

    mutants: Mapping[str, Mutant]
    results: Mapping[str, Result]
    total: int

    @property
    def is_sample(self) -> bool:
        """Whether there are others."""
        return len(self.mutants) < self.total


class Work:
    """The mutants of some modules, and what is known of them."""

    def __init__(self, file: Path, mutants: Sequence[Mutant], scenarios: str) -> None:
        self.scenarios = scenarios
        self.mutants = {mutant.id: mutant for mutant in mutants}
        self._file = file
        file.parent.mkdir(parents=True, exist_ok=True)
        self.results = {job: item for job, item in self._results_of_database().items() if job in self.mutants}
        self._rewrite()

    def of(self, chosen: Iterable[Mutant]) -> Part:
        """Return the known verdicts of some mutants."""
        ids = {mutant.id for mutant in chosen}
        return Part(
            {job: mutant for job, mutant in self.mutants.items() if job in ids},
            {job: result for job, result in self.results.items() if job in ids},
            len(self.mutants),
        )

    def pending(self) -> list[Mutant]:
        """Return the mutants of which nothing is known,
        and those that others scenarios than today's did not catch.
        """
        return [mutant for mutant in self.mutants.values() if self._is_open(self.results.get(mutant.id))]

    def keep(self, mutant: Mutant, result: Result) -> None:
        """Write a result down."""
        self.results[mutant.id] = result
        with closing(WorkDB(self._file, WorkDB.Mode.create)) as database:
            database.set_result(mutant.id, _work_result(mutant, result))

    def _is_open(self, result: Result | None) -> bool:
        return result is None or (not result.final and result.scenarios != self.scenarios)

    def _results_of_database(self) -> dict[str, Result]:
        with closing(WorkDB(self._file, WorkDB.Mode.create)) as database:
            return {job: Result(**json.loads(result.output or "{}")) for job, result in database.results}

    def _rewrite(self) -> None:
        with closing(WorkDB(self._file, WorkDB.Mode.create)) as database:
            job_ids = {item.job_id for item in database.work_items}
            if job_ids != self.mutants.keys():
                database.clear()
                database.add_work_items(_item(mutant) for mutant in self.mutants.values())
                for job, result in self.results.items():
                    database.set_result(job, _work_result(self.mutants[job], result))


def digest(places: Iterable[str]) -> str:
    """Return what changes when a Python or data file of a folder of the checkout does, tests left out."""
    hash_of_files = sha256()
    for position in places:
        for file in sorted((ROOT / position).rglob("*")):
            if file.suffix in {".py", ".yaml", ".json"} and "tests" not in file.relative_to(ROOT).parts:
                hash_of_files.update(str(file.relative_to(ROOT)).encode() + file.read_bytes())
    return hash_of_files.hexdigest()[:16]


def _item(mutant: Mutant) -> WorkItem:
    return WorkItem.single(
        mutant.id,
        MutationSpec(
            module_path=path_of(mutant.module),
            operator_name=mutant.operator,
            occurrence=mutant.occurrence,
            start_pos=mutant.start,
            end_pos=mutant.end,
            definition_name=mutant.function,
        ),
    )


def _work_result(mutant: Mutant, result: Result) -> WorkResult:
    return WorkResult(
        WorkerOutcome.NORMAL,
        output=json.dumps(asdict(result)),
        diff=mutant.change,
        test_outcome=_OUTCOMES.get(result.verdict, TestOutcome.KILLED),
    )
