"""The AdmissionChecks of a case."""

from __future__ import annotations

from typing import Any

from ..making import manifests
from ..making.maker import Maker
from .check import Check


class Checks(Maker):
    """Makes AdmissionChecks."""

    def make_check(self, *, active: bool = True, **fields: Any) -> Check:
        """Make an AdmissionCheck, Active by default."""
        name = self.names.name("check")
        self.client.create(manifests.admission_check(name, **fields))
        check = Check(self.context, name)
        return check.set_active() if active else check

    def make_check_named_like(self, other: Check) -> Check:
        """Make an Active check of another controller whose name begins with the name of `other`."""
        name = f"{other.name}-too"
        self.client.create(manifests.admission_check(name))
        return Check(self.context, name).set_active()

    def make_checks_around(self, own: Check) -> tuple[Check, Check, Check]:
        """Make an Active check of another controller before
        and one after a check, in order of their names.
        """
        names = f"a-{own.name}"[:63], f"z-{own.name}"[:63]
        for name in names:
            self.client.create(manifests.admission_check(name))
        first, last = (Check(self.context, name).set_active() for name in names)
        return first, own, last

    def missing_check(self) -> Check:
        """Return a check that does not exist, for a queue to refer to."""
        return Check(self.context, self.names.name("check"))

    def create_check(self, check: Check) -> Check:
        """Create the object of a missing check."""
        self.client.create(manifests.admission_check(check.name))
        return check
