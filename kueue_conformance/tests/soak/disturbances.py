"""What goes wrong: programs are killed, requests break, the outside system is down, a cluster is forked."""

import random
from dataclasses import dataclass

AGENTS = {
    "kueue": "kueue/*",
    "check controllers": "OpenAPI-Generator/*",
    "autoscaler": "cluster-autoscaler/*",
    "users": "soak-user-*",
}
"""User agents by which faults find their programs; nothing disturbs the observer."""
FAULTS = {
    "writes conflict": ({"verb": "update"}, {"kind": "answer", "code": 409}),
    "patches conflict": ({"verb": "patch"}, {"kind": "answer", "code": 409}),
    "requests are throttled": ({}, {"kind": "answer", "code": 429}),
    "requests fail": ({}, {"kind": "answer", "code": 500}),
    "answers are lost behind the write": ({"verb": "patch"}, {"kind": "drop", "afterCommit": True}),
    "connections are cut": ({}, {"kind": "drop"}),
    "answers are slow": ({}, {"kind": "delay", "seconds": 1.0}),
    "reads are stale": ({"verb": "get"}, {"kind": "stale", "revisions": 20}),
    "watches end": ({}, {"kind": "endWatch", "code": 0}),
    "watches expire": ({}, {"kind": "endWatch", "code": 410}),
    "events come twice": ({}, {"kind": "repeat"}),
}
PROBABILITY = 0.2
LASTS_SECONDS = 8.0


@dataclass(frozen=True, kw_only=True)
class Disturbance:
    """One thing that goes wrong, and whom it concerns."""

    kind: str
    target: str

    def __str__(self):
        return f"{self.kind}: {self.target}"


def draw(seed, names):
    """Yield disturbances without an end: the same for a seed and the names of programs."""
    source = random.Random(f"disturbances {seed}")
    choices = [
        *(Disturbance(kind="killed", target=name) for name in names),
        *(Disturbance(kind=fault, target=agent) for fault in FAULTS for agent in AGENTS),
        *[Disturbance(kind="down", target="outside system")] * 4,
        *[Disturbance(kind="forked", target="cluster")] * 4,
    ]
    while True:
        # Each of them once before any comes again.
        yield from source.sample(choices, len(choices))


class Disturber:
    """Brings disturbances about, one after another, with a pause between two."""

    def __init__(self, stack, outside_system, wait):
        """`wait` waits for so many seconds, or less when the run is over."""
        self.counts = {}
        self.findings = []
        self._stack = stack
        self._outside_system = outside_system
        self._wait = wait

    def bring_about(self, disturbance):
        """Do it, and undo it after a while."""
        self.counts[disturbance.kind] = self.counts.get(disturbance.kind, 0) + 1
        if disturbance.kind == "killed":
            self._kill(disturbance.target)
        elif disturbance.kind == "down":
            self._outside_system.is_down.set()
            self._wait(LASTS_SECONDS)
            self._outside_system.is_down.clear()
        elif disturbance.kind == "forked":
            self._stack.fork()
        else:
            match, effect = FAULTS[disturbance.kind]
            chance = {"probability": PROBABILITY, "actor": AGENTS[disturbance.target]}
            self._stack.break_requests({**match, **chance}, effect)
            self._wait(LASTS_SECONDS)
            self._stack.mend_requests()

    def _kill(self, name):
        program = next(program for program in self._stack.others if program.name == name)
        # What ended by itself must not be hidden by a kill.
        self.findings += program.findings()
        program.kill()
        self._wait(1.0)
        program.start()


def disturb(disturber, disturbances, *, may_kill, is_over, pause_seconds, wait):
    """Bring disturbances about until `is_over()`; those that kill only while `may_kill()`."""
    for disturbance in disturbances:
        if is_over():
            return
        if disturbance.kind == "killed" and not may_kill():
            continue
        disturber.bring_about(disturbance)
        wait(pause_seconds)
