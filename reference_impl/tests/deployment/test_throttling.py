"""What limits requests for pending Workloads: only where it is asked for, and as the release has it
(VIS-601…603, VIS-612).
"""

import pytest

from reference_impl.api.known_releases import NAMED
from reference_impl.kueue.deployment.bundle import bundle
from reference_impl.kueue.deployment.site import Site
from reference_impl.kueue.install import manifests
from reference_impl.kueue.visibility.attributes import Attributes, User
from reference_impl.kueue.visibility.flow_control.levels import PriorityLevel
from reference_impl.kueue.visibility.flow_control.schemas import Schema
from reference_impl.kueue.visibility.flow_control.table import Table

KINDS = ("FlowSchema", "PriorityLevelConfiguration")
ASKED = Attributes(
    verb="get", path="/x", group="visibility.kueue.x-k8s.io", resource="localqueues", namespace="a"
)


def objects_of_bundle(**site):
    return {obj["kind"]: obj for obj in bundle(Site(**site)) if obj["kind"] in KINDS}


def objects_of_manifests(dialect="v0.19", **chosen):
    return {obj["kind"]: obj for _, obj in manifests("n", dialect, **chosen) if obj["kind"] in KINDS}


def test_nothing_limits_by_default():
    assert (objects_of_bundle(), objects_of_manifests()) == ({}, {})


@pytest.mark.parametrize(
    ("defects", "level"),
    [
        pytest.param(True, "visibility", id="as shipped it dangles"),
        pytest.param(False, "kueue-visibility", id="without defects it is found"),
    ],
)
def test_the_level_of_the_schema(defects, level):
    """VIS-612."""
    objects = objects_of_manifests(defects=defects, visibility_apf=True)

    assert objects == objects_of_bundle(without_defects=not defects, visibility_apf=True)
    assert objects["FlowSchema"]["spec"]["priorityLevelConfiguration"] == {"name": level}
    assert {obj["metadata"]["name"] for obj in objects.values()} == {"kueue-visibility"}


@pytest.mark.parametrize(
    ("dialect", "count"), [pytest.param(name, 0 if name == "v0.6" else 2, id=name) for name in NAMED]
)
def test_releases_that_ship_it(dialect, count):
    """VIS-D13."""
    assert len(objects_of_manifests(dialect, visibility_apf=True)) == count


@pytest.mark.parametrize(
    ("user", "schema"),
    [
        pytest.param(User(name="a", groups=("system:authenticated",)), "kueue-visibility", id="a user"),
        pytest.param(User(name="a", groups=("system:unauthenticated",)), "kueue-visibility", id="anonymous"),
        pytest.param(
            User(name="a", groups=("system:masters", "system:authenticated")), "exempt", id="masters"
        ),
    ],
)
def test_everybody_but_masters_is_limited(user, schema):
    objects = objects_of_manifests(defects=False, visibility_apf=True)
    table = Table.of(
        [Schema.of(objects["FlowSchema"])], [PriorityLevel.of(objects["PriorityLevelConfiguration"])]
    )

    assert table.place(user, ASKED).schema.name == schema


def test_the_choice_of_defects_reaches_the_program():
    (deployment,) = (obj for obj in bundle(Site(without_defects=True)) if obj["kind"] == "Deployment")

    assert "--without-defects" in deployment["spec"]["template"]["spec"]["containers"][0]["args"]
