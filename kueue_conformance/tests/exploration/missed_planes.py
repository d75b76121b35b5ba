"""Why an exploration misses a wrong control plane: whether its stories reach what is wrong, and show it."""

from dataclasses import replace

from ..killing.override import Override

NOT_DRAWN = "a: no story reaches the decision"
NOT_JUDGED = "b: stories show it, nothing judges it"
RARE = "c: stories reach the decision and do not show it"
REASONS = (NOT_DRAWN, NOT_JUDGED, RARE)


class CountedPlane:
    """A wrong control plane that counts how often it decides."""

    def __init__(self, wrong):
        self.calls = 0
        self.plane = replace(wrong, overrides=tuple(self._count(override) for override in wrong.overrides))

    def _count(self, override):
        return Override(override.owner, override.name, lambda right: self._counted(override.make(right)))

    def _counted(self, decision):
        if not callable(decision):
            self.calls += 1
            return decision

        def decide(*args, **kwargs):
            self.calls += 1
            return decision(*args, **kwargs)

        decide.__dict__.update(getattr(decision, "__dict__", {}))
        return decide


def reason_of(wrong, compare):
    """Return why it is missed; `compare(plane)` explores it beside the right reference."""
    counted = CountedPlane(wrong)
    outcome = compare(counted.plane)
    if outcome.is_found:
        return f"{NOT_JUDGED}: {outcome.text}"
    return RARE if counted.calls else NOT_DRAWN
