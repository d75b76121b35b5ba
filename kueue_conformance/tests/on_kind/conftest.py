"""A machine of its own for each test, which has to be left as it was found."""

import pytest

from .machine import KUBECONFIG, Machine


@pytest.fixture
def machine(tmp_path):
    """A home; nothing of a run is left when the test is over."""
    (tmp_path / ".kube").mkdir()
    (tmp_path / "tmp").mkdir()
    (tmp_path / ".kube/config").write_text(KUBECONFIG)
    new_machine = Machine(tmp_path)
    before = new_machine.traces()
    yield new_machine
    assert new_machine.traces() == before
