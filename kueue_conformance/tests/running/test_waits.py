"""`within`, `never`, `always` and `either`:
what they wait for, and what a failure tells (style.md §9, H-21).
"""

from contextlib import nullcontext
from dataclasses import replace
from functools import partial

import orjson
import pytest

from kueue_conformance import Nonconformance, always, never, within
from kueue_conformance.base.budget import Budgets
from kueue_conformance.base.errors import UnmetPremise, UsageError
from kueue_conformance.case.context import either
from kueue_conformance.case.failure_text import CaseDescription, about, explain
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.history.fact import Fact, record_value
from kueue_conformance.history.viewpoint import Viewpoint
from kueue_conformance.options import read
from kueue_conformance.run.case_setup import StoryClient
from kueue_conformance.scenarios.dialect import known_dialects, release
from kueue_conformance.stage.clock import Clock
from kueue_conformance.stage.workloads.view import WorkloadView

from .stub import StubCluster, change, context, workload

TOLD = """\
ADM-204.b  one Retry verdict returns a Prechecked Workload to Suspended  [must]  [v0.19]
  rule       kep-993#prechecked-to-suspended-retry: {rule}
  expected   its quota is given back (within 10 s, budget 'evict')
  observed   QuotaReserved=True
  story      rv 3     kueue                    created
             rv 4     check-player             check a: Pending → Retry
             rv 5     kueue                    Evicted=True (AdmissionCheck)
  way        Workload work: none → Suspended
             check a of work: none → Pending → Retry
  run again  kueue-conformance run ADM-204 --dialect=v0.19 --seed=5 --backend=kubeconfig:my.yaml --strict --report-dir=x/again"""


WALL = Budgets(virtual=False)


class Light:
    """Something that is on or off."""

    def __init__(self, on=False):
        self.on = on

    def turn(self):
        self.on = not self.on

    def is_on(self):
        return Fact(self.on, "the light is on", "it is on" if self.on else "it is off")


@pytest.fixture
def light():
    return Light()


def test_within_returns_as_soon_as_it_holds(light):
    case_context = context({3: light.turn, 4: light.turn})

    with case_context.current():
        fact = within("react", light.is_on)

    assert (fact.holds, case_context.cluster.time, case_context.waits) == (True, 3, {"react": [3.0]})


def test_what_a_busy_machine_gave_too_little_time_for_is_undetermined(light):
    case_context = context()
    case_context.cluster.was_wait_too_short = True

    with (
        case_context.current(),
        pytest.raises(UnmetPremise, match=r"busy with other work: .*\n.*\n.*it is off"),
    ):
        within("react", light.is_on)


def test_within_gives_up_at_the_end_of_its_budget(light):
    case_context = context({11: light.turn})

    with case_context.current(), pytest.raises(Nonconformance, match="the light is on"):
        within("react", light.is_on)

    assert case_context.cluster.time == 10


def test_never_sees_what_comes_late(light):
    with context({500: light.turn}).current(), pytest.raises(Nonconformance, match="never: the light is on"):
        never(light.is_on)


def test_never_is_content_when_nothing_comes(light):
    with context({500: lambda: None}).current():
        assert never(light.is_on) is None


@pytest.mark.parametrize("script", [{}, {500: Light.turn}], ids=["from the beginning", "later"])
def test_always_fails_when_it_does_not_hold(script):
    light = Light(on=bool(script))

    with (
        context({at: partial(act, light) for at, act in script.items()}).current(),
        pytest.raises(Nonconformance, match="observed   it is off"),
    ):
        always(light.is_on)


def test_always_is_content_when_it_holds():
    with context({500: lambda: None}).current():
        assert always(Light(on=True).is_on) is None


def test_either_says_which_way_was_seen(light):
    case_context = context({2: light.turn})

    with case_context.current():
        behaviour = either("react", {"off, in the end": lambda: False, "on": light.is_on}, clause="a")

    assert (behaviour, case_context.observed_behaviours) == ("on", {"a": "on"})


def test_either_fails_when_no_way_is_seen(light):
    with context().current(), pytest.raises(Nonconformance) as caught:
        either("react", {"one": light.is_on, "other": light.is_on}, clause="a")

    assert "expected   the light is on (one); or the light is on (other)" in str(caught.value)


@pytest.mark.parametrize(
    ("version", "is_permitted"), [("0.19.2", True), ("0.19.3", False), ("0.20.0", False)]
)
def test_either_permits_a_behaviour_until_the_releases_that_no_longer_have_it(light, version, is_permitted):
    case_context = replace(context(), dialect=release(version))
    ways = {"old": lambda: True, "new": light.is_on}

    with case_context.current(), nullcontext() if is_permitted else pytest.raises(Nonconformance):
        either("react", ways, until={"old": "<0.19.3, 0.20.0"}, clause="a")


def test_a_failure_tells_everything():
    settings = read({"seed": "5", "backend": "kubeconfig:my.yaml", "strict": "1", "report-dir": "x"}, seed=1)
    scenario, dialect = inventory()["ADM-204"], known_dialects()["v0.19"]
    pending, retry = workload({"a": "Pending"}), workload({"a": "Retry"})
    story = [
        change(3, after=pending),
        change(4, "check-player", before=pending, after=retry),
        change(5, before=retry, after=workload({"a": "Retry"}, Evicted=("True", "AdmissionCheck"))),
        change(6, kind="ClusterQueue", after={}),
        change(7, namespace="kube-system", after={}),
    ]
    case_context = context(changes=story, about=about(scenario, dialect, settings))

    with case_context.current(), pytest.raises(Nonconformance) as caught:
        within("evict", lambda: Fact(False, "its quota is given back", "QuotaReserved=True"), clause="b")

    from kueue_conformance.catalogue.requirement import catalogue

    assert str(caught.value) == TOLD.format(rule=catalogue()[scenario.requirement[0]].rule)


def test_an_ordinary_test_fails_without_rule_and_command():
    with context().current(), pytest.raises(Nonconformance) as caught:
        within("react", lambda: False)

    assert str(caught.value) == (
        "ADM-204  [v0.19]\n"
        "  expected   the condition of the scenario holds (within 10 s, budget 'react')\n"
        "  observed   it does not hold"
    )


def test_a_condition_without_words_has_those_of_its_clause_and_the_values_that_it_read():
    case_context = context(about=CaseDescription(clauses={"b": "the time stays"}))

    with case_context.current(), pytest.raises(Nonconformance) as caught:
        within("react", lambda: record_value("the time of Active", "12:01") == "12:00", clause="b")

    assert str(caught.value) == (
        "ADM-204.b  [v0.19]\n"
        "  expected   the time stays (within 10 s, budget 'react')\n"
        "  observed   the time of Active: 12:01"
    )


def test_values_are_recorded_in_conditions_alone():
    assert record_value("the time of Active", "12:01") == "12:01"


def is_admitted(name, holds):
    return Fact(holds, f"{name} is admitted", f"{name}: Admitted={holds}")


@pytest.mark.parametrize(
    ("condition", "expected", "observed"),
    [
        pytest.param(
            lambda: all(is_admitted(name, name == "a") for name in "abc"),
            "b is admitted",
            "b: Admitted=False",
            id="all",
        ),
        pytest.param(
            lambda: any(is_admitted(name, False) for name in "ab"),
            "b is admitted",
            "b: Admitted=False",
            id="any",
        ),
        pytest.param(
            lambda: not any(is_admitted(name, name == "b") for name in "abc"),
            "not so: b is admitted",
            "b: Admitted=True",
            id="not any",
        ),
    ],
)
def test_a_plain_truth_value_is_told_by_the_fact_that_decided_it(condition, expected, observed):
    with context().current(), pytest.raises(Nonconformance) as caught:
        within("react", condition)

    assert f"  expected   {expected} (within 10 s, budget 'react')\n  observed   {observed}" in str(
        caught.value
    )


@pytest.mark.parametrize(
    "wait", [lambda: within("react", bool), lambda: never(bool)], ids=["within", "never"]
)
def test_a_wait_needs_a_case(wait):
    with pytest.raises(UsageError, match="ask for the fixture `kueue_cluster`"):
        wait()


ON, OFF = workload(Admitted=("True", "Admitted")), workload(Admitted=("False", "Evicted"))


def context_of_states(*states):
    """Return a context whose story is these states of a Workload
    from revision 1 on, and a condition that reads it.
    """
    story = [change(revision, after=after) for revision, after in enumerate(states, 1)]
    viewpoint = Viewpoint()
    case_context = context(changes=story, viewpoint=viewpoint)
    case_context.client = StoryClient(lambda *_: (200, orjson.dumps(states[-1])), viewpoint, agent="test")
    read_workload = lambda: WorkloadView(case_context.client.get("Workload", "work", "ns"))  # noqa: E731
    return case_context, lambda: Fact(read_workload().is_true("Admitted"), "Admitted", str(read_workload()))


@pytest.mark.parametrize(
    ("states", "acted", "failure"),
    [
        ((ON, OFF, ON), 1, "at revision 2, which kueue wrote"),
        ((OFF, ON, OFF, ON), 1, "at revision 3"),
        ((OFF, ON, ON), 1, ""),
        ((ON, OFF, ON), 3, ""),
        ((ON, ON), 1, ""),
    ],
    ids=["lost for one write", "lost once it held", "takes effect", "lost before the act", "kept"],
)
def test_always_judges_every_state_since_the_act(states, acted, failure):
    case_context, admitted = context_of_states(*states)
    case_context.viewpoint.acts(acted)

    with case_context.current(), pytest.raises(Nonconformance, match=failure) if failure else nullcontext():
        always(admitted)


TEMPLATE, REQUEST = change(1, kind="PodTemplate"), change(2, kind="ProvisioningRequest")


@pytest.mark.parametrize(
    "late", [pytest.param([TEMPLATE], id="a late watch"), pytest.param([], id="never there")]
)
def test_what_compares_two_kinds_fails_only_with_the_whole_story(late):
    case_context = context(changes=[REQUEST])
    recorder = case_context.cluster.recorder
    recorder.complete = lambda: recorder.changes().extend(change for change in late if not was_delivered())

    def was_delivered():
        return any(change.kind == "PodTemplate" for change in recorder.changes())

    with case_context.current(), nullcontext() if late else pytest.raises(Nonconformance):
        always(was_delivered)


@pytest.mark.parametrize(("states", "fails"), [((OFF, ON, OFF), True), ((ON, OFF), False)])
def test_never_judges_every_state_since_the_act(states, fails):
    case_context, admitted = context_of_states(*states)
    case_context.viewpoint.acts(1)

    with (
        case_context.current(),
        pytest.raises(Nonconformance, match="never: Admitted") if fails else nullcontext(),
    ):
        never(admitted)


def test_the_story_ends_at_the_moment_that_is_looked_at():
    case_context, _ = context_of_states(OFF, ON, OFF)
    case_context.viewpoint.acts(1)

    with (
        case_context.current(),
        pytest.raises(Nonconformance, match="at revision 2"),
    ):
        never(lambda: case_context.history.last_revision == 2)


def test_what_the_scenario_writes_is_an_act():
    viewpoint = Viewpoint()
    answer = {"metadata": {"name": "x", "resourceVersion": "7"}}
    client = StoryClient(lambda *_: (200, orjson.dumps(answer)), viewpoint, agent="test")

    client.get("Workload", "x", "ns")
    assert viewpoint.acted == 0
    client.merge("Workload", "x", {}, namespace="ns")
    assert viewpoint.acted == 7
    client.with_agent("job-stand-in", reports_writes=False).delete("Workload", "x", "ns")
    assert viewpoint.acted == 7
    client.with_agent("check-player").delete("Workload", "x", "ns")
    assert viewpoint.acted == 7


@pytest.mark.parametrize(
    ("admitted_until", "error"),
    [
        pytest.param(0, Nonconformance, id="in time"),
        pytest.param(50, UnmetPremise, id="the machine was slow"),
    ],
)
def test_a_state_that_did_not_last_is_judged_where_the_delay_was_not_over(admitted_until, error):
    case = context({100: lambda: None} if admitted_until else {}, budgets=WALL)

    def is_admitted():
        return Fact(case.cluster.time < admitted_until, "it is admitted", "it is not")

    with case.current(), pytest.raises(error):
        Clock(case).advance_while(30, is_admitted)


def test_a_delay_begins_with_the_act_though_its_effect_is_noticed_late():
    act = change(7, "kueue-conformance", at=-20.0)
    case = context(changes=[change(6, at=-90.0), act], budgets=WALL)
    case.viewpoint.acts(act.revision)

    with case.current(), pytest.raises(UnmetPremise):
        Clock(case).advance_while(30, lambda: case.cluster.time < 15)


def test_a_delay_that_began_earlier_is_waited_for_from_then_on():
    case = context(budgets=WALL)
    case.cluster.time = 20

    with case.current():
        Clock(case).advance_while(30, lambda: True, since=0)

    assert case.cluster.time == 30


@pytest.mark.parametrize(
    ("taken", "budgets", "error"),
    [
        pytest.param(10, WALL, None, id="in time"),
        pytest.param(30, WALL, UnmetPremise, id="the machine was slow"),
        pytest.param(30, Budgets(virtual=True), None, id="virtual time"),
    ],
)
def test_a_block_is_carried_out_while_a_delay_runs(taken, budgets, error):
    case = context(budgets=budgets)

    with pytest.raises(error) if error else nullcontext(), Clock(case).during(30):
        case.cluster.time += taken


@pytest.mark.parametrize(("taken", "error"), [(10, Nonconformance), (30, UnmetPremise)])
def test_what_fails_in_it_is_a_breach_where_the_delay_was_not_over(taken, error):
    case = context(budgets=WALL)

    def act():
        with Clock(case).during(30):
            case.cluster.time += taken
            raise Nonconformance("it did not hold")

    with pytest.raises(error):
        act()


class PausingCluster(StubCluster):
    """Is quiet when nothing comes for so many seconds, as a cluster in real time."""

    def rest(self, seconds, react):
        while coming := [at for at in self.script if self.time < at <= self.time + seconds]:
            self.time = min(coming)
            self.script[self.time]()


def test_what_kueue_gathers_for_a_second_is_done_when_the_cluster_has_settled(light):
    case = context(budgets=WALL, cluster=PausingCluster({1.5: light.turn}))

    with case.current():
        Clock(case).settle()

    assert light.on


@pytest.mark.parametrize(
    ("named", "shown"),
    [
        pytest.param("Workload work", ["work"], id="the failure is about another Workload"),
        pytest.param("Workload canary-2-x", ["canary-2-x", "work"], id="the failure names it"),
    ],
)
def test_a_story_has_the_canaries_that_the_failure_names(named, shown):
    entries = workload({"check": "Pending"}), workload({"check": "Ready"})
    names = ("canary-1-x", "canary-2-x", "work")
    writes = [change(number, "subject", *entries, name=name) for number, name in enumerate(names, start=3)]
    case_context = context(changes=writes)

    text = explain(case_context, "", Fact(False, f"{named} is Pending", "Ready"), "at rest")

    lines = [line for line in text.splitlines() if "check check of" in line]
    assert sorted(line.split(" of ")[1].partition(":")[0] for line in lines) == shown
