"""`list` and `explain`: print scenarios, facts and rules without running anything (harness/H-45)."""

from __future__ import annotations

import fnmatch
import json
from typing import TYPE_CHECKING, Any

import click

from ..base.errors import unknown
from ..catalogue.inventory import inventory
from ..catalogue.patterns import chosen, known_or_raise
from ..catalogue.provenance import shipped
from ..catalogue.requirement import catalogue
from ..scenarios.capability import MEANINGS, PROFILES, Capability
from ..scenarios.outcome import Level
from ..scenarios.scenario import Scenario, normal
from .forms import form_option
from .schemas import schema_option

if TYPE_CHECKING:
    from ..rules import SafetyRule


@click.command("list", short_help="list the scenarios")
@form_option()
@click.option("--profile", default="", help="only one profile")
@click.option("--level", type=click.Choice(list(map(str, Level))), default=None, help="only one level")
@click.option("--capability", default="", help="only scenarios that need a capability")
@click.option("--capabilities", "vocabulary", is_flag=True, help="list the capabilities instead")
@schema_option("inventory")
def listing(form: str, profile: str, level: str | None, capability: str, *, vocabulary: bool) -> None:
    """List every scenario with level, title, and the capabilities
    and drivers that it needs; json prints the whole records.
    """
    if profile and profile.upper() not in PROFILES:
        raise unknown("profile", profile, PROFILES)
    if capability and capability not in set(Capability):
        raise unknown("capability", capability, list(map(str, Capability)))
    if vocabulary:
        _list_capabilities()
        return
    found = [
        one
        for one in inventory().values()
        if profile.upper() in ("", one.profile.name)
        and level in (None, str(one.level))
        and (not capability or capability in one.capabilities)
    ]
    if form == "json":
        click.echo(json.dumps([{**one.to_dict(), "verified": _verified(one)} for one in found], indent=2))
        return
    for one in found:
        note = f"  (unsupported: {one.unsupported})" if one.unsupported else ""
        click.echo(f"{one.id}  {one.level:<6}  {one.title}{_wanted(one)}{note}")
    click.echo(f"{len(found)} scenarios")


def _verified(one: Scenario) -> list[dict[str, Any]]:
    return [{"place": place, **stamp.to_dict()} for place, stamp in sorted(shipped().get(one.id, {}).items())]


def _list_capabilities() -> None:
    for one, meaning in MEANINGS.items():
        amount = sum(one in each.capabilities for each in inventory().values())
        click.echo(f"{one:<15} {amount:>3} scenarios  {meaning}")


def _wanted(one: Scenario) -> str:
    words = [*map(str, one.capabilities), *(f"driver {each}" for each in one.drivers)]
    return f"  [{', '.join(words)}]" if words else ""


@click.command(short_help="tell what a scenario or a rule is about")
@click.argument("what")
def explain(what: str) -> None:
    """Explain WHAT: a scenario id, a row of the fact pages such as SC-204 or harness/H-42, a clause such as
    CHK-014.b, a safety rule such as AC-273, or a requirement such as kep-993#prechecked-to-suspended-retry.
    """
    from ..catalogue import fact_text, facts  # imported late: `list` does not need them
    from ..rules import RULES

    what = normal(what)
    found = facts.named(what)
    rules = [one for one in RULES if fnmatch.fnmatchcase(one.id, what)]
    if not rules and not found:
        known_or_raise([what])
    scenarios = chosen([what.rpartition("/")[2]])
    told = [*map(fact_text.told, found), *map(_judged, rules), *(_told(one, what) for one in scenarios)]
    click.echo("\n\n".join(told))


def _judged(rule: SafetyRule) -> str:
    """Return the kind of program that a safety rule judges, whatever a scenario is about."""
    from ..rules import AUTOSCALER, CHECK_CONTROLLER

    noun, of = "a control plane", "in which a Kueue is judged"
    if rule in CHECK_CONTROLLER:
        noun, of = "a check controller", "in which one is judged"
    elif rule in AUTOSCALER:
        noun, of = "an autoscaler", "in which one is judged"
    also = f" and {' '.join(rule.also)}" if rule.also else ""
    lines = [
        f"{rule.id}  {noun} {rule.text}  [{rule.level}]",
        f"  safety rule, judged over the story of every case {of}",
        f"  dialects  {rule.since or 'oldest'} to {rule.until or 'newest'}{also}",
    ]
    return "\n".join(lines)


def _told(one: Scenario, what: str) -> str:
    rules = [catalogue()[name] for name in one.requirement if name in catalogue()]
    lines = [
        f"{one.id}  {one.title}  [{one.level}]",
        f"  profile   {one.profile.name}; {len(one.cases.rows)} case(s) in each dialect",
        *(f"  rule      {rule.id} ({rule.place})\n            {rule.rule}" for rule in rules),
        f"  shows     {' '.join(one.shows)}",
        *(f"  case      {case}" for case in one.evidence.get(what, ())),
        f"  dialects  {_dialects(one)}",
        *([f"  needs     {', '.join(one.needs)}"] if one.needs else []),
        *(f"  subject   must claim {name}: {MEANINGS[name]}" for name in one.capabilities),
        *([f"  drivers   {', '.join(one.wanted_drivers)}"] if one.wanted_drivers else []),
        *(["  alone     no other scenario may run beside it"] if one.serial else []),
        *(["  large     not run with its profile: name it to run it"] if one.large else []),
        *(f"  clause    {one.id}.{key}: {text}" for key, text in one.clauses.items()),
        *([f"  unsupported: {one.unsupported}"] if one.unsupported else []),
        *(f"  seen      on {place}: {stamp}" for place, stamp in sorted(shipped().get(one.id, {}).items())),
        f"  run it    kueue-conformance run {_again(one, what)}",
    ]
    return "\n".join(lines)


def _again(one: Scenario, what: str) -> str:
    """Return the command line arguments that run it, with profiles that are not the default."""
    words = what if what in one.evidence else one.id
    if one.profile.judges == "check controller":
        return f"{words} --subject-file subject.yaml"
    return words if one.profile.name == "ADMISSION" else f"--profile {one.profile.name} {words}"


def _dialects(one: Scenario) -> str:
    return " ".join(one.only) or f"{one.since or 'oldest'} to {one.until or 'newest'}"
