"""Objects of a case that the server does not delete."""

import pytest

from kueue_conformance.wire.client import Client
from kueue_conformance.wire.resource import RESOURCES


def test_the_error_says_why_an_object_was_not_deleted():
    client = Client(lambda *_: (500, b'{"message": "etcdserver: request timed out"}'), agent="test")
    client.created += [(RESOURCES["Workload"], "ns", name) for name in ("work", "other")]

    with pytest.raises(ExceptionGroup, match="could not be deleted: etcdserver: request timed out") as caught:
        client.clean_up()

    assert len(caught.value.exceptions) == 2
