"""Texts of pods that Go splits or matches in a way of its own (FK-236)."""

import pytest

from fakecluster.kinds.core.pod.validation import environment, operating_systems


@pytest.mark.parametrize(
    ("field", "split"),
    [
        ("metadata.labels['a']", ("metadata.labels", "a")),
        ("metadata.labels['a['b']", ("metadata.labels", "a['b")),
        ("['a']", ("['a']", None)),
        ("metadata.labels']", ("metadata.labels']", None)),
        ("metadata.name", ("metadata.name", None)),
    ],
)
def test_a_field_path_is_split_at_its_first_subscript(field, split):
    assert environment._split_subscript(field) == split


@pytest.mark.parametrize(
    ("user", "is_right"),
    [
        (r"Example.COM\user", True),
        (r"domain\user", True),
        (r"-a.example.com-of-a-long-domain\user", False),
        (r".example.com\user", False),
    ],
)
def test_a_windows_domain_is_matched_whole(user, is_right):
    [problems] = [list(operating_systems._user_problems(user))]
    assert (problems == []) == is_right, problems
