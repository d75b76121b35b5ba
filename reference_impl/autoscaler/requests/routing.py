"""Which requests an autoscaler serves: by their class, and by the name of its instance (PR-109)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from .request import BEST_EFFORT_ATOMIC, CHECK_CAPACITY, PROCESSOR_INSTANCE, ProvisioningRequest

Serves = Callable[[ProvisioningRequest, str], bool]
"""Whether the instance of a name, empty for none, serves a request."""


@dataclass(frozen=True, slots=True)
class RequestRouting:
    """The two classes that are served, each with the requests that belong to it."""

    is_check: Serves
    is_atomic: Serves

    def is_served(self, request: ProvisioningRequest, instance: str) -> bool:
        """Tell whether a request is served at all."""
        return self.is_check(request, instance) or self.is_atomic(request, instance)


def is_check(request: ProvisioningRequest, instance: str) -> bool:
    """Tell whether a request is to be checked against the
    capacity that is there, by the instance of this name.
    """
    named = request.parameters.get(PROCESSOR_INSTANCE, "")
    if not instance:
        return request.class_name == CHECK_CAPACITY and not named
    if named:
        return request.class_name == CHECK_CAPACITY and named == instance
    return request.class_name == instance + CHECK_CAPACITY


def is_check_by_class(request: ProvisioningRequest, _instance: str) -> bool:
    """Tell it by the class alone: before 1.33 there are no instances (DA-45, S5)."""
    return request.class_name == CHECK_CAPACITY


def is_atomic(request: ProvisioningRequest, instance: str) -> bool:
    """Tell whether a request is to be scaled up for at once; a named instance does not do that."""
    return not instance and request.class_name == BEST_EFFORT_ATOMIC


def is_any_class(_routing: RequestRouting, _request: ProvisioningRequest, _instance: str) -> bool:
    """Pick requests of every class: 1.30 accepts those that
    it cannot serve again in every loop (findings X16, S3).
    """
    return True


ROUTING: Final = RequestRouting(is_check, is_atomic)
BY_CLASS: Final = RequestRouting(is_check_by_class, is_atomic)
