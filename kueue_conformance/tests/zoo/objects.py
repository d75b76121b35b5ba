"""Reading and naming objects of the API."""

from datetime import UTC, datetime

from .api import BUDGETS, CORE, KUEUE, LEASES


def condition(manifest, name):
    """Return a condition, empty when there is none."""
    return next(
        (
            condition
            for condition in manifest.get("status", {}).get("conditions", [])
            if condition["type"] == name
        ),
        {},
    )


def is_true(manifest, name):
    """Tell whether a condition is True."""
    return condition(manifest, name).get("status") == "True"


def check_entries(workload):
    """Return the entries of a Workload."""
    return workload.get("status", {}).get("admissionChecks", [])


def timestamp(seconds):
    """Return a time as the API writes it."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def workload_path(namespace, name):
    """Return where the status of a Workload is."""
    return f"{KUEUE}/namespaces/{namespace}/workloads/{name}/status"


def check_path(name):
    """Return where the status of an AdmissionCheck is."""
    return f"{KUEUE}/admissionchecks/{name}/status"


def effects_path(namespace, name=""):
    """Return where the outside work is, or one of it."""
    return f"{CORE}/namespaces/{namespace}/configmaps" + (f"/{name}" if name else "")


def lease_path(name=""):
    """Return where leases are, or one of them."""
    return f"{LEASES}/namespaces/default/leases" + (f"/{name}" if name else "")


CHECKS, WORKLOADS, EFFECTS, PARAMETERS = (
    f"{KUEUE}/admissionchecks",
    f"{KUEUE}/workloads",
    f"{CORE}/configmaps",
    f"{BUDGETS}/budgets",
)
