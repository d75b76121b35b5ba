"""What is advised when a subject has died, by what it printed (harness/H-43)."""

from types import SimpleNamespace

import pytest

from kueue_conformance.base.errors import SubjectDied
from kueue_conformance.subject.log import Line
from kueue_conformance.subject.replica import BY_HAND, PORT_IN_USE, Replica


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        pytest.param("no licence", BY_HAND, id="anything"),
        pytest.param("panic: listen tcp :8080: bind: address already in use", PORT_IN_USE, id="Go"),
        pytest.param("OSError: [Errno 98] Address already in use", PORT_IN_USE, id="Python"),
        pytest.param("java.net.BindException: Address already in use", PORT_IN_USE, id="Java"),
        pytest.param("Error: listen EADDRINUSE: :::8080", PORT_IN_USE, id="Node"),
    ],
)
def test_a_subject_that_died_at_a_port_of_another_copy_is_told_so(line, hint):
    handle = SimpleNamespace(exit_reason=lambda: "acme ended with exit code 2", log=lambda: [Line(0, line)])
    replica = Replica(SimpleNamespace(start=lambda *_: handle), context=None, cluster=None, number=1)

    with pytest.raises(SubjectDied, match="the subject died: acme ended with exit code 2") as died:
        replica.check_alive()

    assert died.value.hint == hint
