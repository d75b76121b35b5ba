"""What one release of cluster-autoscaler does otherwise than the next (C1.1, findings S1…S7), each row by
what is seen of it.
"""

from __future__ import annotations

from dataclasses import fields
from itertools import pairwise
from typing import Any

import pytest

from reference_impl.api import kinds
from reference_impl.api.releases import Rows
from reference_impl.autoscaler.cli import describe
from reference_impl.autoscaler.dialects import (
    DEFAULT,
    NAMES,
    NO_NEW_GROUPS,
    NOT_YET,
    OURS,
    RULES,
    VERSIONS,
    dialect,
)
from reference_impl.autoscaler.flag_table import ALL
from reference_impl.autoscaler.flags import FlagError, Flags, parse, pop_flag
from reference_impl.autoscaler.groups.backoff import BackoffErrorInfo
from reference_impl.autoscaler.requests.request import BEST_EFFORT_ATOMIC
from reference_impl.autoscaler.rules import AutoscalerRules

from .laboratory import Laboratory
from .objects import condition, group, pod_object, request, template

ACCEPTED = "Accepted=True/Accepted"
FOUND = "Provisioned=True/CapacityIsFound"
NOT_FOUND = "Provisioned=False/CapacityIsNotFound"
WEEK = 7 * 24 * 3600
RELEASES = tuple(VERSIONS)


def since(release: str) -> dict[str, bool]:
    """Say of every release whether it has what came with one."""
    return {name: VERSIONS[name] >= VERSIONS[release] for name in RELEASES}


def by_release(release: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("name", "has"), since(release).items())


def test_every_release_has_every_member() -> None:
    for name in NAMES:
        assert isinstance(dialect(name), AutoscalerRules)
    with pytest.raises(KeyError):
        dialect("ca-1.29")


@pytest.mark.parametrize("member", [field.name for field in fields(RULES)])
def test_each_row_changes_a_member(member: str) -> None:
    """A row that gives a member the value it had before would say nothing."""
    value: Any = getattr(RULES, member)
    rows = value.rows if isinstance(value, Rows) else ()

    assert [earlier for earlier, later in pairwise(rows) if earlier.value == later.value] == []
    assert [row.since for row in rows] == sorted({row.since for row in rows})


@by_release("ca-1.32")
def test_the_delay_doubles(name: str, has: bool) -> None:
    """DA-44, PR-123."""
    lab = Laboratory(group(), rules=name)
    lab.ask(request())
    lab.loop(3)
    assert lab.told("r") == [ACCEPTED, NOT_FOUND]
    tries = []
    for second in range(4, 700):
        before = len(lab.server.writes)
        lab.loop(1)
        tries += [second - 3] * (len(lab.server.writes) > before)
    assert tries == ([61, 182, 423] if has else [601])


@by_release("ca-1.32")
def test_a_check_without_a_retry(name: str, has: bool) -> None:
    lab = Laboratory(group(), rules=name)
    lab.ask(request(parameters={"noRetry": "true"}))
    lab.loop(3)
    assert lab.told("r") == [ACCEPTED, "Failed=True/CapacityIsNotFound" if has else NOT_FOUND]


@by_release("ca-1.32")
def test_an_old_answer_is_deleted(name: str, has: bool) -> None:
    lab = Laboratory(group(), rules=name)
    lab.ask(request(conditions=[condition("Failed")]))
    lab.loop(WEEK + 1)
    assert lab.has("r") is not has


@by_release("ca-1.33")
def test_the_parameter_of_an_instance(name: str, has: bool) -> None:
    lab = Laboratory(group(), nodes=1, rules=name)
    lab.ask(request(parameters={"processorInstance": "x"}))
    lab.loop(3)
    assert lab.told("r") == ([] if has else [ACCEPTED, FOUND])


@by_release("ca-1.33")
def test_a_young_request_is_tried_at_once(name: str, has: bool) -> None:
    """DA-45, finding N4: before, it is accepted at once and answered when it is two seconds old."""
    lab = Laboratory(group(), nodes=1, rules=name)
    lab.ask(request())
    lab.loop()
    assert lab.told("r") == ([ACCEPTED, FOUND] if has else [ACCEPTED])
    lab.loop(2)
    assert lab.told("r") == [ACCEPTED, FOUND]


@by_release("ca-1.33")
def test_a_full_cluster_answers_requests(name: str, has: bool) -> None:
    """PR-117: the maximum of nodes ends a loop before a check is made, until requests override that."""
    lab = Laboratory(group(), nodes=1, rules=name, max_nodes_total=1)
    lab.ask(request())
    lab.loop(3)
    assert lab.told("r") == ([ACCEPTED, FOUND] if has else [ACCEPTED])


@by_release("ca-1.33")
def test_an_atomic_answer_is_applied(name: str, has: bool) -> None:
    """DA-46, finding S6: before, it is written by PUT like the others, with its generation."""
    lab = Laboratory(group(), rules=name)
    lab.ask(request(class_name=BEST_EFFORT_ATOMIC))
    lab.loop(3)
    assert [verb for verb, _, _ in lab.server.writes] == ["PUT", "APPLY" if has else "PUT"]
    assert lab.told("r")[-1] == "Provisioned=True/CapacityIsProvisioned"


@by_release("ca-1.31")
def test_a_limit_stands_for_a_request(name: str, has: bool) -> None:
    """DA-43, finding S4."""
    lab = Laboratory(group(), nodes=1, rules=name)
    pod_template = template()
    container = pod_template["template"]["spec"]["containers"][0]
    container["resources"] = {"limits": {"cpu": "2", "memory": "1Gi"}, "requests": {"memory": "1Gi"}}
    lab.server.put(kinds.POD_TEMPLATES, pod_template)
    lab.ask(request(count=10))
    lab.loop(3)
    assert lab.told("r") == [ACCEPTED, NOT_FOUND if has else FOUND]


@by_release("ca-1.31")
def test_an_unknown_class_is_left_alone(name: str, has: bool) -> None:
    """Findings X16 and S3: 1.30 accepts it in every loop and never answers."""
    lab = Laboratory(group(), nodes=1, rules=name)
    lab.ask(request(class_name="atomic-scale-up.kubernetes.io"))
    lab.loop(3)
    lab.loop(3)
    assert lab.told("r") == ([] if has else [ACCEPTED])
    assert len(lab.server.writes) == (0 if has else 2)


@by_release("ca-1.37")
def test_a_booking_ends_when_all_its_pods_have_a_place(name: str, has: bool) -> None:
    """DA-48, CV-14."""
    lab = Laboratory(group(), nodes=1, rules=name)
    lab.ask(request(count=2))
    lab.loop(3)
    for index in range(2):
        note = {"autoscaling.x-k8s.io/consume-provisioning-request": "r"}
        lab.server.put(kinds.PODS, pod_object(f"c{index}", node="free-0", annotations=note))
        lab.loop(1)
        expected = ["BookingExpired=True/CapacityBookingConsumed"] if has and index == 1 else []
        assert lab.told("r")[2:] == expected


@by_release("ca-1.36")
def test_a_restarted_program_knows_no_nodes_on_their_way(name: str, has: bool) -> None:
    """Finding N2: what it did not ask for is no room,
    so more nodes are added; before 1.36 all that is missing is.
    """
    lab = Laboratory(group(), rules=name)
    lab.ask(request("a", class_name=BEST_EFFORT_ATOMIC))
    lab.loop(3)
    lab.restart()
    lab.ask(request("b", class_name=BEST_EFFORT_ATOMIC))
    lab.loop(3)
    lab.loop(3)
    assert [call for call in lab.cloud.calls if call[0] == "increase"] == [("increase", "ng-a", 1)] * (
        1 + has
    )


@by_release("ca-1.36")
def test_nodes_of_a_group_that_failed_are_no_room(name: str, has: bool) -> None:
    """The second half of N2: while a group is left alone its missing nodes are not waited for."""
    lab = Laboratory(group(), rules=name)
    lab.ask(request("a", class_name=BEST_EFFORT_ATOMIC))
    lab.loop(3)
    lab.loop(3)
    lab.autoscaler_state.backoff.note_failure("ng-a", lab.clock.time, BackoffErrorInfo("timeout", ""))
    lab.ask(request("b", count=3))
    lab.loop(3)
    assert lab.told("b") == [ACCEPTED, NOT_FOUND if has else FOUND]


def test_requests_are_read_in_the_version_of_their_time() -> None:
    versions = [dialect(name).request_resource.version for name in NAMES]
    assert versions == ["v1beta1", *["v1"] * 7, "v1alpha1aep"]


@by_release("ca-1.35")
def test_frequent_loops_by_default(name: str, has: bool) -> None:
    """Finding X8."""
    rules = dialect(name)
    chosen = parse([], defaults=rules.flag_defaults, rows=rules.flag_rows).flags
    assert rules.effective(chosen).frequent_loops_enabled is has


@pytest.mark.parametrize("name", NAMES)
def test_a_flag_that_a_release_lacks_is_refused_and_has_no_effect(name: str) -> None:
    rules = dialect(name)
    for field in {**NOT_YET, **NO_NEW_GROUPS}:
        name = field.replace("_", "-")
        argument = f"--{name}={'off' if field in OURS else '1h' if ALL[name].type == 'duration' else '1'}"
        if field in rules.missing_flags:
            with pytest.raises(FlagError, match="unknown flag"):
                parse([argument], rows=rules.flag_rows)
        else:
            parse([argument], rows=rules.flag_rows)
    flags = Flags(check_capacity_processor_instance="x", provisioning_request_initial_backoff_time=5.0)
    effective = rules.effective(flags)
    assert effective.check_capacity_processor_instance == rules.missing_flags.get(
        "check_capacity_processor_instance", "x"
    )
    assert effective.provisioning_request_initial_backoff_time == (
        600.0 if rules.missing_flags == NOT_YET else 5.0
    )


def test_the_dialect_is_taken_out_of_a_command_line() -> None:
    rest = ["--v=4", "--expander", "random"]
    for written in (["--dialect=aep"], ["--dialect", "aep"], ["-dialect=aep"]):
        assert pop_flag([*written, *rest], "dialect", DEFAULT) == ("aep", rest)
    assert pop_flag(rest, "dialect", DEFAULT) == (DEFAULT, rest)
    with pytest.raises(FlagError, match="--dialect needs a value"):
        pop_flag(["--dialect"], "dialect", DEFAULT)
    with pytest.raises(FlagError, match="--dialect is given twice"):
        pop_flag(["--dialect=aep", "--dialect=ca-1.36"], "dialect", DEFAULT)
    assert "--dialect" not in describe(dialect(DEFAULT)), "it is no flag of cluster-autoscaler"


def test_help_lists_the_flags_of_a_release() -> None:
    old, new = (describe(dialect(name)) for name in ("ca-1.32", "ca-1.37"))
    assert ("--node-autoprovisioning-enabled=false" in old) > ("--node-autoprovisioning-enabled" in new)
    assert ("--check-capacity-processor-instance=" in new) > ("--check-capacity-processor-instance" in old)
    assert "--frequent-loops-enabled=false" in old
    assert "--frequent-loops-enabled=true" in new


def test_the_agent_names_the_release() -> None:
    assert dialect("ca-1.30").user_agent.startswith("cluster-autoscaler/v1.30.7 ")
    assert dialect("aep").user_agent.startswith("cluster-autoscaler/aep ")
