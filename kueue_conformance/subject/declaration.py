"""The declaration of a subject: on the command line, or in a subject file (harness §10.2, H-06, H-07).

A field of the file is a row of `FIELDS`: what is wrong with a value,
all of it at once, and never by an exception.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml

from ..base import resources
from ..base.errors import UsageError, together, unknown
from ..base.files.yaml_files import parse_file
from ..base.files.yaml_positions import YamlPositions
from ..base.json_types import Json
from ..programs.remedies import remedy
from ..scenarios.capability import CHECK_CONTROLLER, JOB_INTEGRATION, Capability
from ..scenarios.forms import CHECK_NAMES, NO_REQUESTS, POD_SETS
from ..scenarios.scenario import Scenario
from . import (
    REFERENCE,
    Connector,
    ConnectorContext,
    connector,
    effects,
    job_kind,
    names,
    parameters,
    role,
    setup,
    workload_problems,
    workload_template,
)
from .drivers import ENDPOINT, MESSAGE, Drivers, declared_drivers
from .fields import Problems, strangers, wrong
from .job_kind import JobKind
from .manifests import LOADER
from .outside_work import OutsideWork
from .parameters import Parameters
from .start import AS_EVER, StartSettings
from .start import problems as problems_of_start
from .worker_words import fill_worker_words
from .workload_template import WorkloadTemplate

API_VERSION = "kueue-conformance.dev/v1"
EXAMPLES = remedy("subject file")
_IMPLEMENTATION = ("organization", "project", "url", "version", "contact")
_MESSAGE_IS_OFFERED = (
    "driver message: a driver is offered the message and does not read it"
    " (${message} in its words, or KUEUE_CONFORMANCE_MESSAGE in a script)"
)
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_OF_CHECK_CONTROLLERS = ("controllerName", "checkName", "drivers", "parameters", "effects", "workload")


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """A subject: connector, controller name, project, and declared capabilities (None: not declared)."""

    connect: str
    controller_name: str
    check_name: str = ""
    """The only name of an AdmissionCheck for which it answers; empty where it answers for all."""
    implementation: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    capabilities: frozenset[Capability] | None = None
    drivers: Drivers = ENDPOINT
    start: StartSettings = AS_EVER
    parameters: Parameters | None = None
    outside_work: OutsideWork | None = None
    """How the field `effects` shows what it does outside."""
    workload_template: WorkloadTemplate | None = None
    """What the Workloads have that scenarios submit."""
    job_kind: JobKind | None = None
    """The kind of jobs that it integrates; None for a check controller."""
    setup: Sequence[Json] = ()
    """The objects that are there before it starts."""
    rbac: Sequence[Json] | None = None
    """The rules of its declared roles."""
    rules: Sequence[Json] = ()
    """Additional rules."""
    file: str = ""
    """The path of the subject file, empty where there is none."""
    folder: Path = Path()
    """Where the paths of the subject file begin."""
    begins: Path = Path()
    """Where those of the connector begin: there too, unless it was named on the command line."""

    @property
    def role(self) -> str:
        """What it is: a check controller or a job integration."""
        return CHECK_CONTROLLER if self.job_kind is None else JOB_INTEGRATION

    @property
    def rights(self) -> Sequence[Json]:
        """Its RBAC rules on a cluster that the harness makes."""
        if self.rbac is not None:
            return (*self.rbac, *self.rules)
        if self.job_kind is not None:
            return (*role.usual_of_integration(self.job_kind, self.setup), *self.rules)
        owner = self.workload_template.owner if self.workload_template else None
        read = self.setup if owner is None else (*self.setup, owner)
        return (*role.usual(self.parameters, self.outside_work, self.drivers, read), *self.rules)

    @property
    def hidden_capabilities(self) -> frozenset[Capability]:
        """The capabilities that none of its requests to the API server shows."""
        work = self.outside_work
        # A claim, or work of a service, is begun and released outside of the cluster.
        is_hidden = work is not None and work.manifest is None
        return frozenset({Capability.CLEANUP}) if is_hidden else frozenset()

    def connector(self) -> Connector:
        """Return how it is reached. Raises UsageError."""
        return connector(self.connect, ConnectorContext(start=self.start, folder=self.begins))

    def with_line(self, problem: UsageError) -> UsageError:
        """Return a problem of a field with the line of the subject file."""
        return next(_add_lines(self.file, [problem]))

    def manifests(self) -> Iterator[tuple[str, Json]]:
        """Yield the objects of every kind that the subject file names, with the field that names it."""
        yield from (
            (("parameters.manifest", manifest) for manifest in self.parameters.valid)
            if (self.parameters)
            else ()
        )
        if self.outside_work is not None and self.outside_work.manifest is not None:
            yield "effects.kind", self.outside_work.manifest
        if self.workload_template is not None and self.workload_template.owner is not None:
            yield "workload.owner", self.workload_template.owner
        if self.job_kind is not None:
            yield "job.manifest", self.job_kind.manifest
        yield from role.manifests_of_drivers(self.drivers)

    def lacks(self, needed: Iterable[Capability]) -> str:
        """Return the first needed capability that is not declared, empty when there is none."""
        # No declaration at all means that everything is judged; an empty list, that nothing is.
        claimed = self.capabilities
        return next(
            (str(capability) for capability in needed if claimed is not None and capability not in claimed),
            "",
        )

    def cannot(self, scenario: Scenario, needs: Iterable[str] = ()) -> str:
        """Return the first need of a scenario that the
        subject file does not meet, empty when it meets all; `needs` are those of the case.
        """
        if self.check_name and CHECK_NAMES in needs:
            return f"checkName: the scenario makes other checks than {self.check_name!r}"
        if reason := self._form(scenario, frozenset(needs)):
            return reason
        capability = self.lacks(scenario.capabilities)
        if capability:
            return f"capability {capability}"
        if driver := self.drivers.lacks(scenario.required_drivers):
            return f"driver {driver}"
        # A text that a driver drops would be missing in the entry, and no fault of the controller.
        if MESSAGE in scenario.required_drivers and not self.drivers.mentions(MESSAGE):
            return _MESSAGE_IS_OFFERED
        return self._missing_field(scenario.capabilities)

    def _form(self, scenario: Scenario, needs: frozenset[str]) -> str:
        """Return what the Workloads of a scenario need otherwise than the subject file has it."""
        template = self.workload_template
        if template is None or not template.pod_sets:
            return ""
        if POD_SETS in needs or scenario.profile.name == "PROVISIONING-CHECK":
            return "workload.spec.podSets: the scenario has pod sets of its own"
        if NO_REQUESTS in needs and template.requests:
            return "workload.spec.podSets: the scenario has pods without requests"
        return ""

    def _missing_field(self, needed: Iterable[Capability]) -> str:
        """Return the field of a subject file without which a capability cannot be seen."""
        # A capability without these fields is claimed but cannot be tested: the case is skipped,
        # not failed.
        if Capability.PARAMETERS in needed and not (self.parameters and self.parameters.valid):
            return "parameters.manifest in a subject file"
        return "effects in a subject file" if Capability.CLEANUP in needed and not self.outside_work else ""


def declare(connect: str, file: str, controller_name: str) -> Declaration | None:
    """Return the subject that the options name, None when they name none.

    Raises UsageError with everything that is wrong.
    """
    if not connect and not file:
        return None
    file = file or (str(resources.example() / "subject.yaml") if connect == REFERENCE else "")
    document = _read(file) if file else {}
    folder = Path(file).absolute().parent if file else Path.cwd()
    # A path on the command line begins where it was typed, as a shell has it.
    begins = Path.cwd() if connect and connect != REFERENCE else folder
    name = controller_name or document.get("controllerName", "")
    where = connect or document.get("connect", "")
    # All problems at once: a file is corrected in one go.
    repeated = _problems_of_repeated_keys(file) if file else ()
    problems = [*repeated, *_of_file(document, folder), *_of_whole(file, where, name, document)]
    if problems:
        raise together([*_of_connector(where, ConnectorContext(folder=begins)), *_add_lines(file, problems)])
    declaration = Declaration(
        connect=where,
        controller_name=name,
        check_name=document.get("checkName", ""),
        implementation=document.get("implementation", {}),
        capabilities=frozenset(map(Capability, document["capabilities"]))
        if "capabilities" in document
        else None,
        drivers=declared_drivers.drivers(document.get("drivers", {}), folder),
        start=StartSettings.of(document.get("start", {})),
        folder=folder,
        file=file,
        begins=begins,
        parameters=parameters.parameters(document.get("parameters"), folder),
        outside_work=effects.outside_work(document.get("effects"), folder),
        workload_template=workload_template.workload_template(document.get("workload"), folder),
        job_kind=job_kind.job_kind(document.get("job"), folder),
        setup=setup.manifests(document.get("setup"), folder),
        rbac=role.rules(document["rbac"], folder) if "rbac" in document else None,
        rules=tuple(document.get("rules", ())),
    )
    # Made and thrown away: a connector that cannot be is reported before the run begins.
    declaration.connector()
    return declaration


def _of_connector(text: str, context: ConnectorContext) -> Problems:
    """Return the problems of a connector beside a file that has problems of its own."""
    try:
        # An empty connector is reported by the field that is missing, not a second time.
        if text and text != "process:":
            connector(text, context)
    except UsageError as problem:
        yield problem


def _of_whole(file: str, connect: str, name: str, document: Mapping[str, Any]) -> Problems:
    """Return missing fields, and contradictions between fields."""
    if "start" in document and connect and connect.partition(":")[0] not in ("process", REFERENCE):
        yield UsageError(
            f"start is for a program, and {connect!r} names none",
            hint="leave start out, or connect by process:",
        )
    yield from _of_labels(document)
    if not connect:
        yield UsageError(
            f"subject file {file!r} lacks connect", hint="add `connect: process:COMMAND`, or use --subject"
        )
    if name and name != document.get("controllerName"):
        yield from names.problems_of_controller_name(name, "--controller-name")
    if not name and "job" not in document:
        yield UsageError(
            "the controller name of the subject is missing",
            hint="add --controller-name acme.io/budget, or controllerName in the subject file",
        )
    for field_name in _OF_CHECK_CONTROLLERS:
        if "job" in document and field_name in document:
            yield UsageError(
                f"the subject file has job, of a job integration, and {field_name}, of a check controller",
                hint="leave one of them out: each is judged by a subject file of its own",
                path=field_name,
            )


def _of_labels(document: Mapping[str, Any]) -> Problems:
    """Return labels by which drivers decide and which every Workload has already."""
    workload, drivers = document.get("workload"), document.get("drivers")
    if not isinstance(workload, Mapping) or not isinstance(drivers, Mapping):
        return
    metadata = workload.get("metadata")
    labels = metadata.get("labels") if isinstance(metadata, Mapping) else None
    if not isinstance(labels, Mapping):
        return
    for state, driver in drivers.items():
        words = driver.get("workloadLabels") if isinstance(driver, Mapping) else None
        for label in words if isinstance(words, Mapping) else ():
            if label in labels:
                yield UsageError(
                    f"workload.metadata.labels has {label} {labels[label]!r}, by which drivers.{state} decides",
                    hint="leave it out of one of them",
                    path=f"workload.metadata.labels.{label}",
                )


def _read(path: str) -> Mapping[str, Any]:
    document = parse_file(
        Path(path), f"subject file {path!r}", partial(yaml.load, Loader=LOADER), wrong=EXAMPLES
    )
    if not isinstance(document, dict) or (document.get("apiVersion"), document.get("kind")) != (
        API_VERSION,
        "Subject",
    ):
        raise UsageError(
            f"{path!r} is not a subject file",
            hint=f"begin it with `apiVersion: {API_VERSION}` and `kind: Subject`",
        )
    filled: Mapping[str, Any] = fill_worker_words(document)
    return filled


def _add_lines(file: str, problems: Sequence[UsageError]) -> Problems:
    """Return the problems, those of fields with the line of the file."""
    if not file:
        yield from problems
        return
    positions = YamlPositions(Path(file).read_text("utf-8"))
    for problem in problems:
        yield problem.at_line(file, positions.line(problem.path)) if problem.path else problem


def _problems_of_repeated_keys(file: str) -> Problems:
    for repeated in YamlPositions(Path(file).read_text("utf-8")).repeated:
        yield UsageError(
            f"{repeated.path} is in {file} twice, in lines {repeated.first_line} and {repeated.line}",
            hint="a parser takes the last one: leave one of them out",
        )


def _of_file(document: Mapping[str, Any], folder: Path) -> Problems:
    for name, value in document.items():
        if name not in FIELDS:
            yield unknown("field of a subject file", str(name), FIELDS, path=str(name))
            continue
        shape, problems = FIELDS[name]
        # The shape first: the problems of a field read it without a further check.
        if not isinstance(value, shape):
            yield wrong(name, value, f"a {_WORDS[shape]}", EXAMPLES)
        else:
            for problem in problems(value, folder):
                problem.path = problem.path or name
                yield problem


_WORDS: Mapping[type, str] = {str: "text", dict: "mapping", list: "list"}


def _fine(value: Json, folder: Path) -> Problems:
    del value, folder
    return iter(())


def _of_implementation(value: Json, folder: Path) -> Problems:
    del folder
    return strangers("implementation", value, _IMPLEMENTATION)


def _of_capabilities(value: Json, folder: Path) -> Problems:
    del folder
    known = list(map(str, Capability))
    return (
        unknown("capability", str(capability), known, path=f"capabilities[{number}]")
        for number, capability in enumerate(value)
        if capability not in known
    )


FIELDS: Mapping[str, tuple[type, Callable[[Json, Path], Problems]]] = {
    "apiVersion": (str, _fine),
    "kind": (str, _fine),
    "connect": (str, _fine),
    "controllerName": (str, names.problems_of_controller),
    "checkName": (str, names.problems_of_check),
    "implementation": (dict, _of_implementation),
    "capabilities": (list, _of_capabilities),
    "drivers": (dict, declared_drivers.problems),
    "start": (dict, problems_of_start),
    "parameters": (dict, parameters.problems),
    "effects": (dict, effects.problems),
    "workload": (dict, workload_problems.problems),
    "job": (dict, job_kind.problems),
    "setup": (dict, setup.problems),
    "rbac": (str, role.problems),
    "rules": (list, role.problems_of_rules),
}
