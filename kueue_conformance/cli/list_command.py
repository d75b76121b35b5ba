"""`list` and `explain`: print scenarios, facts and rules without running anything (harness/H-45)."""

from __future__ import annotations

import fnmatch
import json
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..base.errors import unknown
from ..catalogue.inventory import inventory
from ..catalogue.patterns import check_patterns, match_scenarios
from ..catalogue.provenance import shipped_stamps
from ..catalogue.requirement import catalogue
from ..scenarios.capability import MEANINGS, PROFILES, Capability
from ..scenarios.feature_gates import gate_history
from ..scenarios.outcome import Level
from ..scenarios.scenario import Scenario, normal
from .completions import WORDS, one_of, scenario_ids
from .forms import form_option
from .schemas import schema_option

if TYPE_CHECKING:
    from ..rules import SafetyRule

_WIDTH = 130


@click.command("list", short_help="list the scenarios")
@form_option()
@click.option("--profile", default="", shell_complete=one_of(WORDS["profile"]), help="only one profile")
@click.option("--level", type=click.Choice(list(map(str, Level))), default=None, help="only one level")
@click.option(
    "--capability",
    default="",
    shell_complete=one_of(WORDS["capability"]),
    help="only scenarios that need a capability",
)
@click.option("--capabilities", "vocabulary", is_flag=True, help="list the capabilities instead")
@schema_option("inventory")
def listing(form: str, profile: str, level: str | None, capability: str, *, vocabulary: bool) -> None:
    """List every scenario with level, title, and the capabilities, drivers
    and feature gates that it needs; json prints the whole records.
    """
    if profile and profile.upper() not in PROFILES:
        raise unknown("profile", profile, PROFILES)
    if capability and capability not in set(Capability):
        raise unknown("capability", capability, list(map(str, Capability)))
    if vocabulary:
        _list_capabilities()
        return
    scenarios = [
        scenario
        for scenario in inventory().values()
        if profile.upper() in ("", scenario.profile.name)
        and level in (None, str(scenario.level))
        and (not capability or capability in scenario.capabilities)
    ]
    if form == "json":
        click.echo(
            json.dumps(
                [
                    {**scenario.to_dict(), "gates": _needed_gates(scenario), "verified": _stamps(scenario)}
                    for scenario in scenarios
                ],
                indent=2,
            )
        )
        return
    for scenario in scenarios:
        note = f"  (unsupported: {scenario.unsupported})" if scenario.unsupported else ""
        click.echo(f"{scenario.id}  {scenario.level:<6}  {scenario.title}{_requirements(scenario)}{note}")
    click.echo(f"{len(scenarios)} scenarios")


def _stamps(scenario: Scenario) -> list[dict[str, Any]]:
    return [
        {"place": where, **stamp.to_dict()}
        for where, stamp in sorted(shipped_stamps().get(scenario.id, {}).items())
    ]


def _list_capabilities() -> None:
    for capability, meaning in MEANINGS.items():
        amount = sum(capability in scenario.capabilities for scenario in inventory().values())
        click.echo(f"{capability:<15} {amount:>3} scenarios  {meaning}")


def _requirements(scenario: Scenario) -> str:
    words = [
        *map(str, scenario.capabilities),
        *(f"driver {driver}" for driver in scenario.drivers),
        *(f"gate {gate}" for gate in _needed_gates(scenario)),
        *(f"gate {gate} off" for gate in sorted(scenario.without_gates)),
    ]
    return f"  [{', '.join(words)}]" if words else ""


@click.command(short_help="describe a scenario or a rule")
@click.argument("name", metavar="WHAT", shell_complete=one_of(scenario_ids))
def explain(name: str) -> None:
    """Explain WHAT: a scenario id, a row of the fact pages such as SC-204 or harness/H-42, a clause such as
    CHK-014.b, a safety rule such as AC-273, or a requirement such as kep-993#prechecked-to-suspended-retry.
    """
    from ..catalogue import fact_text, facts  # imported late: `list` does not need them
    from ..rules import RULES

    name = normal(name)
    named_facts = facts.facts_named(name)
    # F-07 stands for F-07.1 to F-07.6.
    rules = [rule for rule in RULES if fnmatch.fnmatchcase(rule.id, name) or rule.id.startswith(f"{name}.")]
    if not rules and not named_facts:
        check_patterns([name])
    scenarios = match_scenarios([name.rpartition("/")[2]])
    paragraphs = [
        *map(fact_text.describe, named_facts),
        *map(_describe_rule, rules),
        *(_describe_scenario(scenario, name) for scenario in scenarios),
    ]
    click.echo("\n\n".join(paragraphs))


def _describe_rule(rule: SafetyRule) -> str:
    """Return the kind of program that a safety rule judges, whatever a scenario is about."""
    from ..rules import AUTOSCALER, CHECK_CONTROLLER, JOB_INTEGRATION

    noun, of = "a control plane", "in which a Kueue is judged"
    if rule in CHECK_CONTROLLER:
        noun, of = "a check controller", "in which one is judged"
    elif rule in JOB_INTEGRATION:
        noun, of = "a job integration", "in which one is judged"
    elif rule in AUTOSCALER:
        noun, of = "an autoscaler", "in which one is judged"
    also = f" and {' '.join(rule.also)}" if rule.also else ""
    lines = [
        f"{rule.id}  {noun} {rule.text}  [{rule.level}]",
        f"  safety rule, judged over the story of every case {of}",
        f"  dialects  {rule.since or 'oldest'} to {rule.until or 'newest'}{also}",
        *_advice([rule.id]),
    ]
    return "\n".join(lines)


def _advice(rows: Sequence[str], *, named: bool = False) -> Iterator[str]:
    """Yield what to do about rows, each with its id where they are `named`."""
    from ..catalogue.advice import advice_on

    for number, (row, text) in enumerate(advice_on(rows).items()):
        words = f"{row}: {text}" if named else text
        yield from textwrap.wrap(
            words,
            _WIDTH,
            initial_indent="            " if number else "  do        ",
            subsequent_indent="            ",
        )


def _describe_scenario(scenario: Scenario, pattern: str) -> str:
    rules = [catalogue()[name] for name in scenario.requirement if name in catalogue()]
    lines = [
        f"{scenario.id}  {scenario.title}  [{scenario.level}]",
        f"  profile   {scenario.profile.name}; {len(scenario.cases.rows)} case(s) in each dialect",
        *(f"  rule      {rule.id} ({rule.place})\n            {rule.rule}" for rule in rules),
        f"  shows     {' '.join(scenario.shows)}",
        *_unseen(scenario.shows),
        *(f"  case      {case}" for case in scenario.evidence.get(pattern, ())),
        f"  dialects  {_dialects(scenario)}",
        *([f"  needs     {', '.join(scenario.needs)}"] if scenario.needs else []),
        *_gates(scenario),
        *(f"  subject   must claim {name}: {MEANINGS[name]}" for name in scenario.capabilities),
        *([f"  drivers   {', '.join(scenario.required_drivers)}"] if scenario.required_drivers else []),
        *(["  alone     no other scenario may run beside it"] if scenario.serial else []),
        *(["  large     not run with its profile: name it to run it"] if scenario.large else []),
        *(f"  clause    {scenario.id}.{key}: {text}" for key, text in scenario.clauses.items()),
        *([f"  unsupported: {scenario.unsupported}"] if scenario.unsupported else []),
        *(
            f"  seen      on {where}: {stamp}"
            for where, stamp in sorted(shipped_stamps().get(scenario.id, {}).items())
        ),
        *(_advice(scenario.shows, named=True) if scenario.profile.takes_subject else ()),
        f"  run it    kueue-conformance run {_again(scenario, pattern)}",
    ]
    return "\n".join(lines)


def _gates(scenario: Scenario) -> Iterator[str]:
    """Yield the feature gates that a scenario needs on or off, and what each is since which release."""
    for gates, state in ((_needed_gates(scenario), "on"), (sorted(scenario.without_gates), "off")):
        for gate in gates:
            yield f"  gate      {gate} {state}: {gate_history(gate)}"


def _needed_gates(scenario: Scenario) -> Sequence[str]:
    """Return the feature gates that a scenario names, and those on which features hang that it needs."""
    from ..control_planes import GATES  # imported late: other commands need no backend

    needs = (*scenario.profile.needs, *scenario.needs)
    return sorted({*scenario.gates, *(GATES[need] for need in needs if need in GATES)})


def _unseen(rows: Sequence[str]) -> Iterator[str]:
    from ..catalogue.facts import announced

    if names := announced(rows):
        yield f"  unseen    release notes alone tell of {', '.join(names)}: no release was seen to do so"


def _again(scenario: Scenario, pattern: str) -> str:
    """Return the command line arguments that run it, with profiles that are not the default."""
    words = pattern if pattern in scenario.evidence else scenario.id
    by_default = scenario.profile.name in ("ADMISSION", "CHECK-CONTROLLER")
    profile = "" if by_default else f"--profile {scenario.profile.name} "
    subject = " --subject-file subject.yaml" if scenario.profile.needs_subject else ""
    return f"{profile}{words}{subject}"


def _dialects(scenario: Scenario) -> str:
    return " ".join(scenario.only) or f"{scenario.since or 'oldest'} to {scenario.until or 'newest'}"
