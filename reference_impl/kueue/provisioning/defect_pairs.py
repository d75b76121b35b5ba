"""Pairs of small rules: what the release does, and what its documents say (paired in `kueue/defects/`)."""

from __future__ import annotations

from typing import cast

from reference_impl.api import instants
from reference_impl.api.objects import CheckState
from reference_impl.api.shortening import shorten
from reference_impl.kueue.checks.entries import READY, REJECTED, RETRY
from reference_impl.kueue.workload.view import Workload

from . import messages
from .snapshot import ProvisioningCheck


def keep_transition_time(_before: CheckState, after: CheckState, _current_time: float) -> CheckState:
    """Leave an answer the time that it has: waits are counted from there (PA-100)."""
    # Kueue counts the wait of a Retry from this time. As it stays that of the Pending
    # before, a wait may be over before it begins (PA-100).
    return after


def set_transition_time(before: CheckState, after: CheckState, current_time: float) -> CheckState:
    """Give an answer whose state changes the time of its change (PA-100, fixed)."""
    if before["state"] == after["state"]:
        return after
    return {**after, "lastTransitionTime": instants.render(current_time)}


def report_each_time(entry: CheckState, message: str, current_time: float) -> CheckState | None:
    """Tell a refusal at each attempt, with the time of that (PA-124)."""
    # Kueue writes the time although the state is the same.
    return {**entry, "message": message, "lastTransitionTime": instants.render(current_time)}


def report_once(entry: CheckState, message: str, _current_time: float) -> CheckState | None:
    """Tell it once, and leave the time: the state is what it was (PA-124, fixed)."""
    return None if entry["message"] == message else {**entry, "message": message}


def first_problem(checks: tuple[ProvisioningCheck, ...]) -> str:
    """Stop at a bad reference, for all checks of the Workload (PA-034)."""
    # Kueue returns an error for the whole Workload, so that checks with valid
    # references get no answer either.
    return next((check.problem for check in checks if check.problem), "")


def no_problem(_checks: tuple[ProvisioningCheck, ...]) -> str:
    """Take a check with a bad reference for one that is not active (DK-25; PA-034, fixed)."""
    return ""


def skip_no_workload(_workload: Workload) -> bool:
    """Answer also for a Workload that was switched off or deleted, until Kueue evicts it (CC-023, CC-024)."""
    return False


def is_inactive_or_deleting(workload: Workload) -> bool:
    """Answer nothing for a Workload that was switched off or is being deleted (CC-023, CC-024, fixed)."""
    return not workload.is_active or workload.is_deleting


def skip_no_check(_check: ProvisioningCheck) -> bool:
    """Work on for a check that is being deleted, as long as a ClusterQueue holds it (PC-12)."""
    return False


def is_check_deleting(check: ProvisioningCheck) -> bool:
    """Keep its entries and its requests (CC-066; PC-12, fixed)."""
    return check.is_deleting


def keep_missing_message(entry: CheckState) -> CheckState:
    """Pass on the message of an autoscaler, also where there are none (PA-076)."""
    return entry


def set_missing_message(entry: CheckState) -> CheckState:
    """Say what can be said where an autoscaler refuses without a word (CC-036, fixed)."""
    if entry["state"] != REJECTED or entry["message"]:
        return entry
    return {**entry, "message": messages.NO_REASON}


def keep_stale_fields(entry: CheckState) -> CheckState:
    """Leave what an earlier answer left behind (PC-15)."""
    return entry


def clear_stale_fields(entry: CheckState) -> CheckState:
    """Remove updates from entries that are not Ready,
    and the wait from those that are not Retry (PC-15, fixed).
    """
    stale = {READY: {"requeueAfterSeconds"}, RETRY: {"podSetUpdates"}}
    gone = stale.get(entry["state"], {"requeueAfterSeconds", "podSetUpdates"})
    return cast("CheckState", {name: value for name, value in entry.items() if name not in gone})


def keep_message(entry: CheckState) -> CheckState:
    """Keep a message, also where its prefix makes it too long for the API (PA-158)."""
    return entry


def limit_message(entry: CheckState) -> CheckState:
    """Cut a message that is too long for the API (PA-158, fixed)."""
    return {**entry, "message": shorten(entry["message"], messages.LONGEST_MESSAGE)}


def needs_always(_workload: Workload) -> bool:
    """Ask for every Workload with quota, also for one that runs when a check comes to its queue (PC-13)."""
    return True


def needs_before_admission(workload: Workload) -> bool:
    """Ask for no room that a Workload has found already (PC-13, fixed)."""
    return not workload.is_admitted
