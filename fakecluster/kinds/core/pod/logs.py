"""What a container has printed: the text that a pod brings as an annotation,
since no kubelet runs anything (FK-485, FK-487).

`fakecluster.dev/log` is what every container prints, `fakecluster.dev/log.NAME` what one prints.
"""

from __future__ import annotations

from ....api import options, status
from ....api.outcome import Outcome, Request, Response
from ....base.json_types import Json
from ....registry.action import Action
from ....schema import fields
from ....schema.fields import FieldError

ANNOTATION = "fakecluster.dev/log"
MIN_VALUES = {"tailLines": 0, "limitBytes": 1, "sinceSeconds": 1}
TOO_SMALL = {0: "must be greater than or equal to 0", 1: "must be greater than 0"}


def log(action: Action) -> Outcome:
    """Answer with what a container printed; nothing while its pod has no node. Raises 400, 404, 422."""
    request = action.request
    numbers = {name: options.integer(request, name) for name in MIN_VALUES}
    errors = _errors(numbers)
    if errors:
        raise status.invalid("PodLogOptions", "", action.name, errors)
    pod = action.existing().object
    container = container_of(request, pod)
    if not pod["spec"].get("nodeName"):
        return Response(code=204, body=b"", content_type="")
    _check_started(pod, container)
    text = _log_text(pod, container, numbers["tailLines"])
    return Response(code=200, body=text[: numbers["limitBytes"]], content_type="text/plain")


def _errors(numbers: dict[str, int | None]) -> list[FieldError]:
    return [
        fields.invalid(name, numbers[name], TOO_SMALL[least])
        for name, least in MIN_VALUES.items()
        if (value := numbers[name]) is not None and value < least
    ]


def container_of(request: Request, pod: Json) -> str:
    """Return the name of the requested container. Raises 400."""
    name, spec = pod["metadata"]["name"], pod["spec"]
    members = ("initContainers", "containers", "ephemeralContainers")
    names = [container_spec["name"] for member in members for container_spec in spec.get(member) or ()]
    requested = request.option("container") or ""
    if not requested and len(spec["containers"]) == 1:
        return str(spec["containers"][0]["name"])
    if not requested:
        choice = f"[{' '.join(container_spec['name'] for container_spec in spec['containers'])}]"
        raise status.bad_request(
            f"a container name must be specified for pod {name}, choose one of: {choice}"
        )
    if requested not in names:
        raise status.bad_request(f"container {requested} is not valid for pod {name}")
    return requested


def _check_started(pod: Json, container: str) -> None:
    """Refuse while a container has not printed anything because it has not begun. Raises 400."""
    if pod.get("status", {}).get("phase") in {None, "Pending"}:
        description = f'container "{container}" in pod "{pod["metadata"]["name"]}"'
        raise status.bad_request(f"{description} is waiting to start: ContainerCreating")


def _log_text(pod: Json, container: str, tail: int | None) -> bytes:
    annotations = pod["metadata"].get("annotations", {})
    text: str = annotations.get(f"{ANNOTATION}.{container}", annotations.get(ANNOTATION, ""))
    lines = (text if text.endswith("\n") or not text else f"{text}\n").splitlines(keepends=True)
    return "".join(lines if tail is None else lines[len(lines) - min(tail, len(lines)) :]).encode()
