"""Wrong about the namespaces in which Jobs are managed (AC-339, KV-19)."""

from dataclasses import replace

from reference_impl.kueue.jobs.controller import JobController
from reference_impl.kueue.managed_namespaces import ManagedNamespaces
from reference_impl.kueue.webhooks import defaults

from ...killing.planes import wrong


@wrong((ManagedNamespaces, "include"), dialect="v0.20")
def manages_jobs_of_any_namespace(_, _self, _namespace):
    """Breaks AC-339: Jobs are managed where the selector leaves them out; ADM-850 must catch it."""
    return True


@wrong((ManagedNamespaces, "include"), dialect="v0.20")
def manages_no_jobs_where_labels_decide(right, self, namespace):
    """Breaks AC-339: a selector that reads labels selects nothing; ADM-850 must catch it."""
    return not self.reads_labels and right(self, namespace)


@wrong((JobController, "reconcile"), dialect="v0.20")
async def leaves_jobs_without_a_queue_alone_only(right, self, key):
    """Breaks AC-339: a Job with a queue is managed whatever its namespace; ADM-850 must catch it."""
    namespaces = self.namespaces
    if (job := self.jobs.get(key)) and job["metadata"].get("labels"):
        object.__setattr__(self, "namespaces", ManagedNamespaces())
    try:
        return await right(self, key)
    finally:
        object.__setattr__(self, "namespaces", namespaces)


@wrong((defaults, "add_priority_class"), dialect="v0.20")
def still_gives_jobs_of_other_namespaces_a_class(right, obj, settings):
    """Breaks KV-19: Jobs of namespaces that are left out have the class named default;
    ADM-851 should catch it.
    """
    return right(obj, replace(settings, namespaces=ManagedNamespaces()))
