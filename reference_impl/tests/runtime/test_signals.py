"""A program that runs until a signal says so."""

from __future__ import annotations

import asyncio
import signal

from reference_impl.runtime.signals import run_until_signal


async def works() -> None:
    await asyncio.sleep(0)


async def waits() -> None:
    asyncio.get_running_loop().call_soon(signal.raise_signal, signal.SIGTERM)
    await asyncio.Event().wait()


def test_it_ends_with_its_work_or_with_a_signal_and_leaves_signals_as_they_were() -> None:
    before = signal.getsignal(signal.SIGINT)

    run_until_signal(works())
    run_until_signal(waits())

    assert signal.getsignal(signal.SIGINT) == before
