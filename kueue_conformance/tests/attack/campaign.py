"""A campaign: for a bounded time, hostile conversations from
several clients at once, and what must not come of them.

No program ends or logs a traceback, none takes more than its memory, no answer is a 5xx that the real server
does not give, no whole request stays without an answer, nothing is smuggled past authentication, and a client
that behaves does not wait.
"""

import contextlib
import re
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from fakecluster.tests.fuzz.campaign import ALLOWED

from .client import Client, Refused
from .conversation import converse
from .requests import CONFIG_MAPS, LEASES
from .shapes import shapes
from .shapes.upgrades import SMUGGLED

MEMORY_BYTES = 1_500_000_000
CLIENTS = 3
LOOK_SECONDS = 1.0
OF_VISIBILITY = (
    (504, "did not complete within the allotted timeout", "VIS-132: the time that the request asks for"),
    (500, "failed to create RequestInfo", "a path of the form that once watched"),
)
"""What a real visibility server answers as well."""
OF_WEBHOOKS = (
    (500, "failed calling webhook", "FK-306: a webhook that fails refuses the write"),
    (500, "conversion webhook for", "FK-334: a conversion that fails"),
    (999, "denied the request", "FK-313: the code that a webhook refuses with"),
)
"""What a real server answers when other servers fail it."""
SITES = (
    "serve",
    "laboratory",
    "updater",
    "front",
    "webhooks",
    "metrics",
    "visibility",
    "front-proxy",
    "aggregated",
    "certificates",
)


@dataclass(frozen=True)
class Act:
    """One conversation that was held: which, where, when."""

    shape: str
    site: str
    number: int
    began: float
    ended: float


@dataclass
class Campaign:
    """What was done so far, and what went wrong."""

    seed: int
    targets: object
    tell: object = print
    only: frozenset = frozenset()
    acts: list = field(default_factory=list)
    codes: Counter = field(default_factory=Counter)
    findings: list = field(default_factory=list)
    _finding_keys: set = field(default_factory=set)
    _number: int = -1
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, seconds):
        """Attack for so many seconds."""
        end = time.monotonic() + seconds
        clients = [threading.Thread(target=self._attack, args=(end,), daemon=True) for _ in range(CLIENTS)]
        for client in clients:
            client.start()
        pause = threading.Event()
        while any(client.is_alive() for client in clients) and time.monotonic() < end + 90:
            pause.wait(LOOK_SECONDS)
            self._look()
        self._look()
        self._search()

    def _attack(self, end):
        while time.monotonic() < end:
            with self._lock:
                self._number += 1
                number = self._number
            self.act(number)

    def act(self, number):
        """Hold the conversation of a number."""
        plan = self.plan()
        shape, name = plan[number % len(plan)]
        site = (self.targets.anonymous if shape.anonymous else self.targets.sites)[name]
        random, began = Random(f"{self.seed}/{number}"), time.monotonic()
        outcome = converse(site, shape.make(site, random))
        self.acts.append(Act(shape.name, name, number, began, time.monotonic()))
        where = f"{shape.name} at {name} (--seed {self.seed} --number {number})"
        if outcome.hung:
            self._keep_finding(f"{shape.name}/{name}/hung", f"no answer: {where}")
        for reply in outcome.replies:
            self.codes[reply.code] += 1
            if reply.code >= 500 and not _is_allowed(reply):
                self._keep_finding(
                    f"{shape.name}/{name}/{reply.code}", f"{reply.code} {reply.body[:400]!r}: {where}"
                )

    def plan(self):
        """Return every shape with each of its sites, in turn."""
        chosen = [shape for shape in shapes() if not self.only or shape.name in self.only]
        return [(shape, site) for shape in chosen for site in SITES if site in shape.sites]

    def beside(self, wait):
        """Return the shapes that were at work while the bystander waited."""
        until = wait.at + wait.seconds
        return sorted(
            {
                f"{act.shape} at {act.site} ({act.number})"
                for act in self.acts
                if act.began < until and act.ended > wait.at
            }
        )

    def _look(self):
        """Look at the programs from outside."""
        for program in self.targets.programs:
            if (peak := program.peak_bytes) > MEMORY_BYTES:
                recent = sorted({f"{act.shape} ({act.number})" for act in self.acts[-12:]})
                self._keep_finding(
                    f"{program.name}/memory",
                    f"{program.name} has had {peak >> 20} MB of memory; last: {', '.join(recent)}",
                )
            for finding in program.findings():
                self._keep_finding(f"{program.name}/{finding[:40]}", finding)

    def _search(self):
        """Look for what was smuggled in."""
        try:
            with contextlib.closing(Client(self.targets.admin)) as client:
                names = [
                    item["metadata"]["name"]
                    for path in (CONFIG_MAPS, LEASES)
                    for item in client.get(path)["items"]
                ]
        except (OSError, Refused) as error:
            self._keep_finding("search", f"serve does not answer any more: {error!r}")
            return
        if smuggled := [name for name in names if name.startswith(SMUGGLED)]:
            self._keep_finding("smuggled", f"{len(smuggled)} objects were smuggled in: {smuggled[:5]}")

    def _keep_finding(self, key, finding):
        """Keep a finding, once for each kind."""
        with self._lock:
            if key in self._finding_keys:
                return
            self._finding_keys.add(key)
        self.findings.append(finding)
        self.tell(f"FOUND {finding}")


def _is_allowed(reply):
    """Tell whether the real server gives this answer as well."""
    text = reply.body.decode("utf-8", "replace")
    return any(
        reply.code == code and re.search(pattern, text)
        for code, pattern, _ in (*ALLOWED, *OF_VISIBILITY, *OF_WEBHOOKS)
    )
