"""Wrong about the Active condition and parameters (CC-010…018)."""

from .objects import condition, timestamp
from .right import CheckController


class KeepsTheFirstGeneration(CheckController):
    """Breaks CC-016: says of which generation it speaks only when the status turns; CHK-005 must catch it."""

    def active(self, check):
        old, new = condition(check, "Active"), super().active(check)
        turned = old.get("status") != new["status"]
        return new if turned else {**new, "observedGeneration": old.get("observedGeneration", 1)}


class NamesNoGeneration(CheckController):
    """Breaks CC-016: does not say of which generation it speaks; CHK-005 must catch it."""

    def active(self, check):
        return {key: value for key, value in super().active(check).items() if key != "observedGeneration"}


class StampsEveryGeneration(CheckController):
    """Breaks CC-017: moves the time of Active with every change of the spec; CHK-000 must catch it."""

    async def activated(self, check):
        new = await super().activated(check)
        if new is None or not condition(check, "Active"):
            return new
        stamped = {**condition(new, "Active"), "lastTransitionTime": timestamp(self.clock.now())}
        others = [one for one in new["status"]["conditions"] if one["type"] != "Active"]
        return {**new, "status": {**new["status"], "conditions": [*others, stamped]}}


class IsActiveWithoutParameters(CheckController):
    """Breaks CC-011: does not mind that the parameters are not there; CHK-000 must catch it."""

    def problem(self, check):
        found = super().problem(check)
        return "" if found.startswith("there is no") else found


class TakesAnyKindOfParameters(CheckController):
    """Breaks CC-011: looks at the name of the parameters and not at their kind; CHK-000 must catch it."""

    def reference(self, check):
        said = super().reference(check)
        return {**said, "apiGroup": "example.com", "kind": "Budget"} if said else said


class TakesInvalidParameters(CheckController):
    """Breaks CC-011: does not read what is in the parameters; CHK-000 must catch it."""

    def invalid(self, budget):
        return ""


class GivesNoReason(CheckController):
    """Breaks CC-011: says that a check is not active, and not why; CHK-000 must catch it."""

    def active(self, check):
        return {**super().active(check), "message": ""}


class SaysNothingOfBadParameters(CheckController):
    """Breaks CC-011: leaves a check that was Active as it is when its parameters are wrong; CHK-000 must catch it."""

    async def activated(self, check):
        return None if self.problem(check) else await super().activated(check)


class ReadsParametersOnce(CheckController):
    """Breaks CC-012: does not hear of parameters that come, change or go; CHK-000 must catch it."""

    def parameters_changed(self, old, new):
        pass


class BelievesInDeletedParameters(CheckController):
    """Breaks CC-012: does not hear that parameters are deleted; CHK-000 must catch it."""

    def parameters_changed(self, old, new):
        if new is not None:
            super().parameters_changed(old, new)


class DropsOtherConditions(CheckController):
    """Breaks CC-013: writes the conditions of a check with its own alone; CHK-000 must catch it."""

    async def activated(self, check):
        new = await super().activated(check)
        return new and {**new, "status": {**new["status"], "conditions": [condition(new, "Active")]}}


class LabelsItsChecks(CheckController):
    """Breaks CC-013: marks its checks with a label; CHK-000 must catch it."""

    async def judge_check(self, key):
        await super().judge_check(key)
        check = self.checks.known.get(key)
        if check and self.owns(key[1]) and "example.com/served" not in check["metadata"].get("labels", {}):
            change = {"metadata": {"labels": {"example.com/served": "yes"}}}
            await self.api.patch(f"/apis/kueue.x-k8s.io/v1beta2/admissionchecks/{key[1]}", change)


class Flaps(CheckController):
    """Breaks CC-015: says that a check is not active whenever it asks; CHK-000 must catch it."""

    asking = False

    def problem(self, check):
        return "busy" if self.asking and not super().problem(check) else super().problem(check)

    async def ask(self, workload, check):
        self.asking = True
        try:
            await self.judge_check(("", check))
            return await super().ask(workload, check)
        finally:
            self.asking = False
            self.mark("check", ("", check))


class ActivatesNewChecksOnly(CheckController):
    """Breaks CC-010: knows only checks that are made while it runs; CHK-000 must catch it."""

    def look_at_everything(self):
        self.before = set(self.checks.known)
        super().look_at_everything()

    def owns(self, name):
        return super().owns(name) and ("", name) not in getattr(self, "before", ())


class ActivatesEarlierChecksOnly(CheckController):
    """Breaks CC-010: does not look at a check again that was named for it later; CHK-000 must catch it."""

    def check_changed(self, old, new):
        if old is None or new is None or self.name != old["spec"].get("controllerName"):
            super().check_changed(old, new)


class StumblesOverForeignConditions(CheckController):
    """Breaks CC-018: cannot read a check that has a condition which it does not know; CHK-000 must catch it."""

    async def activated(self, check):
        strange = [
            one["type"] for one in check.get("status", {}).get("conditions", []) if one["type"] != "Active"
        ]
        if strange:
            raise ValueError(strange)
        return await super().activated(check)
