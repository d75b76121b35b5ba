"""Workloads have the names that Kueue v0.19.2 gives them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reference_impl.kueue.jobs.workload_construction import workload_name

from .objects import job

NAMES = {
    "short": ("name", "job-name-ef3a1"),
    # With a limit of 63 characters the name would be cut behind this dot.
    "a dot at character 53": ("a" * 52 + ".b", "job-" + "a" * 52 + ".b-de201"),
    "the longest of a Job": ("a" * 63, "job-" + "a" * 63 + "-2b4a6"),
    "of another kind": ("a" * 253, "job-" + "a" * 243 + "-7e294"),
}


@pytest.mark.parametrize(("name", "workload"), NAMES.values(), ids=NAMES)
def test_workload_is_named_after_its_job(name: str, workload: str) -> None:
    suspended = job()
    metadata = {**suspended.metadata, "name": name, "uid": "uid"}

    assert workload_name(replace(suspended, object={**suspended.object, "metadata": metadata})) == workload


def test_jobs_of_the_same_name_have_workloads_of_different_names() -> None:
    first = job()
    successor = replace(first, object={**first.object, "metadata": {**first.metadata, "uid": "another"}})

    assert workload_name(first) != workload_name(successor)
