"""cluster-autoscaler's command line, as Go's flags are written."""

from __future__ import annotations

import pytest

from reference_impl.autoscaler.cli import describe
from reference_impl.autoscaler.dialects import NAMES, dialect
from reference_impl.autoscaler.flag_table import ALL, flags_of
from reference_impl.autoscaler.flags import FlagError, Flags, ResourceRange, parse

TAKEN_OVER = frozenset(
    [
        "add-dir-header",
        "alsologtostderr",
        "alsologtostderrthreshold",
        "feature-gates",
        "leader-elect",
        "leader-elect-lease-duration",
        "leader-elect-renew-deadline",
        "leader-elect-resource-lock",
        "leader-elect-resource-name",
        "leader-elect-resource-namespace",
        "leader-elect-retry-period",
        "legacy-stderr-threshold-behavior",
        "log-backtrace-at",
        "log-dir",
        "log-file",
        "log-file-max-size",
        "log-flush-frequency",
        "log-json-info-buffer-size",
        "log-json-split-stream",
        "log-text-info-buffer-size",
        "log-text-split-stream",
        "logging-format",
        "logtostderr",
        "one-output",
        "skip-headers",
        "skip-log-headers",
        "stderrthreshold",
        "v",
        "vmodule",
    ]
)


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
        cores_total=ResourceRange(0, 30),
        balancing_ignore_label=("a", "b"),
    )
    assert [row.name for row in parsed.without_effect] == ["v", "kube-client-qps"]


@pytest.mark.parametrize(
    ("argument", "complaint"),
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
def test_a_wrong_flag_is_named_with_what_was_expected(argument: str, complaint: str) -> None:
    with pytest.raises(FlagError) as error:
        parse([argument])
    assert str(error.value) == complaint


@pytest.mark.parametrize("name", NAMES)
def test_the_help_has_every_flag_with_its_default(name: str) -> None:
    rules = dialect(name)
    lines = describe(rules).splitlines()
    assert "  --scan-interval=10s" in lines
    assert len(lines) == len(rules.flag_rows)


def test_the_newest_defaults_are_those_of_the_table() -> None:
    for row in ALL.values():
        if not row.without and row.default:
            assert getattr(parse([f"--{row.name}={row.default}"]).flags, row.field) == getattr(
                Flags(), row.field
            )


def test_every_field_is_that_of_a_flag_with_an_effect() -> None:
    assert {row.field for row in ALL.values() if not row.without} == set(Flags.__slots__)


@pytest.mark.parametrize(
    ("minor", "count"),
    [*enumerate([103, 109, 116, 115, 118, 125, 133, 136], start=30)],
    ids=str,
)
def test_a_release_has_the_flags_of_its_source(minor: int, count: int) -> None:
    """As many as its own source has, beside those of klog, logs, features and leader election."""
    assert len(flags_of((1, minor))) - len(TAKEN_OVER) == count
    assert flags_of((1, minor)).keys() >= TAKEN_OVER


@pytest.mark.parametrize("name", [name for name in NAMES if name != "aep"])
def test_every_flag_of_a_release_is_taken_with_its_default(name: str) -> None:
    rules = dialect(name)
    arguments = [f"--{row.name}={row.default}" for row in rules.flag_rows.values() if row.default]
    parsed = parse(arguments, defaults=rules.flag_defaults, rows=rules.flag_rows)
    assert parsed.flags == Flags(**rules.flag_defaults)
    assert all(row.without for row in parsed.without_effect)


@pytest.mark.parametrize(
    ("argument", "name", "error"),
    [
        ("--salvo-scale-up", "ca-1.35", "unknown flag --salvo-scale-up"),
        ("--max-empty-bulk-delete=1", "ca-1.33", "unknown flag --max-empty-bulk-delete"),
        (
            "--max-drain-parallelism=many",
            "ca-1.36",
            "flag --max-drain-parallelism: 'many' is no whole number",
        ),
        ("--regional=perhaps", "ca-1.36", "flag --regional: 'perhaps' is no bool; write true or false"),
    ],
)
def test_a_flag_is_refused_as_by_the_release(argument: str, name: str, error: str) -> None:
    with pytest.raises(FlagError, match=error):
        parse([argument], rows=dialect(name).flag_rows)


def test_of_a_flag_that_is_given_twice_the_last_value_counts_and_that_is_told() -> None:
    parsed = parse(["--v=1", "--nodes=a", "--nodes=b", "--scan-interval=1s", "--scan-interval=2s", "--v=2"])
    assert parsed.flags.scan_interval == 2.0
    assert [row.name for row in parsed.overwritten] == ["scan-interval", "v"]


def test_a_flag_may_be_written_with_underscores() -> None:
    assert parse(["--scan_interval=1s"]).flags.scan_interval == 1.0


def test_a_deprecated_flag_sets_what_followed_it() -> None:
    assert parse(["--max-empty-bulk-delete=3"]).flags.max_scale_down_parallelism == 3
