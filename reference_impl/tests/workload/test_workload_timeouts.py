"""The times that a Workload gives its own pods (KV-61)."""

import pytest

from reference_impl.kueue.workload.rules import PodsReady
from reference_impl.kueue.workload.workload_timeouts import ANNOTATION, prefer_workload

from .objects import workload

CONFIGURED = PodsReady(timeout=10, recovery_timeout=20, block_admission=True)
TEXTS = {
    "no annotation": (None, (10, 20)),
    "a start": ('{"timeoutSeconds": 5}', (5, 5)),
    "both": ('{"timeoutSeconds": 5, "recoveryTimeoutSeconds": 7}', (5, 7)),
    "a recovery alone": ('{"recoveryTimeoutSeconds": 7}', (10, 20)),
    "no JSON": ("5", (10, 20)),
    "an unknown field": ('{"timeoutSeconds": 5, "other": 1}', (5, 5)),
}


@pytest.mark.parametrize(("text", "seconds"), TEXTS.values(), ids=TEXTS)
def test_times_of_the_annotation_come_before_those_of_the_configuration(text, seconds):
    annotations = {ANNOTATION: text} if text else {}

    policy = prefer_workload(workload(metadata={"annotations": annotations}), CONFIGURED)

    assert (policy.timeout, policy.recovery_timeout) == seconds
    assert policy.block_admission


def test_times_of_the_annotation_hold_without_a_configuration():
    annotations = {ANNOTATION: '{"timeoutSeconds": 5}'}

    policy = prefer_workload(workload(metadata={"annotations": annotations}), None)

    assert policy == PodsReady(timeout=5, recovery_timeout=5)
