"""Wrong about what an eviction makes of the entries of checks (AC-340, AC-345)."""

from reference_impl.kueue.checks import entries
from reference_impl.kueue.checks.entries import Checks
from reference_impl.kueue.workload import eviction, kep, verdicts
from reference_impl.kueue.workload.decision import ReplaceStatus
from reference_impl.kueue.workload.draft import StatusDraft

from ...killing.planes import wrong


def _each(checks, change):
    return Checks(tuple(change(number, entry) for number, entry in enumerate(checks.entries)))


@wrong((entries, "_reset"))
def resets_only_what_says_retry(reset, entry, current_time):
    """Breaks AC-340: what other checks said stays; ADM-341 must catch it."""
    return reset(entry, current_time) if entry["state"] == "Retry" else entry


@wrong((entries, "_reset"))
def resets_all_but_what_says_retry(reset, entry, current_time):
    """Breaks AC-340: Retry stays, so that nothing is reserved again; ADM-342 must catch it."""
    return entry if entry["state"] == "Retry" else reset(entry, current_time)


@wrong((entries, "_reset"))
def resets_all_but_what_has_passed(reset, entry, current_time):
    """Breaks AC-340: a check that has passed is not asked again; ADM-350 must catch it."""
    return entry if entry["state"] == "Ready" else reset(entry, current_time)


@wrong((entries, "_reset"))
def resets_all_but_what_rejects(reset, entry, current_time):
    """Breaks AC-340: Rejected stays; ADM-063 should catch it."""
    return entry if entry["state"] == "Rejected" else reset(entry, current_time)


@wrong((Checks, "reset"))
def resets_only_the_first_entry(reset, checks, current_time):
    """Breaks AC-340: stops after the first entry; ADM-342 must catch it."""
    done = reset(checks, current_time).entries
    return _each(checks, lambda number, entry: entry if number else done[0])


@wrong((Checks, "reset"))
def resets_all_but_the_last_entry(reset, checks, current_time):
    """Breaks AC-340: leaves the last of several entries out; ADM-342 must catch it."""
    done = reset(checks, current_time).entries
    return Checks((*done[:-1], checks.entries[-1])) if len(done) > 1 else Checks(done)


@wrong((Checks, "reset"))
def stops_resetting_at_an_undecided_entry(reset, checks, current_time):
    """Breaks AC-340: returns where it should go on; ADM-354[second] may catch it."""
    done = reset(checks, current_time).entries
    n = next((n for n, entry in enumerate(checks.entries) if entry["state"] == "Pending"), len(done))
    return Checks((*done[:n], *checks.entries[n:]))


@wrong((eviction, "_mark"))
def resets_for_checks_alone(marked, draft, reason, rules):
    """Breaks AC-340: verdicts survive an eviction that no check caused; ADM-350 must catch it."""
    done = marked(draft, reason, rules)
    return done if reason.reason == "AdmissionCheck" else done.with_checks(Checks.of(draft.status))


@wrong((eviction, "_mark"))
def resets_only_what_is_admitted(marked, draft, reason, rules):
    """Breaks AC-340: verdicts survive an eviction before admission; ADM-341 must catch it."""
    done = marked(draft, reason, rules)
    return done if draft.is_true("Admitted") else done.with_checks(Checks.of(draft.status))


@wrong((eviction, "_mark"))
def resets_nothing_of_the_inactive(marked, draft, reason, rules):
    """Breaks AC-340: verdicts survive a deactivation;
    ADM-350[admitted-deactivated-workload] must catch it.
    """
    done = marked(draft, reason, rules)
    return done.with_checks(Checks.of(draft.status)) if reason.reason.startswith("Deactivated") else done


@wrong((Checks, "reset"))
def drops_the_entries(_, checks, current_time):
    """Breaks AC-340: takes the list away instead of resetting it; ADM-228 should catch it."""
    return Checks()


@wrong((entries, "_reset"))
def resets_to_ready(reset, entry, current_time):
    """Breaks AC-340: what was reset counts as passed; ADM-341 must catch it."""
    return {**reset(entry, current_time), "state": "Ready"} if entry["state"] != "Pending" else entry


@wrong((entries, "_reset"))
def resets_undecided_entries_as_well(reset, entry, current_time):
    """Breaks AC-340: an undecided entry loses its message and its time; ADM-351 should catch it."""
    return (
        entries._pending(entry["name"], current_time)
        if entry["state"] == "Pending"
        else reset(entry, current_time)
    )


@wrong((entries, "_reset"))
def says_that_undecided_entries_were_reset(reset, entry, current_time):
    """Breaks AC-340: the message of an undecided entry is replaced; ADM-351 should catch it."""
    text = {**entry, "message": "Reset to Pending after eviction. Previously: Pending"}
    return text if entry["state"] == "Pending" else reset(entry, current_time)


@wrong((entries, "_reset"))
def moves_the_time_of_undecided_entries(reset, entry, current_time):
    """Breaks AC-340: the time of an undecided entry moves without its state; ADM-351 should catch it."""
    moved = {**entry, "lastTransitionTime": entries.instants.render(current_time)}
    return moved if entry["state"] == "Pending" else reset(entry, current_time)


@wrong((entries, "_reset"))
def keeps_the_time_of_the_verdict(reset, entry, current_time):
    """Breaks AC-340: a reset entry has the time of its verdict; ADM-352 should catch it."""
    return {**reset(entry, current_time), "lastTransitionTime": entry["lastTransitionTime"]}


@wrong((entries, "_reset"))
def moves_the_time_of_retries_alone(reset, entry, current_time):
    """Breaks AC-340: only what said Retry gets the time of the eviction; ADM-352 should catch it."""
    done = reset(entry, current_time)
    return done if entry["state"] == "Retry" else {**done, "lastTransitionTime": entry["lastTransitionTime"]}


@wrong((entries, "_reset"))
def says_nothing_of_what_was(reset, entry, current_time):
    """Breaks AC-340: a reset entry has no message; ADM-228 should catch it."""
    done = reset(entry, current_time)
    return done if entry["state"] == "Pending" else {**done, "message": ""}


@wrong((entries, "_reset"))
def keeps_the_message_of_the_verdict(reset, entry, current_time):
    """Breaks AC-340: a reset entry says what its verdict said; ADM-228 should catch it."""
    return {**reset(entry, current_time), "message": entry["message"]}


@wrong((entries, "_reset"))
def says_that_everything_was_a_retry(reset, entry, current_time):
    """Breaks AC-340: the message names the cause and not the entry's own state; ADM-353 should catch it."""
    text = "Reset to Pending after eviction. Previously: Retry"
    return entry if entry["state"] == "Pending" else {**reset(entry, current_time), "message": text}


@wrong((entries, "_reset"))
def counts_no_retry(reset, entry, current_time):
    """Breaks AC-345: retryCount is never there; ADM-042 may catch it."""
    return {key: value for key, value in reset(entry, current_time).items() if key != "retryCount"}


@wrong((entries, "_reset"))
def counts_one_retry_at_most(reset, entry, current_time):
    """Breaks AC-345: the count begins anew with each Retry; ADM-042 may catch it."""
    done = reset(entry, current_time)
    return {**done, "retryCount": 1} if entry["state"] == "Retry" else done


@wrong((entries, "_reset"))
def counts_retries_from_nothing(reset, entry, current_time):
    """Breaks AC-345: the first Retry is counted as none; ADM-042 may catch it."""
    done = reset(entry, current_time)
    return (
        {**done, "retryCount": done["retryCount"] - 1}
        if "retryCount" in done and entry["state"] == "Retry"
        else done
    )


@wrong((entries, "_reset"))
def counts_every_reset_as_a_retry(reset, entry, current_time):
    """Breaks AC-345: an entry that had passed counts one more; ADM-354 may catch it."""
    done = reset(entry, current_time)
    return done if entry["state"] == "Pending" else {**done, "retryCount": entry.get("retryCount", 0) + 1}


@wrong((Checks, "reset"))
def counts_a_retry_for_every_check(reset, checks, current_time):
    """Breaks AC-345: when one check says Retry, all of them count it; ADM-354 may catch it."""
    done = reset(checks, current_time)
    return _each(
        done,
        lambda _, entry: {**entry, "retryCount": max(entry.get("retryCount", 0) for entry in done.entries)},
    )


@wrong((Checks, "reset"))
def counts_the_first_retry_alone(reset, checks, current_time):
    """Breaks AC-345: of two checks that say Retry one is counted; ADM-354[both] may catch it."""
    first = next((entry["name"] for entry in checks.entries if entry["state"] == "Retry"), "")
    remaining = {"retryCount"}
    return _each(
        reset(checks, current_time),
        lambda _, entry: (
            entry if entry["name"] == first else {k: v for k, v in entry.items() if k not in remaining}
        ),
    )


@wrong((entries, "_reset"))
def keeps_the_count_of_what_has_passed(reset, entry, current_time):
    """Breaks AC-345: retries of before are counted on after the check has passed; ADM-354 may catch it."""
    done = reset(entry, current_time)
    return (
        {**done, "retryCount": entry["retryCount"]}
        if entry["state"] == "Ready" and "retryCount" in entry
        else done
    )


@wrong((Checks, "sync"))
def forgets_verdicts_when_a_check_is_added(synced, checks, required, current_time):
    """Breaks AC-357: a change of the list makes all of it undecided; ADM-385 must catch it."""
    done = synced(checks, required, current_time)
    return (
        done
        if done is checks
        else Checks(tuple(entries._pending(entry["name"], current_time) for entry in done.entries))
    )


@wrong((verdicts, "admit"))
def forgets_verdicts_at_admission(admit, workload, world, current_time, rules):
    """Breaks AC-285: the entries of an admitted Workload are undecided again; ADM-385 must catch it."""
    if (
        workload.is_admitted
        and workload.checks.are_all_ready
        and workload.checks.entries
        and not workload.is_evicted
    ):
        return verdicts.Decision(
            write=ReplaceStatus(
                StatusDraft.of(workload, current_time).with_checks(workload.checks.reset(current_time)).status
            )
        )
    return admit(workload, world, current_time, rules)


@wrong((kep, "keep_retry"), dialect="kep993")
def resets_everything_under_the_kep(_, checks, current_time):
    """Breaks AC-481: a Retry does not survive its eviction, so that nothing waits; ADM-053 must catch it."""
    return checks.reset(current_time)


@wrong((kep, "keep_retry"), dialect="kep993")
def resets_nothing_under_the_kep(_, checks, current_time):
    """Breaks AC-481: verdicts of other checks survive an eviction; ADM-053 must catch it."""
    return checks
