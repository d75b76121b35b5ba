"""Wrong about the Active condition and parameters (CC-010…018)."""

from .follow import pause
from .objects import CHECKS, condition, is_true, timestamp
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
    """Breaks CC-017: moves the time of Active with every change of the spec; CHK-047 must catch it."""

    async def activate(self, check):
        new = await super().activate(check)
        if new is None or not condition(check, "Active"):
            return new
        stamped = {**condition(new, "Active"), "lastTransitionTime": timestamp(self.clock.now())}
        conditions = [condition for condition in new["status"]["conditions"] if condition["type"] != "Active"]
        return {**new, "status": {**new["status"], "conditions": [*conditions, stamped]}}


class IsActiveWithoutParameters(CheckController):
    """Breaks CC-011: does not mind that the parameters are not there; CHK-050 must catch it."""

    def problem(self, check):
        problem = super().problem(check)
        return "" if problem.startswith("there is no") else problem


class TakesInvalidParameters(CheckController):
    """Breaks CC-011: does not read what is in the parameters; CHK-051 must catch it."""

    def invalid(self, budget):
        return ""


class GivesNoReason(CheckController):
    """Breaks CC-011: says that a check is not active, and not why; CHK-050 must catch it."""

    def active(self, check):
        return {**super().active(check), "message": ""}


class SaysNothingOfBadParameters(CheckController):
    """Breaks CC-011: leaves a check Active
    when its parameters become wrong; CHK-053 must catch it.
    """

    async def activate(self, check):
        return None if self.problem(check) else await super().activate(check)


class BelievesInDeletedParameters(CheckController):
    """Breaks CC-012: does not hear that parameters are deleted; CHK-053 must catch it."""

    def parameters_changed(self, old, new):
        if new is not None:
            super().parameters_changed(old, new)


class DropsOtherConditions(CheckController):
    """Breaks CC-013: writes the conditions of a check with its own alone; CHK-040 must catch it."""

    async def activate(self, check):
        new = await super().activate(check)
        return new and {**new, "status": {**new["status"], "conditions": [condition(new, "Active")]}}


class SaysActiveOnTheMainResource(CheckController):
    """Breaks CC-014: writes the condition of a check that is
    no longer usable where it is lost; CHK-053 must catch it.
    """

    async def write(self, path, desired, read):
        fails = "/admissionchecks/" in path and condition(desired, "Active")["status"] == "False"
        await super().write(path.removesuffix("/status") if fails else path, desired, read)


class StumblesOverOddChecks(CheckController):
    """Breaks CC-018: looks at all its checks in turn, and cannot read one with a condition that it does not
    know; CHK-048 must catch it.
    """

    async def judge_check(self, key):
        for _, name in sorted(self.checks.known):
            conditions = (
                self.checks.known["", name].get("status", {}).get("conditions", []) if self.owns(name) else []
            )
            if any(condition["type"] != "Active" for condition in conditions):
                raise ValueError(name)
        await super().judge_check(key)


class StumblesOverChecksThatGo(CheckController):
    """Breaks CC-018: does nothing for anybody while one of
    its checks is being deleted; CHK-048 must catch it.
    """

    def problem(self, check):
        going = [name for _, name in self.checks.known if self.owns(name) and not self.serves(name)]
        return f"{going[0]} is being deleted" if going else super().problem(check)


class NeedsParameters(CheckController):
    """Breaks CC-018: serves no Workload while one of its checks has no parameters; CHK-048 must catch it."""

    def problem(self, check):
        bare = [
            name
            for (_, name), document in self.checks.known.items()
            if self.owns(name) and not self.reference(document)
        ]
        return f"{bare[0]} has no parameters" if bare else super().problem(check)


class LeavesForeignParametersAlone(CheckController):
    """Breaks CC-011: thinks that parameters of a kind which
    it does not know are fine; CHK-050 must catch it.
    """

    def problem(self, check):
        problem = super().problem(check)
        return "" if "expected a Budget" in problem else problem


class ReadsParametersOnce(CheckController):
    """Breaks CC-012: does not hear of parameters that come, change or go; CHK-052 must catch it."""

    def parameters_changed(self, old, new):
        if not self.parameters.synced.is_set():
            super().parameters_changed(old, new)


class FindsParametersOfOtherNamesWrong(CheckController):
    """Breaks CC-010: knows the parameters of one check, and takes those of every other for wrong; CHK-049
    must catch it.
    """

    first = None

    def problem(self, check):
        result, name = super().problem(check), self.reference(check).get("name")
        if not result:
            self.first = self.first or name
        return result or ("" if name == self.first else f"{name} is not {self.first}")


class NeverTakesActiveBack(CheckController):
    """Breaks CC-012: a check that was Active once stays so; CHK-053 must catch it."""

    def active(self, check):
        new = super().active(check)
        return (
            {**condition(check, "Active"), "observedGeneration": new["observedGeneration"]}
            if is_true(check, "Active")
            else new
        )


class LabelsChecksItCannotUse(CheckController):
    """Breaks CC-013: marks a check with a label when it cannot be used; CHK-050 must catch it."""

    async def judge_check(self, key):
        await super().judge_check(key)
        check = self.checks.known.get(key)
        bad = check and self.owns(key[1]) and self.problem(check)
        if bad and "example.com/usable" not in check["metadata"].get("labels", {}):
            await self.api.patch(f"{CHECKS}/{key[1]}", {"metadata": {"labels": {"example.com/usable": "no"}}})


class Flaps(CheckController):
    """Breaks CC-015: says that a check is not active while it
    looks at a change of its labels; CHK-046 must catch it.
    """

    looking = frozenset()

    def check_changed(self, old, new):
        if old and new and old["metadata"].get("labels") != new["metadata"].get("labels"):
            self.looking |= {new["metadata"]["name"]}
        super().check_changed(old, new)

    async def judge_check(self, key):
        if key[1] in self.looking:
            await super().judge_check(key)
            self.looking -= {key[1]}
        await super().judge_check(key)

    def active(self, check):
        new = super().active(check)
        looking = check["metadata"]["name"] in self.looking
        return {**new, "status": "False", "reason": "Looking", "message": "one moment"} if looking else new

    async def settle(self, path, stored, decide):
        await super().settle(path, await self.read(path) if "/admissionchecks/" in path else stored, decide)


class KeepsTheFirstReference(CheckController):
    """Breaks CC-012: goes on with the parameters that a check had first; CHK-182 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.first = {}

    def reference(self, check):
        return self.first.setdefault(check["metadata"]["uid"], super().reference(check))


class TellsOneCheckOfItsParameters(CheckController):
    """Breaks CC-012: looks at one of the checks that refer
    to parameters when these change; CHK-183 must catch it.
    """

    def parameters_changed(self, old, new):
        name = (new or old)["metadata"]["name"]
        ours = [
            document for document in self.checks.known.values() if self.owns(document["metadata"]["name"])
        ]
        for check in [our for our in ours if self.reference(our).get("name") == name][:1]:
            self.check_changed(check, check)


class IsActiveFirst(CheckController):
    """Breaks CC-011: says that a check is Active before it looks at its parameters; CHK-050 must catch it."""

    def active(self, check):
        text = {"observedGeneration": check["metadata"]["generation"]}
        first = {"status": "True", "reason": "Active", "message": "The check can be used", **text}
        return super().active(check) if condition(check, "Active") else first


class NeverForgivesParameters(CheckController):
    """Breaks CC-012: a check whose parameters went is never Active again; CHK-053 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.spoilt = {}

    def problem(self, check):
        result, uid = super().problem(check), check["metadata"]["uid"]
        if result and is_true(check, "Active"):
            self.spoilt[uid] = result
        return self.spoilt.get(uid) or result


class TellsWhenItLooked(CheckController):
    """Breaks CC-015: says every ten seconds when it has looked at a check; CHK-140 must catch it."""

    async def run(self):
        self.tasks.create_task(self.looking())
        await super().run()

    async def looking(self):
        while True:
            await pause(self.clock, 10.0)
            self.look_at_everything()

    def active(self, check):
        return {**super().active(check), "message": f"looked at {timestamp(self.clock.now())}"}
