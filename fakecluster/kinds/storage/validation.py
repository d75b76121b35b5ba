"""Storage classes, CSI objects, attachments (FK-504)."""

from __future__ import annotations

from collections import Counter
from typing import TypeAlias

from ...base.json_types import Json
from ...base.numbers.quantity import Quantity
from ...gotypes.golang import to_go_struct
from ...meta import metadata
from ...schema import fields
from ...schema.fields import FieldError
from ..validation import basics
from ..validation.basics import Errors
from ..validation.duplicates import repeats

Term: TypeAlias = frozenset[tuple[str, frozenset[str]]]
MOST_REPEATS = 8
"""How often the same term is blamed; the real server does so for every one before it."""
NAME_LIMIT = 63
ATTACHMENT_LIMIT, ERROR_LIMIT = 256 * 1024, 1024
RECLAIM, BINDING = ("Delete", "Retain"), ("Immediate", "WaitForFirstConsumer")
VOLUME_NAME = "spec.source.persistentVolumeName"
ONE_SOURCE = "must specify exactly one of inlineVolumeSpec and persistentVolumeName"
LIFECYCLES = ("Persistent", "Ephemeral")
GROUP_POLICIES = ("File", "None", "ReadWriteOnceWithFSType")
SHORTEST_TOKEN, LONGEST_TOKEN = 600, 2**32
SHORTEST_PERIOD = 10
POD_SCHEDULING_GATE = "preventPodSchedulingIfMissing"


def storage_class(obj: Json) -> list[FieldError]:
    """Judge a StorageClass."""
    provisioner = obj.get("provisioner", "")
    return [
        *(
            basics.label_key(provisioner.lower(), "provisioner")
            if provisioner
            else [fields.required("provisioner")]
        ),
        *_parameters(obj.get("parameters") or {}),
        *basics.optional_choice(obj.get("reclaimPolicy"), "reclaimPolicy", RECLAIM),
        *basics.optional_choice(obj.get("volumeBindingMode"), "volumeBindingMode", BINDING),
        *_topologies(obj.get("allowedTopologies") or []),
    ]


def _parameters(parameters: Json) -> Errors:
    if "" in parameters:
        yield fields.invalid("parameters", "", "field can not be empty.")


def _topologies(topologies: list[Json]) -> Errors:
    # The server begins with as many empty terms, so that an empty one is always one too many.
    counts: Counter[Term] = Counter({frozenset(): len(topologies)})
    for number, term in enumerate(topologies):
        path, keys = f"allowedTopologies[{number}].matchLabelExpressions", dict[str, frozenset[str]]()
        for index, expression in enumerate(term.get("matchLabelExpressions") or ()):
            yield from _expression(expression, f"{path}[{index}]")
            if expression.get("key", "") in keys:
                yield fields.duplicate(f"{path}[{index}].key", expression.get("key", ""))
            keys[expression.get("key", "")] = frozenset(expression.get("values") or ())
        term_set = frozenset(keys.items())
        yield from [fields.duplicate(path, "")] * min(counts[term_set], MOST_REPEATS)
        counts[term_set] += 1


def _expression(expression: Json, path: str) -> Errors:
    if not expression.get("values"):
        yield fields.required(f"{path}.values")
    yield from basics.unique(expression.get("values") or (), f"{path}.values")
    yield from basics.label_key(expression.get("key", ""), f"{path}.key")


def same_class(new: Json, old: Json) -> list[FieldError]:
    """Judge that a StorageClass stays what volumes were made by."""
    names = ("parameters", "provisioner", "reclaimPolicy", "volumeBindingMode")
    return [error for name in names for error in basics.immutable(new.get(name), old.get(name), name)]


def attributes_class(obj: Json) -> list[FieldError]:
    """Judge a VolumeAttributesClass."""
    driver, parameters = obj.get("driverName", ""), obj.get("parameters") or {}
    missing = (
        [] if parameters else [fields.required("parameters", "must contain at least one key/value pair")]
    )
    return [
        *(basics.label_key(driver.lower(), "driverName") if driver else [fields.required("driverName")]),
        *missing,
        *_parameters(parameters),
    ]


def judge_attributes_update(after: Json, before: Json) -> list[FieldError]:
    """Judge an update of a VolumeAttributesClass: driver and parameters are immutable."""
    changes = [
        fields.forbidden(name, f"updates to {name} are forbidden.")
        for name in ("driverName", "parameters")
        if after.get(name) != before.get(name)
    ]
    return [*changes, *attributes_class(after)]


def node(obj: Json) -> list[FieldError]:
    """Judge a CSINode."""
    names: set[str] = set()
    errors: list[FieldError] = []
    for number, driver in enumerate(obj["spec"].get("drivers") or ()):
        path, name = f"spec.drivers[{number}]", driver.get("name", "")
        errors += [*_driver_name(name, f"{path}.name"), *_driver(driver, path)]
        if name and name in names:
            errors.append(fields.duplicate(f"{path}.name", name))
        names.add(name)
    return errors


def _driver_name(name: str, path: str) -> Errors:
    if not name:
        yield fields.required(path)
    elif len(name) > NAME_LIMIT:
        yield fields.too_long(path, NAME_LIMIT)
    for problem in basics.dns_subdomain(name.lower()) if name else ():
        yield fields.invalid(path, name, problem)


def _driver(driver: Json, path: str) -> Errors:
    if not driver.get("nodeID"):
        yield fields.required(f"{path}.nodeID")
    yield from basics.not_negative(
        (driver.get("allocatable") or {}).get("count"), f"{path}.allocatable.count"
    )
    keys = driver.get("topologyKeys") or []
    repeated = repeats(keys)
    for number, key in enumerate(keys):
        if not key:
            yield fields.required(path)
        if number in repeated:
            yield fields.duplicate(path, key)
        yield from basics.label_key(key, path)


def same_drivers(new: Json, old: Json) -> list[FieldError]:
    """Judge that the drivers of a CSINode are removed or unchanged, but for how many volumes they take."""
    before = {
        driver["name"]: driver for driver in map(_without_allocatable, old["spec"].get("drivers") or ())
    }
    return [
        fields.invalid("spec.drivers", to_go_struct("storage.v1.CSINodeDriver", driver), "field is immutable")
        for driver in map(_without_allocatable, new["spec"].get("drivers") or ())
        if before.get(driver["name"], driver) != driver
    ]


def _without_allocatable(driver: Json) -> Json:
    return {name: value for name, value in driver.items() if name != "allocatable"}


def driver(obj: Json) -> list[FieldError]:
    """Judge a CSIDriver."""
    spec = obj["spec"]
    return [
        *(
            e
            for mode in spec.get("volumeLifecycleModes") or ()
            for e in basics.optional_choice(mode, "spec.volumeLifecycleModes", LIFECYCLES)
        ),
        *_tokens(spec.get("tokenRequests") or []),
        *basics.optional_choice(spec.get("fsGroupPolicy"), "spec.fsGroupPolicy", GROUP_POLICIES),
        *_period(spec.get("nodeAllocatableUpdatePeriodSeconds"), "spec.nodeAllocatableUpdatePeriodSeconds"),
    ]


def without_gated(obj: Json) -> Json:
    """Return a CSIDriver without the member that a stock server drops."""
    return {
        **obj,
        "spec": {name: value for name, value in obj["spec"].items() if name != POD_SCHEDULING_GATE},
    }


def keep_gated(new: Json, old: Json) -> Json:
    """Return an update of a CSIDriver without that member, unless it had one.

    Its generation begins with the first change.
    """
    compared = new if POD_SCHEDULING_GATE in old["spec"] else without_gated(new)
    if compared["spec"] == old["spec"]:
        return compared
    return metadata.with_metadata(compared, generation=old["metadata"].get("generation", 0) + 1)


def _period(seconds: int | None, path: str) -> Errors:
    if seconds is not None and seconds < SHORTEST_PERIOD:
        yield fields.invalid(path, seconds, f"must be greater than or equal to {SHORTEST_PERIOD} seconds")


def _tokens(requests: list[Json]) -> Errors:
    audiences: set[str] = set()
    for number, request in enumerate(requests):
        path, audience = f"spec.tokenRequests[{number}]", request.get("audience", "")
        if audience in audiences:
            yield fields.duplicate(f"{path}.audience", audience)
            continue
        audiences.add(audience)
        seconds = request.get("expirationSeconds", SHORTEST_TOKEN)
        if seconds < SHORTEST_TOKEN:
            yield fields.invalid(
                f"{path}.expirationSeconds", seconds, "may not specify a duration less than 10 minutes"
            )
        if seconds > LONGEST_TOKEN:
            yield fields.invalid(
                f"{path}.expirationSeconds", seconds, "may not specify a duration larger than 2^32 seconds"
            )


def same_driver(new: Json, old: Json) -> list[FieldError]:
    """Judge that a CSIDriver attaches as before."""
    pairs = (("attachRequired", "attachedRequired"), ("volumeLifecycleModes", "volumeLifecycleModes"))
    return [
        error
        for name, go_name in pairs
        for error in basics.immutable(new["spec"].get(name), old["spec"].get(name), f"spec.{go_name}")
    ]


def capacity(obj: Json) -> list[FieldError]:
    """Judge a CSIStorageCapacity."""
    name = obj.get("storageClassName", "")
    return [
        *(fields.invalid("storageClassName", name, problem) for problem in basics.dns_subdomain(name)),
        *basics.label_selector(obj.get("nodeTopology"), "nodeTopology"),
        *_amount(obj.get("capacity")),
    ]


def _amount(value: str | None) -> Errors:
    if value is not None and Quantity.of(value).amount < 0:
        yield fields.invalid("capacity", value, "must be greater than or equal to 0")


def same_capacity(new: Json, old: Json) -> list[FieldError]:
    """Judge that a CSIStorageCapacity speaks of the same class and place."""
    return [
        error
        for name in ("nodeTopology", "storageClassName")
        for error in basics.immutable(new.get(name), old.get(name), name)
    ]


def attachment(obj: Json) -> list[FieldError]:
    """Judge a VolumeAttachment."""
    spec = obj["spec"]
    attacher, node_name, source = spec.get("attacher", ""), spec.get("nodeName", ""), spec.get("source") or {}
    return [
        *_driver_name(attacher, "spec.attacher"),
        *_attachment_source(source, "spec.source"),
        *(fields.invalid("spec.nodeName", node_name, problem) for problem in basics.dns_subdomain(node_name)),
        *basics.nonempty_name(source.get("persistentVolumeName"), VOLUME_NAME, basics.dns_subdomain),
        *_attachment_status(obj.get("status") or {}),
    ]


def _attachment_status(status: Json) -> Errors:
    metadata = status.get("attachmentMetadata") or {}
    if sum(len(text.encode()) for pair in metadata.items() for text in pair) > ATTACHMENT_LIMIT:
        yield fields.too_long("status.attachmentMetadata", ATTACHMENT_LIMIT)
    for name in ("attachError", "detachError"):
        error = status.get(name) or {}
        if len(error.get("message", "").encode()) > ERROR_LIMIT:
            # The real server names the other limit.
            yield fields.too_long(f"status.{name}.message", ATTACHMENT_LIMIT)
        if (code := error.get("errorCode") or 0) < 0:
            why = f"must be between 0 and {basics.INT32_MAX}, inclusive"
            yield fields.invalid(f"status.{name}.errorCode", code, why)


def _attachment_source(source: Json, path: str) -> Errors:
    inline, name = source.get("inlineVolumeSpec"), source.get("persistentVolumeName")
    if inline is None and name is None:
        yield fields.required(path, ONE_SOURCE)
    elif inline is not None and name is not None:
        yield fields.forbidden(path, ONE_SOURCE)
    elif name == "":
        yield fields.required(f"{path}.persistentVolumeName", "must specify non empty persistentVolumeName")


def same_attachment(new: Json, old: Json) -> list[FieldError]:
    """Judge that a VolumeAttachment stays."""
    if new["spec"] == old["spec"]:
        return []
    return [
        fields.invalid(
            "spec", to_go_struct("storage.v1.VolumeAttachmentSpec", new["spec"]), "field is immutable"
        )
    ]
