"""Which requests an autoscaler serves: by their class, and by the name of its instance (PR-109)."""

from __future__ import annotations

from .request import BEST_EFFORT_ATOMIC, CHECK_CAPACITY, PROCESSOR_INSTANCE, Request


def is_check(request: Request, instance: str) -> bool:
    """Tell whether a request is to be checked against the capacity that is there, by the instance of this name."""
    named = request.parameters.get(PROCESSOR_INSTANCE, "")
    if not instance:
        return request.class_name == CHECK_CAPACITY and not named
    if named:
        return request.class_name == CHECK_CAPACITY and named == instance
    return request.class_name == instance + CHECK_CAPACITY


def is_atomic(request: Request, instance: str) -> bool:
    """Tell whether a request is to be scaled up for at once; a named instance does not do that."""
    return not instance and request.class_name == BEST_EFFORT_ATOMIC


def is_served(request: Request, instance: str) -> bool:
    """Tell whether a request is served at all."""
    return is_check(request, instance) or is_atomic(request, instance)
