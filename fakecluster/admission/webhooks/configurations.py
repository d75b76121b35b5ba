"""Which webhooks there are, compiled once for each state of their configurations (FK-302).

Without a configuration, asking costs one look into the store.
"""

from __future__ import annotations

from ...store import Resource, Store
from . import hooks
from .hooks import Hook

GROUP = "admissionregistration.k8s.io"
MUTATING: Resource = (GROUP, "mutatingwebhookconfigurations")
VALIDATING: Resource = (GROUP, "validatingwebhookconfigurations")
EXEMPT_RESOURCES = frozenset(
    {
        "mutatingwebhookconfigurations",
        "validatingwebhookconfigurations",
        "mutatingadmissionpolicies",
        "mutatingadmissionpolicybindings",
        "validatingadmissionpolicies",
        "validatingadmissionpolicybindings",
    }
)
"""Webhooks are not asked about these, so that an administrator can always change them (FK-304)."""


class Configurations:
    """The webhooks of one cluster."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[Resource, tuple[object, tuple[Hook, ...]]] = {}

    def hooks(self, resource: Resource) -> tuple[Hook, ...]:
        """Return the webhooks of all configurations, in order of their names."""
        state = self._store.state_of(resource)
        if state is None:
            return ()
        cached = self._known.get(resource)
        # States are immutable, so identity tells that no configuration was written since.
        if cached is None or cached[0] is not state:
            configurations = [stored.object for stored in self._store.list(resource)]
            cached = self._known[resource] = (
                state,
                tuple(h for configuration in configurations for h in hooks.of_configuration(configuration)),
            )
        return cached[1]


def is_exempt(group: str, plural: str) -> bool:
    """Whether writes of a resource are shown to no webhook."""
    return group == GROUP and plural in EXEMPT_RESOURCES
