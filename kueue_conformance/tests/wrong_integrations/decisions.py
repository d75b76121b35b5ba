"""Decisions of wrong control planes that are wrong in a job integration as well, each with the rule and the
scenario of JOB-INTEGRATION.
"""

from ..killing.planes import judge_as_integration
from ..wrong_planes.jobs import ends, jobs

DECISIONS = (
    (
        jobs.owns_no_workload,
        "Breaks JI-003: owns the Workload without being its controller; JIN-001 must catch it.",
    ),
    (
        jobs.keeps_no_workload,
        "Breaks JI-007: makes a Workload without Kueue's finalizer; JIN-005 should catch it.",
    ),
    (
        jobs.counts_one_pod,
        "Breaks JI-006: asks for one pod whatever the job needs; JIN-003[3-pods] must catch it.",
    ),
    (
        jobs.knows_no_workload_priority_class,
        "Breaks JI-008: takes no notice of the class that a job names; JIN-006 must catch it.",
    ),
    (jobs.never_starts, "Breaks JI-010: starts no job; JIN-011 must catch it."),
    (
        jobs.lets_unadmitted_jobs_run,
        "Breaks JI-013: lets a job run that its user resumes; JIN-013[for-quota] must catch it.",
    ),
    (
        jobs.lets_reserved_jobs_run,
        "Breaks JI-013: lets a resumed job run with quota alone; JIN-013[for-a-check] must catch it.",
    ),
    (jobs.lets_evicted_jobs_run, "Breaks JI-030: does not stop an evicted job; JIN-030 must catch it."),
    (
        jobs.keeps_the_quota_of_evicted_jobs,
        "Breaks JI-032: never gives the quota of an evicted Workload back; JIN-031 must catch it.",
    ),
    (
        jobs.frees_quota_before_it_stops,
        "Breaks JI-032: gives quota back first, and stops the job then; JIN-076 must catch it.",
    ),
    (
        jobs.never_follows_the_queue,
        "Breaks JI-050: leaves a Workload in its queue when its job names another; JIN-050 must catch it.",
    ),
    (
        jobs.never_follows_the_amount,
        "Breaks JI-051: leaves a Workload as it was when its job is changed; JIN-051 must catch it.",
    ),
    (
        jobs.never_follows_the_priority,
        "Breaks JI-053: keeps the priority that a job had first; JIN-053 must catch it.",
    ),
    (
        jobs.keeps_what_a_deleted_job_held,
        "Breaks JI-060: keeps the Workload of a job that was deleted; JIN-060 must catch it.",
    ),
    (
        jobs.lets_jobs_run_without_their_workload,
        "Breaks JI-061: lets a job run whose Workload is deleted; JIN-061 must catch it.",
    ),
    (jobs.sees_no_end_of_a_job, "Breaks JI-040: does not see that a job is over; JIN-040 must catch it."),
    (
        jobs.takes_every_end_for_a_good_one,
        "Breaks JI-041: says of a job that failed that it succeeded; JIN-040[badly] must catch it.",
    ),
    (
        jobs.sees_good_ends_alone,
        "Breaks JI-041: does not see that a job has failed; JIN-040[badly] must catch it.",
    ),
    (
        ends.sees_no_end_of_an_evicted_job,
        "Breaks JI-045: ends the eviction, and never sees that the job has ended; JIN-044 must catch it.",
    ),
    (
        jobs.gives_no_pods_back,
        "Breaks JI-090: does not say which pods will not run again; JIN-110 must catch it.",
    ),
    (jobs.never_tells_of_pods, "Breaks JI-092: never says whether pods are ready; JIN-113 must catch it."),
)

for decision, says in DECISIONS:
    judge_as_integration(decision, says)
