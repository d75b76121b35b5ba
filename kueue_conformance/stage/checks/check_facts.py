"""The observed AdmissionCheck: its Active condition, whether it exists, what other clients wrote on it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import dropwhile, pairwise

from ...base.bounds import Bound
from ...base.json_types import Json
from ...base.objects import Condition
from ...case.context import CaseContext
from ...history.fact import Fact

NOTE = "example.com/audited"


class CheckFacts:
    """Facts about one AdmissionCheck; they read the object anew each time."""

    def __init__(self, context: CaseContext, name: str) -> None:
        self._context = context
        self.name = name

    def is_active(self) -> Fact:
        """Its Active condition is True."""
        condition = self._active()
        return Fact(
            condition.get("status") == "True",
            f"AdmissionCheck {self.name} is Active",
            f"{condition or 'no Active condition'}",
        )

    def is_usable_by(self, controller: str) -> Fact:
        """It names this controller, is Active, and is not being deleted."""
        check = self._context.client.find("AdmissionCheck", self.name)
        state = "gone" if check is None else "terminating" if "deletionTimestamp" in check["metadata"] else ""
        owner = (check or {}).get("spec", {}).get("controllerName", "")
        status = self._active().get("status", "not set")
        return Fact(
            not state and owner == controller and status == "True",
            f"AdmissionCheck {self.name} of {controller} is there and Active",
            state or f"Active is {status}, of {owner}",
        )

    def is_active_for_its_generation(self) -> Fact:
        """The Active condition has the newest generation."""
        condition, check = self._active(), self._context.client.get("AdmissionCheck", self.name)
        generation = check["metadata"]["generation"]
        return Fact(
            (condition.get("status"), condition.get("observedGeneration")) == ("True", generation),
            f"AdmissionCheck {self.name} is Active with observedGeneration {generation}",
            f"{condition or 'no Active condition'}",
        )

    def has_no_active_condition(self) -> Fact:
        """The Active condition is not set."""
        condition = self._active()
        return Fact(not condition, f"AdmissionCheck {self.name} has no Active condition", f"{condition}")

    def _active(self) -> Condition:
        return _active_of(self._context.client.find("AdmissionCheck", self.name) or {})

    def is_gone(self) -> Fact:
        """The AdmissionCheck object no longer exists."""
        check = self._context.client.find("AdmissionCheck", self.name)
        deleting = check is not None and "deletionTimestamp" in check["metadata"]
        observed = "gone" if check is None else "terminating" if deleting else "there"
        return Fact(check is None, f"AdmissionCheck {self.name} is gone", observed)

    def has_finalizer(self) -> Fact:
        """The AdmissionCheck object has Kueue's finalizer."""
        check = self._context.client.find("AdmissionCheck", self.name)
        finalizers = check["metadata"].get("finalizers", []) if check else []
        has_finalizer = "kueue.x-k8s.io/resource-in-use" in finalizers
        observed = f"finalizers {finalizers}" if check else "it is gone"
        return Fact(has_finalizer, f"AdmissionCheck {self.name} has the finalizer resource-in-use", observed)

    def shows_why_inactive(self) -> Fact:
        """Its Active condition is False, with a reason and a message (CC-011)."""
        condition = self._active()
        is_explained = bool(condition.get("reason") and condition.get("message"))
        return Fact(
            is_explained and condition.get("status") in ("False", "Unknown"),
            f"AdmissionCheck {self.name} is not Active, with a reason and a message",
            f"{condition or 'no Active condition'}",
        )

    def has_moved_active_time_with_status(self) -> Fact:
        """The time of its Active condition never moved while the status stayed (CC-017)."""
        moves = [
            f"{new['status']} since {old.get('lastTransitionTime')}, then {new.get('lastTransitionTime')}"
            for old, new in pairwise(self._active_conditions())
            if old
            and new
            and old["status"] == new["status"]
            and old.get("lastTransitionTime") != new.get("lastTransitionTime")
        ]
        return Fact(
            not moves,
            f"the time of Active of {self.name} moves with its status only",
            "; ".join(moves) or "it moved so",
        )

    def has_flapped(self) -> Fact:
        """The Active condition has changed since it was True (CC-015)."""
        statuses = self.active_statuses()
        # Before, a controller may hear of the check earlier than of its parameters, and miss them.
        since_true = dropwhile(lambda status: status != "True", statuses)
        turns = sum(old != new for old, new in pairwise(since_true))
        bound = Bound("times", least=1)
        observed = f"it changed {bound.describe(turns)}"
        return Fact(bound.holds(turns), f"the Active condition of {self.name} changes {bound}", observed)

    def was_active(self) -> Fact:
        """Its Active condition was True at some time."""
        statuses = self.active_statuses()
        return Fact(
            "True" in statuses, f"AdmissionCheck {self.name} was Active at some time", f"it said {statuses}"
        )

    def active_statuses(self) -> list[str | None]:
        """Return each status of Active of the newest object of this name, None without the condition."""
        return [condition.get("status") for condition in self._active_conditions()]

    def _active_conditions(self) -> list[Condition]:
        """Return each Active condition of the newest object of this name, empty ones too."""
        stories = [
            change.after for change in self._context.history.of("AdmissionCheck", self.name) if change.after
        ]
        # A subject that answers for one name alone has had other checks of this name before.
        uid = stories[-1]["metadata"]["uid"] if stories else ""
        return [_active_of(check) for check in stories if check["metadata"]["uid"] == uid]

    def has_foreign_fields(self) -> Fact:
        """The label, the finalizer and the condition of another client are there (CC-013)."""
        check = self._context.client.get("AdmissionCheck", self.name)
        metadata, conditions = check["metadata"], (check.get("status") or {}).get("conditions", [])
        present = {
            "label": NOTE in metadata.get("labels", {}),
            "finalizer": NOTE in metadata.get("finalizers", []),
            "condition": any(condition["type"] == "Audited" for condition in conditions),
        }
        lost = [name for name, there in present.items() if not there]
        return Fact(
            not lost,
            f"what others wrote on {self.name} is there",
            f"lost: {', '.join(lost)}" if lost else "all there",
        )


def _active_of(check: Json) -> Condition:
    conditions: Sequence[Condition] = (check.get("status") or {}).get("conditions", [])
    return next((condition for condition in conditions if condition["type"] == "Active"), Condition())
