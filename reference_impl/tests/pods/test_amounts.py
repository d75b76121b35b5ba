"""Amounts: how they are read, and how they are shown (Q-080, Q-095)."""

from __future__ import annotations

import pytest

from reference_impl.pods.amounts import LARGEST, amount, render, render_for_status, render_limit

INT64 = 9_223_372_036_854_775_807
READ = {
    "cores are thousandths": ("cpu", "1500m", 1500),
    "others are whole, rounded up": ("memory", "1500m", 2),
    "what is negative is nothing": ("cpu", "-1", 0),
    "what is too large is the largest": ("memory", "1e30", INT64),
    "so are cores": ("cpu", "1e30", INT64),
}


@pytest.mark.parametrize(("resource", "written", "read"), READ.values(), ids=READ)
def test_an_amount_is_read(resource: str, written: str, read: int) -> None:
    assert amount(resource, written) == read


SHOWN = {
    "cores": ("cpu", 1500, "1500m"),
    "memory": ("memory", 1 << 30, "1Gi"),
    "disk": ("ephemeral-storage", 1 << 30, "1Gi"),
    "huge pages": ("hugepages-2Mi", 2 << 20, "2Mi"),
    "others are decimal": ("example.com/gpu", 1000, "1k"),
    "beyond what is counted": ("memory", INT64 + 1, "<unlimited>"),
    "as far below": ("memory", -INT64 - 1, "<unlimited>"),
}


@pytest.mark.parametrize(("resource", "value", "text"), SHOWN.values(), ids=SHOWN)
def test_an_amount_is_shown(resource: str, value: int, text: str) -> None:
    assert render(resource, value) == text


def test_the_largest_amount_is_a_number_of_its_own_and_no_limit() -> None:
    assert LARGEST == INT64
    assert render("example.com/gpu", INT64) != "<unlimited>"
    assert render_limit("example.com/gpu", INT64) == "<unlimited>"
    assert render_limit("example.com/gpu", INT64 - 1) != "<unlimited>"
    assert render_for_status("example.com/gpu", INT64 + 1) == render("example.com/gpu", INT64)
