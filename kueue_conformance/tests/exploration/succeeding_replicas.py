"""A controller of the zoo that is wrong only where it has succeeded another replica."""

from ..zoo.leader import Leader
from ..zoo.right import CheckController


class NotingLeader(Leader):
    """Notes whether the lease was that of another replica before."""

    has_succeeded = False

    def may_take(self, spec):
        may_take = super().may_take(spec)
        self.has_succeeded |= may_take and spec.get("holderIdentity") not in (None, "", self._identity)
        return may_take


class TrustsItsCopyAsASuccessor(CheckController):
    """Writes what it decided from its copies to the newest object when it has succeeded another one."""

    Leader = NotingLeader

    async def write(self, path, desired, read):
        if self.leader.has_succeeded:
            newest = await self.read(path)
            entries = desired["status"].get("admissionChecks", [])
            desired = {**newest, "status": {**newest["status"], "admissionChecks": entries}}
        await super().write(path, desired, read)
