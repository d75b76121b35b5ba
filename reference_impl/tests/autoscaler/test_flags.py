"""cluster-autoscaler's command line, as Go's flags are written."""

from __future__ import annotations

import pytest

from reference_impl.autoscaler.cli import describe
from reference_impl.autoscaler.dialects import NAMES, dialect
from reference_impl.autoscaler.flags import FlagError, Flags, Range, parse


def test_all_ways_to_write_a_flag() -> None:
    parsed = parse(
        [
            "--scan-interval=200ms",
            "-expander",
            "most-pods",
            "--leader-elect=false",
            "--balance-similar-node-groups",
            "--cores-total=0:30",
            "--v=4",
            "--kube-client-qps",
            "200",
            "--balancing-ignore-label=a",
            "--balancing-ignore-label=b",
        ]
    )
    assert parsed.flags == Flags(
        scan_interval=0.2,
        expander="most-pods",
        leader_elect=False,
        balance_similar_node_groups=True,
        cores_total=Range(0, 30),
        balancing_ignore_label=("a", "b"),
    )
    assert parsed.ignored == ("v", "kube-client-qps")


@pytest.mark.parametrize(
    ("argument", "told"),
    [
        ("--scan-intervall=1s", "unknown flag --scan-intervall; did you mean --scan-interval?"),
        ("--scan-interval=soon", "flag --scan-interval: 'soon' is no duration; for example 30m or 1h30m"),
        ("--scan-interval", "flag --scan-interval needs a value: write --scan-interval=VALUE"),
        ("--cores-total=30", "flag --cores-total: '30' is no range; write MIN:MAX, for example 0:1000"),
        ("--cores-total=3:1", "flag --cores-total: '3:1': 0 <= MIN <= MAX was expected"),
        ("--leader-elect=maybe", "flag --leader-elect: 'maybe' is no bool; write true or false"),
        ("--max-nodes-total=x", "flag --max-nodes-total: 'x' is no whole number"),
        (
            "--expander=cheapest",
            "flag --expander: 'cheapest' is not known: least-nodes, least-waste, most-pods, random",
        ),
        (
            "--address=here",
            "flag --address: 'here' is no address; expected HOST:PORT or :PORT, for example 127.0.0.1:8081",
        ),
        ("scan", "unexpected argument 'scan': flags begin with --"),
    ],
)
def test_a_wrong_flag_is_named_with_what_was_expected(argument: str, told: str) -> None:
    with pytest.raises(FlagError) as error:
        parse([argument])
    assert str(error.value) == told


@pytest.mark.parametrize("name", NAMES)
def test_the_help_has_every_flag_with_its_default(name: str) -> None:
    rules = dialect(name)
    lines = describe(rules).splitlines()
    assert "  --scan-interval=10s" in lines
    assert len(lines) == len(Flags.__slots__) - len(rules.missing_flags)
