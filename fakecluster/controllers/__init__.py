"""What a cluster does by itself: each controller by name,
and the engine that runs a choice of them (FK-455…FK-460).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from ..base.validators import expected
from ..registry.machinery import Api
from .clusterroles import ClusterRoleAggregationController
from .endpoints import EndpointSliceController, EndpointSliceMirroringController
from .engine import Await, Controller, Engine
from .expiry import EventExpiry
from .garbage import GarbageCollector
from .heartbeats import Heartbeats
from .lazy_controllers import RARELY_USED
from .namespaces import NamespaceController
from .pods import INSTANT_SCRIPT, PodSimulator, Script
from .protection import ProtectionController
from .quotas import ResourceQuotaController
from .service_accounts import ServiceAccountController
from .signing_keys import SigningKeys

__all__ = ["CONTROLLERS", "Engine", "SigningKeys", "UnknownController", "chosen", "engine"]

CONTROLLERS: Mapping[str, Callable[[Api], Controller]] = {
    "accounts": ServiceAccountController,
    "clusterroles": ClusterRoleAggregationController,
    "endpoints": EndpointSliceController,
    "events": EventExpiry,
    "garbage": GarbageCollector,
    "heartbeats": Heartbeats,
    "kubelets": partial(PodSimulator, schedules=False),
    "mirroring": EndpointSliceMirroringController,
    "namespaces": NamespaceController,
    "pods": PodSimulator,
    "protection": ProtectionController,
    "quotas": ResourceQuotaController,
}
NAMES = tuple(sorted({*CONTROLLERS, *RARELY_USED}))
OPTIONAL_CONTROLLERS = frozenset({"heartbeats", "kubelets"})
"""Controllers that `all` leaves out; `kubelets` is `pods` where another program is the scheduler."""


class UnknownController(ValueError):
    """A name is not a controller's."""


def chosen(names: str | Iterable[str]) -> tuple[str, ...]:
    """Return the names of a choice such as `all`, `none` or `jobs,pods`. Raises UnknownController."""
    chosen_names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    if chosen_names in (["all"], ["none"]):
        return (
            tuple(name for name in NAMES if name not in OPTIONAL_CONTROLLERS)
            if chosen_names == ["all"]
            else ()
        )
    for name in chosen_names:
        if name not in NAMES:
            raise UnknownController(
                f"there is no controller {name!r}: {expected(name, (*NAMES, 'all', 'none'))}"
            )
    if {"kubelets", "pods"} <= {*chosen_names}:
        raise UnknownController(
            "controllers 'kubelets' and 'pods' both run pods: take 'pods', which binds them too, or 'kubelets' beside a scheduler"
        )
    return tuple(name for name in NAMES if name in chosen_names)


def engine(
    api: Api,
    names: str | Iterable[str],
    wait: Await | None = None,
    keys: SigningKeys | None = None,
    pod_script: Script = INSTANT_SCRIPT,
) -> Engine:
    """Return the engine for a choice of controllers, which sign with some keys and let pods end by a script.

    Raises UnknownController.
    """
    signing = keys or SigningKeys()
    controllers = {name: _controller(api, name, signing) for name in chosen(names)}
    for controller in controllers.values():
        if isinstance(controller, PodSimulator):
            controller.script = pod_script
    return Engine(api, controllers, wait)


def _controller(api: Api, name: str, keys: SigningKeys) -> Controller:
    return CONTROLLERS[name](api) if name in CONTROLLERS else RARELY_USED[name](api, keys)
