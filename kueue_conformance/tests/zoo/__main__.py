"""A controller of the zoo as a program:
`python -m kueue_conformance.tests.zoo ownership:ServesEveryCheck`.
"""

import asyncio
import importlib
import os
import signal
import sys

from kueue_conformance.subject import SubjectContext


async def work(module, name):
    """Work until SIGTERM."""
    where = "KUBECONFIG", "KUEUE_CONFORMANCE_CONTROLLER_NAME", "KUEUE_CONFORMANCE_VERDICT_URL"
    controller = getattr(importlib.import_module(f"{__package__}.{module}"), name)
    working = asyncio.ensure_future(controller.serve(SubjectContext(*map(os.environ.get, where))))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, working.cancel)
    await asyncio.wait([working])


asyncio.run(work(*sys.argv[1].split(":")))
