"""The roles of people: Kueue's, with their labels, and bound to nobody (VIS-442)."""

import pytest

from reference_impl.deployment.bundle import bundle
from reference_impl.deployment.site import Site
from reference_impl.deployment.users import user_roles

ROLES = {role["metadata"]["name"]: role for role in user_roles()}


def gathered(audience):
    """Return the roles that one for an audience selects."""
    (selector,) = ROLES[f"kueue-{audience}-role"]["aggregationRule"]["clusterRoleSelectors"]
    wanted = selector["matchLabels"].items()
    return {name for name, role in ROLES.items() if wanted <= role["metadata"]["labels"].items()}


def test_users_write_jobs_alone():
    assert gathered("batch-user") == {
        "kueue-job-editor-role", "kueue-job-viewer-role", "kueue-localqueue-viewer-role", "kueue-workload-viewer-role",
    }  # fmt: skip


def test_administrators_have_every_role_of_a_kind():
    assert gathered("batch-admin") == {name for name, role in ROLES.items() if "rules" in role}


@pytest.mark.parametrize("audience", ["batch-admin", "batch-user"])
def test_an_apply_leaves_what_was_gathered(audience):
    assert "rules" not in ROLES[f"kueue-{audience}-role"]


def test_they_are_printed_and_nobody_is_bound():
    objects = bundle(Site())
    bound = {obj["roleRef"]["name"] for obj in objects if "roleRef" in obj}

    assert ROLES.keys() <= {obj["metadata"]["name"] for obj in objects}
    assert not bound & ROLES.keys()
