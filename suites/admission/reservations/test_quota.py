"""ADM: quota that is enough, added or given back lets
Workloads in (KEP-993, "Reserve quota"; AC-283, AC-296).
"""

from kueue_conformance import always, pairwise, rows, scenario, within

FORMS = ("workload", "job")


@scenario(
    "ADM-240",
    "two Workloads that both fit both get a reservation",
    requirement="kep-993#stage-one",
    shows="AC-283 AC-441",
    cases=pairwise(checks=(1, 2), form=FORMS),
    clauses={"a": "both are Prechecked"},
)
def test_both_fit(make_queue, checks, form):
    queue = make_queue(checks=checks, cpu="2")

    first, other = queue.submit(form, cpu="1"), queue.submit(form, cpu="1")

    within("reserve", lambda: first.is_prechecked() and other.is_prechecked(), clause="a")


@scenario(
    "ADM-241",
    "a pending Workload gets a reservation when the quota is raised",
    requirement="kep-993#stage-one",
    shows="AC-283",
    cases=pairwise(checks=(0, 1), form=FORMS),
    revision=2,
    clauses={"a": "it is reserved", "b": "and admitted only without checks"},
)
def test_more_quota(make_queue, checks, form):
    queue = make_queue(checks=checks, cpu="1")
    workload = queue.submit(form, cpu="2")
    always(workload.is_suspended)

    queue.set_quota("2")

    within("reserve", lambda: queue.has_reserved_for(workload), clause="a")
    always(lambda: queue.has_reserved_for(workload), clause="b")


@scenario(
    "ADM-244",
    "a Workload that is deleted while its checks run frees its quota",
    requirement="kep-993#reservation-fits-quota",
    shows="AC-296 CC-064",
    cases=pairwise(form=FORMS),
    clauses={"a": "the next is reserved"},
)
def test_deleted_while_prechecked(make_queue, form):
    queue = make_queue(checks=1, cpu="1")
    first = queue.submit_until("prechecked", form, cpu="1")
    second = queue.submit(form, cpu="1")
    always(second.is_suspended)

    first.delete()

    within("reserve", second.is_prechecked, clause="a")


@scenario(
    "ADM-411",
    "every Workload that fits gets quota when quota is released",
    requirement="kep-993#reservation-fits-quota",
    shows="Q-050 Q-051 AC-296",
    cases=rows("end", ("finished",), ("deleted",), ("deactivated",)),
    clauses={"a": "all of them are admitted"},
)
def test_all_that_fits_is_let_in(make_queue, clock, end):
    queue = make_queue(cpu="3")
    first = queue.submit(cpu="3")
    within("admit", first.is_admitted)
    waiting = [queue.submit(cpu="1", priority=priority) for priority in (1, 2, 3)]
    within("settle", lambda: queue.shows_counts(pending=3, admitted=1))
    clock.advance_budget("react")

    {"finished": first.finish, "deleted": first.delete, "deactivated": first.deactivate}[end]()

    within(
        "requeue",
        lambda: waiting[0].is_admitted() and waiting[1].is_admitted() and waiting[2].is_admitted(),
        clause="a",
    )


@scenario(
    "ADM-561",
    "a pending Workload reports the resource requests that were considered",
    requirement="kep-993#stage-one",
    shows="Q-094",
    since="0.19",
    level="may",
    clauses={"a": "each resource of its pods together"},
)
def test_what_is_asked_for_is_told(make_queue):
    workload = make_queue(cpu="1").submit(cpu="500m", count=3)

    within("settle", lambda: workload.has_resource_requests(main={"cpu": "1500m"}), clause="a")
