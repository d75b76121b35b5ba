"""Wrong about requests after a restart, and about what fails on the way to the API server (PA-170, PD-18)."""

from reference_impl.kueue.provisioning import decide, fitting, states
from reference_impl.kueue.provisioning.controller import CheckStatusReconciler
from reference_impl.kueue.provisioning.triggers import Triggers
from reference_impl.kueue.provisioning.writing import StepExecutor
from reference_impl.kueue.workload.view import Workload
from reference_impl.runtime.errors import ApiError, UnreachableError
from reference_impl.runtime.informer import Informer

from ...killing.planes import wrong

SEEN: list[str] = []
"""What the process has seen change since it was started."""


@wrong((Triggers, "on_request"), (Triggers, "on_workload"), (Triggers, "_listing"))
def hears_nothing_of_what_was_there(right, self, *event):
    """Breaks PA-170: what was there when it started is not looked at; PRC-187 must catch it."""
    if right.__name__ == "_listing":
        return
    old, new = event
    if old is not None or (
        right.__name__ == "on_workload" and new and not Workload(new).has_quota_reservation
    ):
        right(self, old, new)


@wrong((Triggers, "__init__"), (Triggers, "on_config"), (fitting, "has_configured_parameters"))
def compares_after_a_change_that_it_saw(right, *args):
    """Breaks PA-130: a configuration that changed before its start is not compared; PRC-188 must catch it."""
    if right.__name__ == "__init__":
        SEEN.clear()
    elif right.__name__ == "on_config" and args[1] is not None:
        SEEN.append("configuration")
    elif right.__name__ == "has_configured_parameters" and not SEEN:
        return True
    return right(*args)


@wrong((Triggers, "__init__"), (Triggers, "on_workload"), (decide, "decide"))
def cleans_up_what_it_saw_end(right, *args):
    """Breaks PA-032: the request of what ended before its start stays; PRC-186 must catch it."""
    if right.__name__ == "__init__":
        SEEN.clear()
    elif right.__name__ == "on_workload" and args[1] is not None:
        SEEN.append("Workload")
    elif right.__name__ == "decide" and args[0].workload.is_finished and not SEEN:
        return ()
    return right(*args)


@wrong((StepExecutor, "_delete"))
async def tries_a_deletion_once(right, self, request):
    """Breaks PA-032: a deletion that failed is not tried again; PRC-193 must catch it."""
    try:
        await right(self, request)
    except (ApiError, UnreachableError):
        return


@wrong((CheckStatusReconciler, "reconcile"))
async def tries_the_condition_once(right, self, key):
    """Breaks PA-020: a condition that could not be written is not tried again; PRC-197 must catch it."""
    try:
        await right(self, key)
    except (ApiError, UnreachableError):
        return


@wrong((Informer, "_replace"))
def tells_nothing_of_a_second_list(right, self, fresh):
    """Breaks PA-170: what a list brings after a broken watch
    is stored and not looked at; PRC-198 must catch it.
    """
    handlers, self._handlers = self._handlers, [] if self.synced.is_set() else self._handlers
    right(self, fresh)
    self._handlers = handlers


@wrong((Triggers, "__init__"), (StepExecutor, "_request"), (fitting, "current_request"))
def knows_the_requests_that_it_made(right, *args):
    """Breaks PA-036: a request that was made before its start is not found;
    PRC-184[4-requests] must catch it.
    """
    if right.__name__ == "__init__":
        SEEN.clear()
    elif right.__name__ == "_request":
        SEEN.append(args[1]["metadata"]["name"])
    done = right(*args)
    return None if right.__name__ == "current_request" and done and done[0].name not in SEEN else done


@wrong((Triggers, "__init__"), (Triggers, "on_request"), (states, "retry_failed"))
def heeds_a_failure_that_it_saw(right, *args):
    """Breaks PA-112: a failure that was told before its start leads to no retry; PRC-185 must catch it."""
    if right.__name__ == "__init__":
        SEEN.clear()
    elif right.__name__ == "on_request" and args[1] is not None:
        SEEN.append("request")
    elif right.__name__ == "retry_failed" and not SEEN:
        return None
    return right(*args)


@wrong((StepExecutor, "_write"))
async def tries_a_verdict_once(right, self, workload, step):
    """Breaks PA-155: a verdict that could not be written is not tried again; PRC-192 must catch it."""
    try:
        return await right(self, workload, step)
    except (ApiError, UnreachableError):
        return workload
