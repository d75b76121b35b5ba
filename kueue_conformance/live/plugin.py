"""The pytest plugin of `run --live`: the leading process serves the page, each worker sends its cases."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any

import pytest

from ..case.context import CaseContext
from ..options import header_line
from ..session.fixtures import CASE_CONTEXT, RUN
from .case_view import case_view
from .page_server import PageServer
from .publisher import Publisher
from .run_state import RunState

ADDRESS = "KUEUE_CONFORMANCE_LIVE_ADDRESS"
"""The environment variable by which workers know the page's server."""
_LOOK_SECONDS = 0.2
"""The least time between two looks at a case."""


def pytest_configure(config: pytest.Config) -> None:
    """Start the server in the leading process, and the feed of cases in each."""
    # xdist sets workerinput in workers alone; they inherit the environment.
    worker = getattr(config, "workerinput", {}).get("workerid", "")
    if not worker:
        server = PageServer(RunState())
        # Before xdist starts its workers, which is later than this hook.
        os.environ[ADDRESS] = server.url
        config.pluginmanager.register(LivePage(config, server), "kueue-conformance-live-page")
    feed = CaseFeed(Publisher(os.environ[ADDRESS], worker or "main"))
    config.pluginmanager.register(feed, "kueue-conformance-case-feed")


class LivePage:
    """Tells the page what the leading process hears."""

    def __init__(self, config: pytest.Config, server: PageServer) -> None:
        self._config = config
        self._server = server

    @pytest.hookimpl(trylast=True)
    def pytest_sessionstart(self) -> None:
        """Print where the page is."""
        terminal: Any = self._config.pluginmanager.get_plugin("terminalreporter")
        if terminal is not None:
            terminal.write_line(f"live: {self._server.url}")
        self._server.state.describe(header_line(self._config.stash[RUN].settings))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Count the cases."""
        self._server.state.expect(len(session.items))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Count the cases that a worker has collected."""
        self._server.state.expect(len(ids))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a case that has ended."""
        note = getattr(report, "kueue", None)
        if note is not None and (report.when == "call" or note["outcome"] != "passed"):
            self._server.state.count_case(note)

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """Show the end, and stop the server."""
        self._server.close()
        os.environ.pop(ADDRESS, None)


class CaseFeed:
    """Looks at the running case whenever its scenario waits; the looks are on the scenario's own thread."""

    def __init__(self, publisher: Publisher) -> None:
        self._publisher = publisher
        self._looked = 0.0

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> None:
        """Look at a case that begins, and from now on while it waits."""
        context = item.stash.get(CASE_CONTEXT, None)
        if context is not None:
            self._publisher.offer(case_view(context))
            # Stand-ins act in each turn of a wait, on the thread on which the story may be read.
            context.stand_ins.append(lambda: self._look(context))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        """Look at a case that ends."""
        context = item.stash.get(CASE_CONTEXT, None)
        if context is not None:
            self._publisher.offer(case_view(context))

    def _look(self, context: CaseContext) -> bool:
        """Send what the case looks like, unless it was looked at just before; it does nothing to the case."""
        current_time = time.monotonic()
        if current_time - self._looked >= _LOOK_SECONDS:
            self._looked = current_time
            self._publisher.offer(case_view(context))
        return False

    @pytest.hookimpl(tryfirst=True)
    def pytest_unconfigure(self) -> None:
        """Send the last view."""
        self._publisher.close()
