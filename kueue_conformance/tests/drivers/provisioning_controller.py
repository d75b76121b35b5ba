"""The reference's provisioning check alone, without the defects of the release: a third-party controller
beside a Kueue without one.
"""

import asyncio
from pathlib import Path

from reference_impl.kueue.composition import program
from reference_impl.kueue.config import PROVISIONING_CHECK, Config
from reference_impl.runtime import kubeconfig
from reference_impl.runtime.manager import Manager


async def serve(context):
    """Work until cancelled."""
    connection = kubeconfig.load(Path(context.kubeconfig))
    config = Config(
        connection=connection, parts=frozenset({PROVISIONING_CHECK}), defects=False, leader_election=False
    )
    manager = Manager(program(config), context.clock)
    await manager.start()
    try:
        await asyncio.Event().wait()
    finally:
        await manager.stop()
