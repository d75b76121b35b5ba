"""The roles of people: Kueue's, with their labels, and without bindings (VIS-442)."""

import pytest

from reference_impl.kueue.deployment.bundle import bundle
from reference_impl.kueue.deployment.site import Site
from reference_impl.kueue.deployment.users import user_roles
from reference_impl.kueue.dialects import dialect

ROLES = {role["metadata"]["name"]: role for role in user_roles(dialect("v0.19").visibility)}


def aggregate(audience):
    """Return the roles that one for an audience selects."""
    (selector,) = ROLES[f"kueue-{audience}-role"]["aggregationRule"]["clusterRoleSelectors"]
    labels = selector["matchLabels"].items()
    return {name for name, role in ROLES.items() if labels <= role["metadata"]["labels"].items()}


def test_users_write_jobs_alone():
    assert aggregate("batch-user") == {
        "kueue-job-editor-role",
        "kueue-job-viewer-role",
        "kueue-localqueue-viewer-role",
        "kueue-pending-workloads-lq-viewer-role",
        "kueue-workload-viewer-role",
    }


def test_administrators_have_every_role_of_a_kind():
    assert aggregate("batch-admin") == {name for name, role in ROLES.items() if "rules" in role}


@pytest.mark.parametrize("audience", ["batch-admin", "batch-user"])
def test_an_apply_leaves_what_was_gathered(audience):
    assert "rules" not in ROLES[f"kueue-{audience}-role"]


def test_they_are_printed_and_nobody_is_bound():
    objects = bundle(Site())
    bound = {obj["roleRef"]["name"] for obj in objects if "roleRef" in obj}

    assert ROLES.keys() <= {obj["metadata"]["name"] for obj in objects}
    assert not bound & ROLES.keys()


KUEUE, CLUSTER = "rbac.kueue.x-k8s.io", "rbac.authorization.k8s.io/aggregate-to"
AGGREGATED = [f"{CLUSTER}-{name}" for name in ("admin", "edit", "view")]


@pytest.mark.parametrize(
    ("release", "queues", "short", "labels"),
    [
        pytest.param(
            "v0.19", "clusterqueues", "cq", [*AGGREGATED, f"{KUEUE}/batch-admin"], id="v0.19 ClusterQueues"
        ),
        pytest.param(
            "v0.19",
            "localqueues",
            "lq",
            [*AGGREGATED, f"{KUEUE}/batch-admin", f"{KUEUE}/batch-user"],
            id="v0.19 LocalQueues",
        ),
        pytest.param(
            "docs-2024", "clusterqueues", "cq", [f"{KUEUE}/batch-admin"], id="docs-2024 ClusterQueues"
        ),
        pytest.param(
            "v0.6",
            "localqueues",
            "lq",
            [f"{KUEUE}/batch-admin", f"{KUEUE}/batch-user"],
            id="v0.6 LocalQueues",
        ),
    ],
)
def test_who_sees_pending_workloads(release, queues, short, labels):
    """VIS-440, VIS-441, VIS-D14."""
    name = f"pending-workloads-{short}-viewer"
    (role,) = (
        user_role
        for user_role in user_roles(dialect(release).visibility)
        if user_role["metadata"]["name"] == f"kueue-{name}-role"
    )
    named = {f"{KUEUE}/role": name} if release == "v0.19" else {}

    assert role["rules"] == [
        {
            "apiGroups": ["visibility.kueue.x-k8s.io"],
            "resources": [f"{queues}/pendingworkloads"],
            "verbs": ["get", "list", "watch"],
        }
    ]
    assert {key: value for key, value in role["metadata"]["labels"].items() if "rbac" in key} == {
        **named,
        **dict.fromkeys(labels, "true"),
    }
