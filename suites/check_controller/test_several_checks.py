"""CHK: several checks, controllers, Workloads and namespaces at a time (KEP-993, 55-62, 108-111;
documentation, "AdmissionCheckStates").
"""

from kueue_conformance import Capability, always, cross, never, rows, scenario, within

KUEUE = ("scripted control plane",)
NAMES = ("check names",)
MANY_CHECKS = (Capability.MANY_CHECKS,)
MANY_VERDICTS = (Capability.MANY_CHECKS, Capability.RETRY)


@scenario(
    "CHK-061",
    "a verdict does not wait for those of other checks",
    requirement="kep-993#order-is-irrelevant",
    shows="CC-087",
    drivers=("ready",),
    clauses={
        "a": "the own entry is answered while the other one is Pending",
        "b": "the other one is left so",
    },
    cases=cross().also_drawn(),
)
def test_other_checks_are_not_waited_for(kueue_cluster, make_queue, subject, kueue):
    own, other = subject.make_check(), kueue_cluster.make_check()
    subject.set_answer("Ready")

    workload = kueue.precheck(make_queue([own, other]))

    within("react", lambda: workload.has_states("Ready", own), clause="a")
    always(lambda: workload.has_states("Pending", other), clause="b")


@scenario(
    "CHK-062",
    "a check that is added later is answered",
    requirement=("docs-2024#added-is-pending", "check-contract#entries-are-kueues"),
    shows="CC-027 CC-028",
    drivers=("ready",),
    clauses={"a": "the Workload waits without the check", "b": "the added entry is answered"},
)
def test_check_is_added_later(kueue_cluster, make_queue, subject, kueue):
    own, other = subject.make_check(), kueue_cluster.make_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([other]))
    never(lambda: workload.lists_any_of(own), clause="a")

    kueue.list_checks(workload, own, other)

    within("react", lambda: workload.has_states("Ready", own), clause="b")


@scenario(
    "CHK-195",
    "a second check of the controller that is added later is answered",
    requirement=("docs-2024#added-is-pending", "check-contract#entries-are-kueues"),
    shows="CC-027 CC-028",
    capabilities=MANY_CHECKS,
    drivers=("ready",),
    clauses={
        "a": "the first check is answered while another controller's is Pending",
        "b": "the added check is answered as well",
    },
)
def test_second_check_is_added_later(kueue_cluster, make_queue, subject, kueue):
    first, added, other = subject.make_check(), subject.make_check(), kueue_cluster.make_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([first, other]))
    within("react", lambda: workload.has_states("Ready", first), clause="a")

    kueue.list_checks(workload, first, other, added)

    within("react", lambda: workload.has_states("Ready", added), clause="b")


@scenario(
    "CHK-063",
    "a check that is added to an admitted Workload is answered",
    requirement=("docs-2024#added-is-pending", "docs-2024#added-does-not-evict"),
    shows="CC-027 CC-051",
    level="should",
    drivers=("ready",),
    clauses={"a": "the added entry is answered"},
)
def test_check_is_added_after_the_admission(kueue_cluster, make_queue, subject, kueue):
    own, other = subject.make_check(), kueue_cluster.make_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([other]))
    other.answer(workload, "Ready")
    kueue.admit(workload)

    kueue.list_checks(workload, own, other)

    within("react", lambda: workload.has_states("Ready", own), clause="a")


@scenario(
    "CHK-064",
    "an entry that Kueue has dropped is not brought back",
    requirement=("docs-2024#list-in-sync", "check-contract#entries-are-kueues"),
    shows="CC-025 CC-065 AC-357",
    drivers=("ready", "pending"),
    clauses={"a": "the entry is not written again"},
)
def test_dropped_entry_stays_away(kueue_cluster, make_queue, subject, kueue):
    own, other = subject.make_check(), kueue_cluster.make_check()
    workload = kueue.precheck(make_queue([own, other]))
    kueue.list_checks(workload, other)

    subject.set_answer("Ready")

    never(lambda: workload.lists_any_of(own), clause="a")


@scenario(
    "CHK-065",
    "an entry that was dropped and is listed again is answered again",
    requirement=("docs-2024#added-is-pending", "check-contract#entries-are-kueues"),
    shows="CC-060 CC-065",
    drivers=("ready",),
    clauses={
        "a": "the entry is answered",
        "b": "dropped it stays away",
        "c": "listed again it is answered again",
    },
)
def test_listed_again_is_answered_again(kueue_cluster, make_queue, subject, kueue):
    own, other = subject.make_check(), kueue_cluster.make_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([own, other]))
    within("react", lambda: workload.has_states("Ready", own), clause="a")

    kueue.list_checks(workload, other)
    never(lambda: workload.lists_any_of(own), clause="b")
    kueue.list_checks(workload, own, other)

    within("react", lambda: workload.has_states("Ready", own), clause="c")


@scenario(
    "CHK-066",
    "a check of one flavor is answered with that flavor and left out with another",
    requirement=("docs-2024#checks-per-flavor", "check-contract#entries-are-kueues"),
    shows="CC-025 CC-065",
    needs=KUEUE,
    drivers=("ready",),
    clauses={"a": "on the other flavor no entry is written", "b": "on its own flavor the entry is answered"},
)
def test_check_of_one_flavor(kueue_cluster, make_queue, subject, kueue):
    check = subject.make_check()
    own, other = kueue_cluster.make_flavor(), kueue_cluster.make_flavor()
    workload = make_queue([check], flavors=(other, own), on={check.name: [own]}).submit()
    subject.set_answer("Ready")
    kueue.reserve(workload, on=other)
    never(lambda: workload.lists_any_of(check), clause="a")

    kueue.requeue(workload, on=own)
    kueue.list_checks(workload, check)

    within("react", lambda: workload.has_states("Ready", check), clause="b")


@scenario(
    "CHK-067",
    "each of two checks of the controller gets its own verdict",
    requirement=("kep-993#one-entry-per-check", "kep-993#controller-watches-checks"),
    shows="CC-003 CC-027",
    revision=2,
    needs=(*KUEUE, *NAMES),
    capabilities=MANY_VERDICTS,
    drivers=("asks",),
    clauses={"a": "one check is Ready", "b": "the other one is Retry"},
)
def test_two_checks_two_verdicts(make_queue, subject, kueue):
    first, second = subject.make_check(), subject.make_check()
    workload = kueue.precheck(make_queue([first, second]))

    subject.set_answer("Ready", about=workload, check=first)
    subject.set_answer("Retry", about=workload, check=second)

    within("react", lambda: workload.has_states("Ready", first), clause="a")
    within("react", lambda: workload.has_states("Retry", second), clause="b")


@scenario(
    "CHK-068",
    "checks of the controller on two queues are served by themselves",
    requirement="kep-993#controller-watches-checks",
    shows="CC-003",
    level="should",
    needs=NAMES,
    capabilities=MANY_CHECKS,
    drivers=("ready", "workload", "pending"),
    clauses={"a": "the Workload of one queue is answered", "b": "that of the other one waits"},
)
def test_checks_on_two_queues(make_queue, subject, kueue):
    first, second = subject.make_check(), subject.make_check()
    answered, other = kueue.precheck(make_queue([first])), kueue.precheck(make_queue([second]))

    subject.set_answer("Ready", about=answered)

    within("react", lambda: answered.has_states("Ready", first), clause="a")
    always(lambda: other.has_states("Pending", second), clause="b")


@scenario(
    "CHK-069",
    "each of two Workloads gets its own verdict",
    requirement="kep-993#controller-acts-after-precheck",
    shows="CC-027 CC-050",
    needs=KUEUE,
    capabilities=(Capability.RETRY,),
    drivers=("ready", "retry", "workload", "pending"),
    clauses={"a": "one is Ready", "b": "the other one is Retry"},
)
def test_two_workloads_two_verdicts(make_queue, subject, kueue):
    check = subject.make_check()
    queue = make_queue([check])
    first, other = kueue.precheck(queue), kueue.precheck(queue)

    subject.set_answer("Ready", about=first)
    subject.set_answer("Retry", about=other)

    within("react", lambda: first.has_states("Ready", check), clause="a")
    within("react", lambda: other.has_states("Retry", check), clause="b")


@scenario(
    "CHK-070",
    "Workloads of the same name in two namespaces have nothing to do with each other",
    requirement="check-contract#namespaces",
    shows="CC-079",
    needs=KUEUE,
    capabilities=(Capability.RETRY,),
    drivers=("ready", "retry", "namespace", "workload", "pending"),
    clauses={"a": "one is Ready", "b": "the other one is Retry"},
)
def test_same_name_in_two_namespaces(kueue_cluster, make_queue, subject, kueue):
    check = subject.make_check()
    own_queue = make_queue([check])
    there = kueue_cluster.make_local_queue_in_other_namespace(own_queue)
    workload = kueue.precheck(own_queue)
    other = kueue.precheck(there, name=workload.name)

    subject.set_answer("Ready", about=workload)
    subject.set_answer("Retry", about=other)

    within("react", lambda: workload.has_states("Ready", check), clause="a")
    within("react", lambda: other.has_states("Retry", check), clause="b")


@scenario(
    "CHK-071",
    "an error with one Workload, or no verdict on it, does not keep others from being judged",
    requirement="check-contract#isolation",
    shows="CC-082",
    revision=2,
    drivers=("ready", "workload", "pending", "trouble with scope workload"),
    cases=rows("trouble", ("an error",), ("nonsense",), ("no verdict",)),
    survival="d",
    clauses={
        "a": "the outside system is asked",
        "b": "the Workload after it is answered",
        "c": "the first one waits",
        "d": "the controller does not end",
    },
)
def test_trouble_is_isolated(make_queue, subject, kueue, trouble):
    check = subject.make_check()
    queue = make_queue([check])
    workload = kueue.precheck(queue)
    subject.set_trouble(trouble, about=workload)
    within("react", lambda: subject.has_met_trouble(workload), clause="a")

    other = kueue.precheck(queue)
    subject.set_answer("Ready", about=other)

    within("react", lambda: other.has_states("Ready", check), clause="b")
    always(lambda: workload.has_states("Pending", check), clause="c")


@scenario(
    "CHK-072",
    "unusual Workloads do not stop the controller, and are judged",
    requirement="check-contract#odd-objects",
    shows="CC-083 AC-352",
    revision=3,
    needs=KUEUE,
    case_needs={"no flavors": ("pods without requests",)},
    drivers=("ready",),
    cases=rows(
        "oddity", ("no status",), ("no checks",), ("no flavors",), ("unknown conditions",), ("large",)
    ),
    survival="c",
    clauses={
        "a": "an ordinary one is answered",
        "b": "so is the odd one once it has quota and checks",
        "c": "the controller does not end",
    },
)
def test_odd_workloads_are_judged(make_queue, subject, kueue, oddity):
    check = subject.make_check()
    queue = make_queue([check])
    subject.set_answer("Ready")
    odd = kueue.precheck_odd(queue, oddity)

    other = kueue.precheck(queue)
    within("react", lambda: other.has_states("Ready", check), clause="a")
    kueue.precheck_existing(odd, queue)

    within("react", lambda: odd.has_states("Ready", check), clause="b")


@scenario(
    "CHK-073",
    "a verdict is written soon, also while a hundred Workloads wait",
    requirement=("check-contract#prompt", "controllers#scale"),
    shows="CC-081",
    level="should",
    serial=True,
    needs=KUEUE,
    drivers=("ready", "workload", "pending"),
    clauses={
        "a": "all of them are undecided",
        "b": "the decision on one is written within 2 s on virtual time, 10 s in real time (budget 'prompt')",
        "c": "the others still wait",
        "d": "so are the decisions on all of them",
    },
)
def test_hundred_workloads(make_queue, subject, kueue, clock):
    check = subject.make_check()
    workloads = kueue.precheck_many(make_queue([check], cpu="100"), 100)
    within("react", lambda: check.is_active() and workloads.has_states("Pending", check), clause="a")
    clock.settle()

    subject.set_answer("Ready", about=workloads.middle)
    within("prompt", lambda: workloads.middle.has_states("Ready", check), clause="b")
    within("react", lambda: workloads.first.has_states("Pending", check), clause="c")
    subject.set_answer("Ready")

    within("prompt", lambda: workloads.has_states("Ready", check), clause="d")
