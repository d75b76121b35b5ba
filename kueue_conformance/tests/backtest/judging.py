"""Judges one control plane that has the fault of a fix, in a process of the pool."""

from kueue_conformance.tests.killing.judging_planes import judge
from kueue_conformance.tests.killing.planes import planes


def verdict(name):
    """Return the name of a wrong control plane, with the scenario named for it and whether that failed."""
    plane = next(plane for plane in planes() if plane.name == name)
    failed, _ = judge(plane, [plane.named])
    return name, {"scenario": plane.named, "level": plane.level, "reported": plane.named in failed}
