"""The metadata of an update is judged once for all kinds,
and as often more as the rules of the kind do (FK-071).
"""

import pytest

from fakecluster.kinds import BUILTIN_KINDS
from fakecluster.meta import objectmeta

BY_NAME = {(kind.group, kind.kind): kind for kind in BUILTIN_KINDS}
OLD = {"metadata": {"name": "x", "uid": "1"}}
NEW = {"metadata": {"name": "x", "uid": "2", "labels": {"bad key!": "v"}, "finalizers": ["x"]}}
LETTERS = {"metadata.labels": "L", "metadata.uid": "U", "metadata.finalizers[0]": "F"}
FOUND = {
    ("", "Pod"): "LULULFLF",
    ("apps", "Deployment"): "LULULF",
    ("", "Node"): "LULLFULF",
    ("", "PersistentVolume"): "LULLFLF",
    ("", "LimitRange"): "LULLF",
    ("", "Event"): "LUL",
    ("policy", "PodDisruptionBudget"): "LUL",
    ("coordination.k8s.io", "Lease"): "LULUL",
    ("node.k8s.io", "RuntimeClass"): "LULLUL",
    ("apiregistration.k8s.io", "APIService"): "LULULL",
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"): "LULL",
}


@pytest.mark.parametrize(("name", "metadata"), FOUND.items(), ids=[kind for _, kind in FOUND])
def test_labels_uid_and_finalizers_are_told_in_the_order_of_the_real_server(name, metadata):
    errors = objectmeta.of_update(NEW, OLD, BY_NAME[name])

    assert "".join(LETTERS[error.field] for error in errors) == metadata


STATUSES = {
    ("", "Node"): "LULULF",
    ("batch", "CronJob"): "LUL",
    ("certificates.k8s.io", "CertificateSigningRequest"): "LULLFULF",
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"): "LULUL",
}


@pytest.mark.parametrize(("name", "metadata"), STATUSES.items(), ids=[kind for _, kind in STATUSES])
def test_a_status_is_judged_by_what_may_not_change(name, metadata):
    errors = objectmeta.of_update(NEW, OLD, BY_NAME[name], of_status=True)

    assert "".join(LETTERS[error.field] for error in errors) == metadata
