"""The integration of Jobs as the only part of a program."""

from typing import Any
from unittest.mock import Mock

from reference_impl.kueue.dialects import dialect
from reference_impl.kueue.jobs.controller import JobPart
from reference_impl.kueue.workload import metric_definitions
from reference_impl.runtime.metrics import Registry


def test_it_counts_what_its_workloads_do_without_another_part() -> None:
    runtime: Any = Mock(metrics=Registry(()))

    JobPart(rules=dialect("v0.19").workload).assemble(runtime)

    assert runtime.metrics._metrics.keys() >= {metric.name for metric in metric_definitions.METRICS}
