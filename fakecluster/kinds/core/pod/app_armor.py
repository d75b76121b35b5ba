"""AppArmor profiles that annotations name, as was done
before v1.30, and the fields that they become (FK-496).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ....base.json_types import Json

PREFIX = "container.apparmor.security.beta.kubernetes.io/"
DEPRECATED_ANNOTATION = 'deprecated since v1.30; use the "appArmorProfile" field instead'
LOCALHOST = "localhost/"
TYPES = {"unconfined": "Unconfined", "runtime/default": "RuntimeDefault"}
LONGEST_PATH = 4095
MEMBERS = ("initContainers", "containers", "ephemeralContainers")


def profile(annotation: str) -> Json:
    """Return the profile that an annotation names, None for one that names none."""
    if annotation in TYPES:
        return {"type": TYPES[annotation]}
    path = annotation.removeprefix(LOCALHOST)
    if path in {annotation, ""}:
        return None
    return {"type": "Localhost", "localhostProfile": path}


def copy_to_fields(pod: Json, warn: Callable[[str], None]) -> Json:
    """Return a new pod whose containers have the profiles that annotations name, and warn of these."""
    annotations = pod["metadata"].get("annotations") or {}
    spec = pod["spec"]
    if (
        not any(name.startswith(PREFIX) for name in annotations)
        or (spec.get("os") or {}).get("name") == "windows"
    ):
        return pod
    own = (spec.get("securityContext") or {}).get("appArmorProfile")
    lists = {
        member: [_with_profile(container, annotations, own, warn) for container in spec[member]]
        for member in MEMBERS
        if spec.get(member)
    }
    return {**pod, "spec": {**spec, **lists}}


def _with_profile(
    container: Json, annotations: Mapping[str, str], own: Json, warn: Callable[[str], None]
) -> Json:
    """Return a container with the profile of its annotation, where that is not the pod's."""
    name = f"{PREFIX}{container['name']}"
    context = container.get("securityContext") or {}
    if name not in annotations or context.get("appArmorProfile") is not None:
        return container
    named = profile(annotations[name])
    if named is not None and not _is_valid(named):
        named = None
    if named is not None and named == own:
        return container
    warn(f"metadata.annotations[{name}]: {DEPRECATED_ANNOTATION}")
    return (
        container
        if named is None
        else {**container, "securityContext": {**context, "appArmorProfile": named}}
    )


def _is_valid(profile_: Json) -> bool:
    path = profile_.get("localhostProfile", "")
    return path == path.strip() and len(path.encode()) <= LONGEST_PATH


def of_template(annotations: Mapping[str, str], spec: Json, container: Json, path: str) -> Iterator[str]:
    """Yield the warning of an AppArmor annotation without the field of the same meaning."""
    name = f"{PREFIX}{container['name']}"
    if name not in annotations or (container.get("securityContext") or {}).get("appArmorProfile") is not None:
        return
    own = (spec.get("securityContext") or {}).get("appArmorProfile")
    if own is None or own != profile(annotations[name]):
        yield f"{path}metadata.annotations[{name}]: {DEPRECATED_ANNOTATION}"
