"""How long a program waits before it can begin: a new Python process for each sample (SH-22)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from .figure import Figure, measure

TIMES = 3
PROGRAMS = {
    "kueue-conformance --help": ("-m", "kueue_conformance", "--help"),
    "fakecluster --help": ("-m", "fakecluster", "--help"),
    "kueue-reference --help": ("-m", "reference_impl", "--help"),
    "import kueue_conformance.plugin": ("-c", "import kueue_conformance.plugin"),
    "import fakecluster.cluster.fake_cluster": ("-c", "import fakecluster.cluster.fake_cluster"),
}
GOALS = {"kueue-conformance --help": "< 300"}


def figures() -> Iterator[Figure]:
    """Yield the wall time of each program beside that of Python itself."""
    python = Figure("python -c pass", measure(lambda: _run(("-c", "pass")), TIMES), "ms")
    yield python
    for name, arguments in PROGRAMS.items():
        samples = measure(lambda arguments=arguments: _run(arguments), TIMES)
        yield Figure(name, samples, "ms", GOALS.get(name, ""), python)


def _run(arguments: tuple[str, ...]) -> None:
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
