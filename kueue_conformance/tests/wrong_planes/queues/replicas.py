"""Wrong about replicas, of which one leads (AC-375)."""

import asyncio
from dataclasses import replace

from reference_impl.kueue import composition
from reference_impl.runtime.leader import Leader
from reference_impl.runtime.manager import Manager

from ...killing.planes import wrong


@wrong((composition, "program"))
def elects_no_leader(right, config, *parts, **more):
    """Breaks AC-375: works without a Lease, whether or not another does; QUE-350 must catch it."""
    return replace(right(config, *parts, **more), leader_election=False)


@wrong((Leader, "_is_free"))
def takes_the_lease_of_another(_, leader, lease):
    """Breaks AC-375: takes a Lease that another renews; QUE-350 must catch it."""
    return True


@wrong((Leader, "_is_free"))
def never_takes_over(_, leader, lease):
    """Breaks AC-375: waits for ever when the one that led has ended; QUE-350 must catch it."""
    return lease["spec"]["holderIdentity"] == leader.identity


@wrong((Manager, "_lead"))
async def works_while_it_waits_to_lead(right, manager, runtime, fence):
    """Breaks AC-375: takes part in the election, and works before it leads; QUE-350 must catch it."""
    manager._tasks.append(asyncio.ensure_future(right(manager, runtime, fence)))
    runtime.client._check = lambda: None
