"""The example controller, bound to the name of one AdmissionCheck, as a prototype is (TP-04, TP-12).

Run as `python bound_controllers.py VARIANT`; every variant answers for the check `fabric-ready` alone.
"""

import sys

from controller import CheckController, main

NAME = "fabric-ready"


class Bound(CheckController):
    """Serves its one check, as long as that names the controller."""

    def owns(self, name):
        return name == NAME and super().owns(name)


class MarksAll(CheckController):
    """Marks every check of the controller Active, and answers the entry of the one name alone."""

    def judged(self, workload, entry):
        return super().judged(workload, entry) if entry["name"] == NAME else entry


class Hasty(Bound):
    """Answers a Workload that is being evicted as well."""

    def may_act(self, workload):
        return "deletionTimestamp" not in workload["metadata"] and "status" in workload


class AnyController(Bound):
    """Takes the check of its name for its own, whatever controller that names."""

    def owns(self, name):
        return name == NAME and ("", name) in self.known["admissionchecks"]


class Script(Bound):
    """Looks at Workloads alone: it knows its check by the name, and marks none Active."""

    def owns(self, name):
        return name == NAME

    def follow(self, plural):
        if plural != "admissionchecks":
            super().follow(plural)


VARIANTS = {
    "right": Bound,
    "marks-all": MarksAll,
    "hasty": Hasty,
    "any-controller": AnyController,
    "script": Script,
}

if __name__ == "__main__":
    main(VARIANTS[sys.argv.pop(1)])
