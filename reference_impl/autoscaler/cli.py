"""`kueue-autoscaler`: takes cluster-autoscaler's flags. Exit codes: 0 stopped, 3 environment, 4 usage."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

from reference_impl import __version__
from reference_impl.runtime.errors import OutsideError

from .dialects import DEFAULT, NAMES, dialect
from .flag_table import FlagRow
from .flags import FlagError, Flags, ResourceRange, parse, pop_flag, pop_switch
from .rules import AutoscalerRules

ENVIRONMENT, USAGE = 3, 4
HELP_FLAGS = frozenset({"-h", "--help", "-help"})
HELP = """Usage: kueue-autoscaler --cloud-provider=externalgrpc --cloud-config=FILE [--name=VALUE …]

Answers ProvisioningRequests and makes node groups larger and smaller, with the flags of cluster-autoscaler.

Example: beside a fake cluster and somebody's cloud
  fakecluster serve --kubeconfig cluster.yaml &
  echo 'address: "127.0.0.1:8086"' > cloud.yaml
  kueue-autoscaler --kubeconfig=cluster.yaml --leader-elect=false --enable-provisioning-requests \\
    --cloud-provider=externalgrpc --cloud-config=cloud.yaml --scan-interval=1s

--dialect says which autoscaler it is: a release of cluster-autoscaler, whose flags are taken then, or the proposal.
  {dialects}; {default} without it
--version prints the version of kueue-autoscaler.
--install makes the definitions of ProvisioningRequests first, where the cluster has none.

Flags with their defaults (times may be written as 10m or 1h30m). Every flag of the release is taken; one without
effect is told in a warning:
"""


def main() -> NoReturn:
    """Run the command line."""
    try:
        rules, arguments = _dialect(sys.argv[1:])
        with_install, arguments = pop_switch(arguments, "install")
        if HELP_FLAGS.intersection(arguments):
            print(HELP.format(dialects=", ".join(NAMES), default=DEFAULT) + describe(rules))
            sys.exit(0)
        if "--version" in arguments:
            print(f"kueue-autoscaler {__version__}")
            sys.exit(0)
        parsed = parse(arguments, defaults=rules.flag_defaults, rows=rules.flag_rows)
    except FlagError as error:
        _fail(USAGE, f"{error}; kueue-autoscaler --help lists the flags")
    for row in parsed.without_effect:
        print(f"warning: --{row.name} has no effect: {row.without}", file=sys.stderr)
    for row in parsed.overwritten:
        print(f"warning: --{row.name} is given several times: its last value counts", file=sys.stderr)
    from .process import run  # the whole autoscaler: not for --help and not for wrong usage

    try:
        run(parsed.flags, rules, with_install=with_install, announce=lambda text: print(text, flush=True))
    except OutsideError as error:
        _fail(ENVIRONMENT, str(error))
    sys.exit(0)


def _dialect(arguments: Sequence[str]) -> tuple[AutoscalerRules, Sequence[str]]:
    """Read which autoscaler is asked for, and return it with the other arguments. Raises FlagError."""
    name, rest = pop_flag(arguments, "dialect", DEFAULT)
    if name not in NAMES:
        raise FlagError(f"flag --dialect: {name!r} is not known: {', '.join(NAMES)}")
    return dialect(name), rest


def describe(rules: AutoscalerRules) -> str:
    """Return one line for each flag that an autoscaler takes: its default, and what it does not do here."""
    flags = Flags(**rules.flag_defaults)
    return "\n".join(_line(row, flags) for row in rules.flag_rows.values())


def _line(row: FlagRow, flags: Flags) -> str:
    if row.without:
        return f"  --{row.name}={row.default}  (no effect: {row.without})"
    return f"  --{row.name}={_render(getattr(flags, row.field))}{'s' if row.type == 'duration' else ''}"


def _render(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case float():
            return f"{value:g}"
        case ResourceRange():
            return f"{value.least}:{value.most}"
        case tuple():
            return ",".join(value)
    return str(value)


def _fail(code: int, message: str) -> NoReturn:
    print(f"error: {message}", file=sys.stderr)
    sys.exit(code)
