"""Webhooks that give Jobs the class named default in a release that does not, or not as a release does."""

from dataclasses import replace

from reference_impl.kueue.features import Features
from reference_impl.kueue.jobs.job import PRIORITY_CLASS_LABEL, Job
from reference_impl.kueue.webhooks import defaults
from reference_impl.kueue.webhooks.priority_classes import DEFAULT_CLASS, GATE

from ...killing.planes import wrong


@wrong((defaults, "add_priority_class"), dialect="v0.20")
def still_gives_jobs_no_class(_, obj, _settings):
    """Breaks KV-19: no Job has the class named default; ADM-840[with-a-queue] should catch it."""
    return obj


@wrong((defaults, "add_priority_class"), dialect="v0.20")
def gives_jobs_with_a_queue_alone_a_class(right, obj, settings):
    """Breaks KV-19: a Job without a queue has no class; ADM-840[without-a-queue] should catch it."""
    return right(obj, settings) if Job(obj).queue_name else obj


@wrong((defaults, "add_priority_class"), dialect="v0.20")
def gives_owned_jobs_no_class(right, obj, settings):
    """Breaks KV-19: a Job that anything controls has no class;
    ADM-840[of-an-owner-that-is-no-job] should catch it.
    """
    return obj if obj["metadata"].get("ownerReferences") else right(obj, settings)


@wrong((defaults, "add_priority_class"), dialect="v0.20")
def gives_a_class_that_does_not_exist(right, obj, settings):
    """Breaks KV-19: Jobs are labelled before there is such a class; ADM-840 should catch it."""
    return right(obj, replace(settings, priority_classes={DEFAULT_CLASS}))


@wrong((defaults, "parent_of"), dialect="v0.20")
def gives_jobs_of_jobs_a_class(_, _obj):
    """Breaks KV-19: the Job of a managed Job has the class named default; ADM-841 should catch it."""
    return


@wrong((defaults, "add_priority_class"), dialect="v0.20")
def replaces_the_class_that_a_job_names(right, obj, settings):
    """Breaks KV-19: a Job that names a class gets the one named default; ADM-841 should catch it."""
    labels = {name: value for name, value in Job(obj).labels.items() if name != PRIORITY_CLASS_LABEL}
    return right({**obj, "metadata": {**obj["metadata"], "labels": labels}}, settings)


@wrong((Features, "__getitem__"), dialect="v0.19")
def already_gives_jobs_a_class(right, self, name):
    """Breaks KV-19: a v0.19.2 gives Jobs the class named default; ADM-842 should catch it."""
    return name == GATE or right(self, name)
