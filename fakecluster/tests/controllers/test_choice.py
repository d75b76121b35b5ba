"""Which controllers run is said by name."""

import pytest

from fakecluster.controllers import NAMES, OPTIONAL_CONTROLLERS, UnknownController, chosen


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("all", tuple(name for name in NAMES if name not in OPTIONAL_CONTROLLERS)),
        ("none", ()),
        ("kubelets", ("kubelets",)),
        ("pods, jobs", ("jobs", "pods")),
        (["garbage"], ("garbage",)),
    ],
    ids=["all", "none", "one that all leaves out", "a list in words", "a list"],
)
def test_controllers_are_chosen_by_name(words, names):
    assert chosen(words) == names


def test_an_unknown_name_is_explained():
    with pytest.raises(
        UnknownController,
        match="there is no controller 'cron': expected one of accounts, certificates, clusterroles,",
    ):
        chosen("jobs,cron")


def test_one_of_them_runs_the_pods():
    with pytest.raises(UnknownController, match="'kubelets' and 'pods' both run pods"):
        chosen("kubelets,pods")
