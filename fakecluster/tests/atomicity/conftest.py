"""What the tests of interrupted writes share."""

from __future__ import annotations

import logging

import pytest

from fakecluster.server.watch import streams


@pytest.fixture(autouse=True)
def at_once(monkeypatch, caplog):
    """Rounds of writing that follow one another without a pause; a log that stays short."""
    monkeypatch.setattr(streams, "LONGEST_REST", 0.0)
    caplog.set_level(logging.CRITICAL)
