"""A cluster of the fake backend on virtual time, as for other tests of what runs beside a case."""

from kueue_conformance.tests.running.conftest import cluster

__all__ = ["cluster"]
