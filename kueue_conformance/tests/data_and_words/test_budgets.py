"""Named waits (H-23)."""

import pytest

from kueue_conformance.base.budget import Budgets
from kueue_conformance.base.errors import UsageError
from kueue_conformance.base.resources import load_yaml


def test_virtual_and_real_time_have_budgets_of_their_own():
    assert (Budgets(virtual=True).seconds("requeue"), Budgets(virtual=False).seconds("requeue")) == (10, 30)


def test_scale_multiplies():
    assert Budgets(virtual=False, scale=2.5).seconds("react") == 25


def test_an_unknown_budget_has_a_nearest_one():
    with pytest.raises(UsageError, match="unknown budget 'reakt'"):
        Budgets(virtual=True).seconds("reakt")


@pytest.mark.parametrize("name", load_yaml("budgets.yaml"))
def test_every_budget_says_why(name):
    assert set(load_yaml("budgets.yaml")[name]) == {"virtual", "wall", "why"}
