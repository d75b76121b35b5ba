"""A cluster of the fake backend on virtual time; modules that need another one say so themselves."""

import pytest

from kueue_conformance.backends.fake import FakeBackend
from kueue_conformance.scenarios.dialect import known_dialects


@pytest.fixture
def cluster():
    backend = FakeBackend()
    lease = backend.lend(known_dialects()["v0.19"])
    yield lease
    lease.close()
    backend.close()
