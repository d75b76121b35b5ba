"""Priority: the priority of a pod comes from its PriorityClass, and one class is the default (FK-317)."""

from __future__ import annotations

from ...api.admission import Review
from ...api.context import Context
from ...base.json_types import Json
from ...store import Store
from .plugin import PODS, Plugin, forbidden

CLASSES = ("scheduling.k8s.io", "priorityclasses")
PREEMPT_LOWER_PRIORITY = "PreemptLowerPriority"
COMPUTED_FIELDS = ("priority", "preemptionPolicy")
GIVEN_PRIORITY = (
    "the integer value of priority ({}) must not be provided in pod spec;"
    " priority admission controller computed {} from the given PriorityClass name"
)
GIVEN_POLICY = (
    "the string value of PreemptionPolicy ({}) must not be provided in pod spec;"
    " priority admission controller computed {} from the given PriorityClass name"
)


def prioritize(api: Context, review: Review, pod: Json) -> Json:
    """Return a pod with its priority; an update keeps what was computed. Raises 403."""
    spec = pod["spec"]
    # A pod keeps what was computed when it was created, even if its class is gone.
    if review.operation == "UPDATE":
        before = review.old["spec"]
        missing = {name: before[name] for name in COMPUTED_FIELDS if name in before and name not in spec}
        return {**pod, "spec": {**spec, **missing}} if missing else pod
    priority_class = _class_of(api.store, review, spec.get("priorityClassName", ""))
    if priority_class is None:
        computed = {"priority": 0, "preemptionPolicy": PREEMPT_LOWER_PRIORITY}
    else:
        policy = priority_class.get("preemptionPolicy", PREEMPT_LOWER_PRIORITY)
        computed = {"priority": priority_class["value"], "preemptionPolicy": policy}
    # A client may repeat what is computed, and nothing else.
    _check_given(review, spec, computed)
    if priority_class is not None:
        computed["priorityClassName"] = priority_class["metadata"]["name"]
    return {**pod, "spec": {**spec, **computed}}


def _class_of(store: Store, review: Review, name: str) -> Json:
    """Return the class of that name, or the default; None when there is no default. Raises 403."""
    if name:
        stored = store.get(CLASSES, ("", name))
        if stored is None:
            raise forbidden(review, f"no PriorityClass with name {name} was found")
        return stored.object
    defaults = [stored.object for stored in store.list(CLASSES) if stored.object.get("globalDefault")]
    # Of several defaults, as can be left over from races, the least value.
    return min(defaults, key=lambda candidate: candidate["value"], default=None)


def _check_given(review: Review, spec: Json, computed: Json) -> None:
    for name, text in zip(COMPUTED_FIELDS, (GIVEN_PRIORITY, GIVEN_POLICY), strict=True):
        value = spec.get(name)
        if value is not None and value != computed[name]:
            raise forbidden(review, text.format(value, computed[name]))


def check_default(api: Context, review: Review) -> None:
    """Check that no other PriorityClass is the default. Raises 403."""
    if not review.new.get("globalDefault"):
        return
    for stored in api.store.list(CLASSES):
        name = stored.name[1]
        # The class itself may be updated.
        if stored.object.get("globalDefault") and name != review.name:
            raise forbidden(
                review, f"PriorityClass {name} is already marked as default. Only one default can exist"
            )


PLUGIN = Plugin(
    name="Priority",
    mutates={PODS: prioritize},
    validates={("scheduling.k8s.io", "priorityclasses", ""): check_default},
)
