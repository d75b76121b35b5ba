"""The right controller of the zoo, bound to the name of one AdmissionCheck, and wrong ones beside it (TP-04,
TP-12).
"""

from kueue_conformance.tests.zoo.objects import is_true
from kueue_conformance.tests.zoo.ownership import AnswersForOneName
from kueue_conformance.tests.zoo.right import CheckController

NAME = AnswersForOneName.only


class Bound(CheckController):
    """Serves its one check, as long as that names the controller."""

    def owns(self, name):
        return name == NAME and super().owns(name)

    def reference(self, check):
        """Return nothing: it has no parameters."""
        return {}


class OfAnyController(Bound):
    """Takes the check of its name for its own, whatever controller that names."""

    def owns(self, name):
        return name == NAME and ("", name) in self.checks.known


class Hasty(Bound):
    """Answers a Workload that is being evicted as well."""

    def may_act(self, workload):
        return is_true(workload, "QuotaReserved") and not is_true(workload, "Finished")
