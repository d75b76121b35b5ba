"""Which namespaces a selector manages, and what is read for that (AC-339)."""

from unittest.mock import Mock

import pytest

from reference_impl.api.kinds import NAMESPACES
from reference_impl.api.resource import Key
from reference_impl.kueue.managed_namespaces import ManagedNamespaces, all_but

LABELLED = {"matchLabels": {"batch": "yes"}}


def _following(selector, **labels):
    """Return the namespaces of a manager in which `team` has these labels."""
    namespaces = ManagedNamespaces(selector)
    store = {Key("", "team"): {"metadata": {"name": "team", "labels": labels}}}
    runtime = Mock(informer=Mock(return_value=Mock(store=store)))
    assert namespaces.assemble(runtime) == ()
    return namespaces, runtime


@pytest.mark.parametrize(
    ("selector", "labels", "included"),
    [
        pytest.param(LABELLED, {"batch": "yes"}, True, id="labelled"),
        pytest.param(LABELLED, {}, False, id="not labelled"),
        pytest.param({}, {}, True, id="empty"),
        pytest.param(all_but("kube-system"), {}, True, id="default"),
        pytest.param(all_but("team"), {}, False, id="left out by name"),
    ],
)
def test_which_namespace_is_managed(selector, labels, included):
    namespaces, _ = _following(selector, **labels)

    assert namespaces.include("team") is included


def test_namespaces_are_followed_only_where_their_labels_decide():
    _, by_labels = _following(LABELLED)
    _, by_name = _following(all_but("kube-system"))

    by_labels.informer.assert_called_once_with(NAMESPACES)
    by_name.informer.assert_not_called()


def test_a_namespace_that_was_not_read_yet_is_not_managed():
    namespaces, _ = _following(LABELLED, batch="yes")

    assert not namespaces.include("other")
    assert not ManagedNamespaces(LABELLED).include("team")
