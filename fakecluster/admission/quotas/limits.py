"""LimitRanges: what new pods get where they say nothing, and the bounds of pods and claims (FK-504)."""

from __future__ import annotations

from collections.abc import Iterator

from ...api import status
from ...api.admission import Review
from ...base.json_types import Json
from ...base.numbers.quantity import Quantity
from ...kinds import resource_lists
from ...kinds.core.pod import requests as pod_requests
from ...kinds.resource_lists import Amounts
from ...store import Store

LIMIT_RANGES = ("", "limitranges")
LIMIT_RANGER_ANNOTATION = "kubernetes.io/limit-ranger"
CONTAINERS = (("containers", "container"), ("initContainers", "init container"))


def fill_defaults(store: Store, review: Review, pod: Json) -> Json:
    """Give the containers of a new pod the defaults of its namespace."""
    if review.operation != "CREATE":
        return pod
    new_pod = pod
    for limits in _limits(store, review):
        new_pod = _merge(new_pod, limits)
    # What the containers ask for may say what the pod asks for: the real server defaults what it reads back.
    return pod if new_pod is pod else review.kind.schema.default(new_pod)


def judge(store: Store, review: Review) -> None:
    """Check a new pod, or one that gets another size, or a claim. Raises 403."""
    if review.new is None or (
        review.kind.plural == "pods" and not review.subresource and review.old is not None
    ):
        return
    for limits in _limits(store, review):
        errors = [error for limit in limits for error in _errors(limit, review)]
        if errors:
            why = errors[0] if len(errors) == 1 else f"[{', '.join(errors)}]"
            raise status.forbidden("", review.kind.plural, review.display_name, why)


def _limits(store: Store, review: Review) -> Iterator[list[Json]]:
    if store.state_of(LIMIT_RANGES) is not None:
        for limit_range in store.list(LIMIT_RANGES, namespace=review.namespace):
            yield limit_range.object["spec"].get("limits") or []


def _merge(pod: Json, limits: list[Json]) -> Json:
    default: dict[str, Json] = {}
    requested: dict[str, Json] = {}
    for limit in limits:
        if limit.get("type") == "Container":
            default |= limit.get("default") or {}
            requested |= limit.get("defaultRequest") or {}
    defaulted: list[str] = []
    lists = {
        key: [_complete(container, requested, default, word, defaulted) for container in pod["spec"][key]]
        for key, word in CONTAINERS
        if pod["spec"].get(key)
    }
    if not defaulted:
        return pod
    notes = {
        **(pod["metadata"].get("annotations") or {}),
        LIMIT_RANGER_ANNOTATION: f"LimitRanger plugin set: {'; '.join(defaulted)}",
    }
    return {**pod, "metadata": {**pod["metadata"], "annotations": notes}, "spec": {**pod["spec"], **lists}}


def _complete(container: Json, requested: Json, default: Json, word: str, defaulted: list[str]) -> Json:
    """Return a container with what it does not say, which is told."""
    resources = dict(container.get("resources") or {})
    for side, defaults, name in (("requests", requested, "request"), ("limits", default, "limit")):
        missing = {key: amount for key, amount in defaults.items() if key not in (resources.get(side) or {})}
        if missing:
            resources[side] = {**(resources.get(side) or {}), **missing}
            defaulted.append(f"{', '.join(sorted(missing))} {name} for {word} {container['name']}")
    return {**container, "resources": resources}


def _errors(limit: Json, review: Review) -> Iterator[str]:
    kind, spec = limit.get("type", ""), review.new.get("spec") or {}
    if review.kind.plural == "persistentvolumeclaims":
        if kind == "PersistentVolumeClaim":
            yield from _of_claim(limit, pod_requests.amounts_of(spec, "requests"))
    elif kind == "Container":
        for container in pod_requests.containers(spec):
            yield from _bounds(
                limit,
                pod_requests.amounts_of(container, "requests"),
                pod_requests.amounts_of(container, "limits"),
            )
    elif kind == "Pod":
        yield from _bounds(
            limit, pod_requests.total_of_pod(spec, "requests"), pod_requests.total_of_pod(spec, "limits")
        )


def _of_claim(limit: Json, requests: Amounts) -> Iterator[str]:
    yield from _least(limit, requests, {})
    for name, most, text in _each(limit, "max", "maximum {} usage per {} is {}"):
        if name not in requests:
            yield f"{text}.  No request is specified"
        elif requests[name].amount > most.amount:
            yield f"{text}, but request is {requests[name]}"


def _bounds(limit: Json, requests: Amounts, limits: Amounts) -> Iterator[str]:
    yield from _least(limit, requests, limits)
    yield from _most(limit, requests, limits)
    yield from _ratio(limit, requests, limits)


def _least(limit: Json, requests: Amounts, limits: Amounts) -> Iterator[str]:
    for name, least, text in _each(limit, "min", "minimum {} usage per {} is {}"):
        if name not in requests:
            yield f"{text}.  No request is specified"
        elif requests[name].amount < least.amount:
            yield f"{text}, but request is {requests[name]}"
        elif name in limits and limits[name].amount < least.amount:
            yield f"{text}, but limit is {limits[name]}"


def _most(limit: Json, requests: Amounts, limits: Amounts) -> Iterator[str]:
    for name, most, text in _each(limit, "max", "maximum {} usage per {} is {}"):
        if name not in limits:
            yield f"{text}.  No limit is specified"
        elif limits[name].amount > most.amount:
            yield f"{text}, but limit is {limits[name]}"
        elif name in requests and requests[name].amount > most.amount:
            yield f"{text}, but request is {requests[name]}"


def _ratio(limit: Json, requests: Amounts, limits: Amounts) -> Iterator[str]:
    for name, widest, text in _each(
        limit, "maxLimitRequestRatio", "{} max limit to request ratio per {} is {}"
    ):
        request, most = requests.get(name, resource_lists.ZERO), limits.get(name, resource_lists.ZERO)
        if not request.amount:
            yield f"{text}, but no request is specified or request is 0"
        elif not most.amount:
            yield f"{text}, but no limit is specified or limit is 0"
        elif most.over(request) > widest.amount:
            yield f"{text}, but provided ratio is {float(most.over(request)):f}"


def _each(limit: Json, side: str, text: str) -> Iterator[tuple[str, Quantity, str]]:
    """Yield the bounds of one side with the words that refusals begin with."""
    for name, amount in sorted(resource_lists.of(limit.get(side)).items()):
        yield name, amount, text.format(name, limit["type"], amount)
