"""`make soak`: run the whole stack for an hour; exit code 1 where something was lost, exceeded, or grew."""

import contextlib
import signal
import sys
import threading
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import orjson

from kueue_conformance.cli.durations import seconds_of

from .disturbances import Disturber, disturb, draw
from .figures import Row, growth, percentile
from .observer import Observer
from .outside_system import OutsideSystem
from .page import render
from .stack import Stack
from .users import PATIENCE_SECONDS, User

ROWS = 60
SETTLING_SECONDS = PATIENCE_SECONDS + 60.0
WARM_UP_SECONDS = 300.0
"""A run that is not twice as long says nothing about growth."""


@click.command()
@click.option("--for", "duration", default="1h", show_default=True, help="how long, such as 10m, 1h or 24h")
@click.option("--seed", type=int, default=1, show_default=True, help="of users and disturbances")
@click.option("--users", "number", type=click.IntRange(1, 200), default=50, show_default=True)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("soak-report"),
    show_default=True,
    help="the folder for the page, the figures and the logs",
)
def main(duration, seed, number, out):
    """Run the API server, two replicas of Kueue, three check controllers, the provisioning check, an
    autoscaler and a cloud on loopback, with users who submit Jobs; kill programs in the first half, disturb
    requests to the end.

    Judged: every Job ends, or something says why it waits; no quota is exceeded at any revision; no program
    ends by itself or prints a traceback; nothing that a program holds grows in the second half.
    """
    seconds = seconds_of(duration)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # so that the programs end as well
    out.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="soak-") as folder, OutsideSystem() as outside_system:
        with Stack(Path(folder), outside_system.url) as stack, Observer(stack.client) as observer:
            click.echo(f"seed {seed}, {len(stack.programs)} programs, {number} users, {seconds:g} s")
            soak = Soak(stack, outside_system, observer, seconds)
            soak.run(seed, number)
        for program in stack.programs:
            (out / program.log.name).write_bytes(program.log.read_bytes())
    soak.write(out, seed)
    sys.exit(bool(soak.findings))


class Soak:
    """A run: its users and disturbances until the time is over, and its figures."""

    def __init__(self, stack, outside_system, observer, seconds):
        self.findings = []
        self._stack = stack
        self._observer = observer
        self._seconds = seconds
        self._began = time.monotonic()
        self._is_over = threading.Event()
        self._disturber = Disturber(stack, outside_system, self._is_over.wait)
        self._users, self._rows = [], []

    @property
    def _passed_seconds(self):
        return time.monotonic() - self._began

    def run(self, seed, number):
        """Let users and disturbances do their work, take the figures, and wait for the last Jobs."""
        self._users = [
            User(place, self._stack.client(f"soak-user-{place}"), seed, self._is_over.is_set)
            for place in range(number)
        ]
        disturbing = threading.Thread(target=self._disturb, args=(seed,), daemon=True)
        for thread in (*self._users, disturbing):
            thread.start()
        for row in range(1, ROWS + 1):
            time_left = self._seconds * row / ROWS - self._passed_seconds
            self._is_over.wait(max(0.0, time_left))
            self._rows.append(self._measure())
            self._stack.remove_events()
            click.echo(self._line(self._rows[-1]))
        self._is_over.set()
        disturbing.join(SETTLING_SECONDS)
        self._stack.mend_requests()
        end = time.monotonic() + SETTLING_SECONDS
        for user in self._users:
            user.join(max(0.0, end - time.monotonic()))
        self._judge()

    def _disturb(self, seed):
        names = [program.name for program in self._stack.others]
        try:
            disturb(
                self._disturber,
                draw(seed, names),
                may_kill=lambda: self._passed_seconds < self._seconds / 2 - 10,
                is_over=self._is_over.is_set,
                pause_seconds=min(5.0, self._seconds / 60),
                wait=self._is_over.wait,
            )
        except Exception as problem:  # noqa: BLE001 - a thread that ends unseen would make a quiet run
            self.findings.append(f"nothing is disturbed any more: {problem!r}")

    def _measure(self):
        taken = [user.request_seconds for user in self._users]
        latencies = [seconds for lot in taken for seconds in lot]
        for lot in taken:
            del lot[:]
        lag = self._observer.lag.seconds
        row = Row(
            second=self._passed_seconds,
            resources={
                program.name: held for program in self._stack.programs if (held := program.resources())
            },
            requests=len(latencies),
            request_p50_seconds=percentile(latencies, 50),
            request_p99_seconds=percentile(latencies, 99),
            event_p99_seconds=percentile(lag, 99),
            jobs=self._jobs - sum(row.jobs for row in self._rows),
            leader_changes=self._observer.leaders.changes,
            disturbances=sum(self._disturber.counts.values()),
        )
        del lag[:]
        return row

    @property
    def _jobs(self):
        return sum(len(user.endings) for user in self._users)

    def _line(self, row):
        server = row.resources.get(self._stack.server.name)
        megabytes = server.bytes / 1e6 if server else 0
        return (
            f"{row.second:6.0f} s  {row.jobs:4} jobs  {row.requests:5} requests  p99 {row.request_p99_seconds * 1000:5.0f} ms  "
            f"events {row.event_p99_seconds * 1000:5.0f} ms  server {megabytes:4.0f} MB  "
            f"{row.disturbances} disturbances  {len(self._observer.quota.findings)} findings"
        )

    def _judge(self):
        """Collect what must not have happened."""
        self.findings += self._disturber.findings
        self.findings += self._observer.quota.findings
        self.findings += [f"{user.name} is not done" for user in self._users if user.is_alive()]
        self.findings += [ending.finding for user in self._users for ending in user.endings if ending.finding]
        self.findings += [finding for program in self._stack.programs for finding in program.findings()]
        if self._seconds >= 2 * WARM_UP_SECONDS:
            self.findings += growth(self._rows)

    def write(self, out, seed):
        """Write page and figures, and print the summary."""
        endings = Counter(ending.word for user in self._users for ending in user.endings)
        facts = {
            "seconds": f"{self._seconds:g}",
            "seed": seed,
            "users": len(self._users),
            "Jobs": self._jobs,
            "reservations": self._observer.quota.reservations,
            "most CPUs of a queue": f"{self._observer.quota.highest:g}",
            "leader changes": self._observer.leaders.changes,
            "starts of programs": ", ".join(f"{item.name} {item.starts}" for item in self._stack.programs),
        }
        disturbances = dict(sorted(self._disturber.counts.items()))
        (out / "index.html").write_text(
            render(self._rows, facts, endings, disturbances, self.findings), "utf-8"
        )
        document = {
            "facts": facts,
            "endings": endings,
            "disturbances": disturbances,
            "findings": self.findings,
        }
        rows = [asdict(row) for row in self._rows]
        (out / "figures.json").write_bytes(
            orjson.dumps({**document, "rows": rows}, option=orjson.OPT_INDENT_2)
        )
        for key, value in (*facts.items(), *endings.items()):
            click.echo(f"{key}: {value}")
        with contextlib.suppress(StopIteration):
            click.echo(f"first finding: {next(iter(self.findings))}")
        click.echo(f"{len(self.findings)} finding(s); {out / 'index.html'}")


if __name__ == "__main__":
    main()
