"""The example of a job integration ends with its error when a watch fails unexpectedly."""

import importlib.util

import pytest

from kueue_conformance.tests.checkout import ROOT

EXAMPLE = ROOT / "examples/job_integrations/python/integration.py"


class BrokenApi:
    """Answers a list with something that is no list."""

    def list_cluster_custom_object(self, *_, **__):
        return {"kind": "Status"}


@pytest.fixture
def example():
    spec = importlib.util.spec_from_file_location("example_integration", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_watch_that_fails_ends_the_program(example):
    integration = example.TrainingIntegration(BrokenApi())

    with pytest.raises(KeyError, match="items"):
        integration.run()

    assert integration.stop.is_set()
