"""The field `job.drivers` of a subject file: what brings a state of a job about, where the operator of the
kind is a program, in place of the harness that writes the status. `job.status` says how it is recognized.

    job:
      drivers:
        running: {run: [./pods, start, "${namespace}", "${name}", "${parallelism}"]}
        failed: {http: {url: "http://127.0.0.1:8080/jobs/${name}/fail"}}

A command has the harness's KUBECONFIG and each word in its environment, such as KUEUE_CONFORMANCE_NAME.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from ..base.errors import EnvironmentProblem, unknown
from ..base.json_types import Json
from .fields import Problems, problems_of_command, problems_of_request, strange_places, wrong
from .placeholders import placeholders_in

WORDS = ("name", "namespace", "state", "parallelism", "ended", "left")
_SECONDS = 10.0
_REQUEST = ("method", "url", "body", "headers")
_EXAMPLE = 'for example `drivers: {running: {run: [./pods, start, "${namespace}", "${name}"]}}`'


class JobDriver(Protocol):
    """A way to have the operator of a kind bring a state of a job about."""

    def bring_about(self, words: Mapping[str, str], kubeconfig: str) -> None:
        """Have the operator do so. Raises EnvironmentProblem."""


@dataclass(frozen=True, slots=True)
class CommandOfOperator:
    """`run: [argv]`: a command that ends when the operator was told."""

    argv: Sequence[str]
    folder: Path

    def bring_about(self, words: Mapping[str, str], kubeconfig: str) -> None:
        """Run it to its end."""
        from .bounded_command import BoundedCommand

        BoundedCommand(self.argv, self.folder).run(words, kubeconfig, _SECONDS)


@dataclass(frozen=True, slots=True)
class RequestToOperator:
    """`http: {url, method, body, headers}`: a request to the operator; any answer of 2xx is good."""

    fields: Mapping[str, Json]

    def bring_about(self, words: Mapping[str, str], kubeconfig: str) -> None:
        """Send it."""
        from .bounded_request import BoundedRequest

        del kubeconfig
        answer = BoundedRequest(**{"method": "POST", "body": None, **self.fields}).send(words, _SECONDS)
        if not answer.is_good:
            raise EnvironmentProblem(
                f"the operator answered {answer.status} to job.drivers.{words['state']}: {answer.text}",
                hint="check http in the subject file",
            )


NO_DRIVERS: Mapping[str, JobDriver] = MappingProxyType({})


def job_drivers(field: Mapping[str, Json], folder: Path) -> Mapping[str, JobDriver]:
    """Return the drivers of a field `job` that has no problems, by state."""
    return {
        state: CommandOfOperator(declared["run"], folder)
        if "run" in declared
        else RequestToOperator(declared["http"])
        for state, declared in field.get("drivers", {}).items()
    }


def problems(field: Mapping[str, Json], states: Sequence[str], folder: Path) -> Problems:
    """Return everything that is wrong with the drivers of a field `job`."""
    drivers = field.get("drivers", {})
    if not isinstance(drivers, Mapping):
        yield wrong("job.drivers", drivers, "a mapping from state to driver", _EXAMPLE)
        return
    for state, declared in drivers.items():
        where = f"job.drivers.{state}"
        if state not in states:
            yield unknown("state of a job", str(state), states, path=where)
        elif not isinstance(declared, Mapping) or [*declared] not in (["run"], ["http"]):
            yield wrong(where, declared, "either run or http", _EXAMPLE)
        else:
            yield from _of_driver(where, declared, folder)


def _of_driver(where: str, declared: Mapping[str, Json], folder: Path) -> Problems:
    yield from strange_places(where, placeholders_in(dict(declared)), WORDS)
    if "run" in declared:
        yield from problems_of_command(f"{where}.run", declared["run"], folder)
    else:
        yield from problems_of_request(f"{where}.http", declared["http"], _REQUEST, _EXAMPLE)
