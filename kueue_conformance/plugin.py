"""The pytest plugin: registers options and markers and
connects hooks to the modules below; no logic of its own.

It is loaded in every pytest run of the environment and stays
inert where there is no scenario and no fixture of ours.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial

import click
import pytest

from . import options
from .base.errors import ConformanceError, Nonconformance, UsageError
from .case.failure_text import complete, under
from .case.judgement import Judgement, enforce, judge_case, lines_of
from .history.fact import fact_ledger
from .report.collect import Collector
from .report.formats.allure import label
from .report.results.case_note import note_case
from .report.results.expectations import reason_for_exclusion
from .run import Run
from .run.parametrization import (
    TURN,
    by_dialect,
    cases_of,
    check_is_known,
    choose,
    dialect_of,
    spoken_dialect,
)
from .run.sharding import cases_of_shard
from .scenarios import dialect
from .scenarios.cases import DATA
from .scenarios.feature_gates import gates_text, read_gates
from .session.case_timeouts import extend, judge_timeout
from .session.fixtures import (
    CASE_CONTEXT,
    RUN,
    api_server,
    autoscaler,
    autoscaler_faults,
    autoscaling,
    case_of,
    clock,
    controller_faults,
    fakecluster,
    faults,
    history,
    integration,
    kueue,
    kueue_cluster,
    kueue_context,
    kueue_dialect,
    kueue_upgrade,
    make_queue,
    play_story,
    provisioning,
    queue,
    recorded_kueue,
    scenario_of,
    subject,
    upgraded_kueue,
)
from .session.session_exit import refuse

__all__ = [
    "api_server",
    "autoscaler",
    "autoscaler_faults",
    "autoscaling",
    "clock",
    "controller_faults",
    "fakecluster",
    "faults",
    "history",
    "integration",
    "kueue",
    "kueue_cluster",
    "kueue_context",
    "kueue_dialect",
    "kueue_upgrade",
    "make_queue",
    "play_story",
    "provisioning",
    "queue",
    "recorded_kueue",
    "subject",
    "upgraded_kueue",
]


JUDGED = pytest.StashKey[Judgement | None]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("kueue-conformance", "Kueue conformance")
    for option in options.OPTIONS:
        action = "store_true" if option.switch else "store"
        # None tells an option that was not given from one with its default: ini file and
        # environment come between.
        group.addoption(
            f"--kueue-{option.key}", action=action, default=None, help=option.help, dest=f"kueue_{option.key}"
        )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "scenario(record): a conformance scenario with a permanent id")
    option_values = {option.key: config.getoption(f"kueue_{option.key}") for option in options.OPTIONS}
    # A worker takes the seed of the leading process, so that names are the same in all of them.
    shared = getattr(config, "workerinput", {}).get("kueue_seed")
    try:
        settings = options.read(
            option_values, seed=shared if shared is not None else random.SystemRandom().randrange(10**6)
        )
    except ConformanceError as problem:
        # pytest prints a UsageError as one line, without a traceback.
        raise pytest.UsageError(str(problem)) from problem
    joined = getattr(config, "workerinput", {}).get("kueue_joined", "")
    if dialect_names := getattr(config, "workerinput", {}).get("kueue_dialects"):
        # The leading process may have found the dialect by the Kueue that runs; a worker has not
        # seen it.
        gates = read_gates(getattr(config, "workerinput", {})["kueue_gates"])
        settings = replace(
            settings, dialects=tuple(spoken.with_gates(gates) for spoken in dialect.select(dialect_names))
        )
    config.stash[RUN] = Run(settings, joined=joined, announce=partial(_announce, config))
    # One report: workers send theirs to the leading process.
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Collector(config, config.stash[RUN]), "kueue-conformance-report")


def _announce(config: pytest.Config, text: str) -> None:
    """Print a message to the terminal at once, although output is captured."""
    capture = config.pluginmanager.getplugin("capturemanager")
    # The capture manager is absent under -p no:capture.
    with capture.global_and_fixture_disabled() if capture else nullcontext():
        click.echo(f"\n{text}", err=True)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: object) -> None:
    """Pass the seed and the connection of the shared cluster to an xdist worker."""
    # xdist is untyped.
    run, worker_input = node.config.stash[RUN], node.workerinput  # type: ignore[attr-defined]
    worker_input["kueue_seed"] = run.settings.seed
    worker_input["kueue_joined"] = run.handle
    worker_input["kueue_dialects"] = ",".join(selected.name for selected in run.settings.dialects)
    worker_input["kueue_gates"] = gates_text(run.settings.gates)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Start the parts that all cases share, if there are any and a scenario may run."""
    run = session.config.stash[RUN]
    if (
        not hasattr(session.config, "workerinput")
        # --collect-only must answer without a cluster.
        and not session.config.option.collectonly
    ):
        try:
            run.check_feature_gates()
            # A plugin is loaded in each pytest run of the environment: nothing is started for other
            # people's tests.
            if run.settings.backend != "fake":
                run.begin()
        except ConformanceError as problem:
            # Ctrl-C ends the export of logs, and not what is said of the problem.
            with suppress(KeyboardInterrupt):
                run.save_failure_logs()
            refuse(session.config, problem)


def pytest_unconfigure(config: pytest.Config) -> None:
    if RUN in config.stash:
        config.stash[RUN].close()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marker = metafunc.definition.get_closest_marker("scenario")
    if marker is None:
        return
    # Before fixtures are looked at: a scenario that is not parametrized must be in the inventory
    # too.
    check_is_known(marker.args[0], metafunc.definition.path)
    if "kueue_dialect" not in metafunc.fixturenames:
        return
    names, rows, ids = cases_of(marker.args[0], metafunc.config.stash[RUN].settings)
    # pytest refuses a parameter that no function argument takes; the turn is for the id only, the data
    # for the nouns.
    metafunc.fixturenames += [name for name in names if name in (TURN, DATA)]
    metafunc.parametrize(names, rows, ids=ids, indirect=["kueue_dialect"])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    settings = config.stash[RUN].settings
    selected, left_out = choose(items, settings)
    if settings.shard is not None:
        selected, others = cases_of_shard(selected, settings.shard)
        left_out += others
    if left_out:
        config.hook.pytest_deselected(items=left_out)
    # In place: pytest goes on with the list that it passed.
    items[:] = by_dialect(selected)
    if config.stash[RUN].in_real_time:
        extend(selected, settings.timeout_scale)
    if config.getoption("allure_report_dir", default=None):
        for item in selected:
            if (scenario := scenario_of(item)) is not None:
                label(item, scenario)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    scenario = scenario_of(item)
    if scenario is None:
        return
    run = item.config.stash[RUN]
    # tryfirst, so that an excluded case is skipped before pytest sets its fixtures up.
    if unwanted := reason_for_exclusion(scenario, dialect_of(item), run.settings):
        pytest.skip(f"excluded: {unwanted}")
    missing = run.missing(scenario, case_of(item), spoken_dialect(item))
    # A skip in set-up, before any fixture has made a cluster.
    if missing:
        pytest.skip(f"unsupported: {missing}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Judge the safety rules on the story of every case, also of one that failed."""
    context = item.stash.get(CASE_CONTEXT, None)
    failed: Nonconformance | None = None
    try:
        with judge_timeout(context), fact_ledger() if context else nullcontext() as ledger:
            yield
        if ledger is not None:
            _refuse_unread(ledger.unread())
    except Nonconformance as problem:
        failed = problem
        if context and context.about.title:
            # The traceback stays that of the scenario; only the text grows.
            problem.args = (complete(context, str(problem)),)
        raise
    finally:
        if context:
            # In `finally`: the story of a case that failed is judged as well.
            context.end()
            context.check_alive()
        judged_case = item.stash[JUDGED] = judge_case(context, failed=failed is not None) if context else None
        # The case has failed already; what it broke besides is told and does not replace the
        # reason.
        if failed and judged_case and judged_case.broken:
            failed.adds(under("rules", lines_of(judged_case.broken)))
    if context and judged_case and judged_case.broken:
        enforce(context, judged_case.broken, strict=item.config.stash[RUN].settings.strict)


def _refuse_unread(lines: Sequence[str]) -> None:
    """Raise UsageError for facts that nothing read."""
    if lines:
        raise UsageError(
            "\n  ".join(["a fact that nothing reads proves nothing:", *lines]),
            hint='write within("admit", workload.is_admitted), always(…), never(…) or assert',
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if (scenario := scenario_of(item)) is not None:
        settings = item.config.stash[RUN].settings
        if call.excinfo is not None and isinstance(call.excinfo.value, ConformanceError):
            # A problem of the environment needs no traceback through the harness.
            report.longrepr = f"error: {call.excinfo.value}"
        note_case(
            item,
            scenario,
            item.stash.get(CASE_CONTEXT, None),
            call,
            report,
            item.stash.get(JUDGED, None),
            settings,
        )
        if report.when == "teardown":
            # Items live as long as the session; their clusters and stories need not.
            item.stash[CASE_CONTEXT] = item.stash[JUDGED] = None
    return report


def pytest_report_header(config: pytest.Config) -> Sequence[str]:
    """Return the header line for given options; none without any, since the run may be another project's."""
    settings = config.stash[RUN].settings
    return [options.header_line(settings)] if settings.changed_options else []


def pytest_report_collectionfinish(config: pytest.Config, items: Sequence[pytest.Item]) -> Sequence[str]:
    """Return the header line with the defaults for a run that has scenarios but no options."""
    settings = config.stash[RUN].settings
    return (
        [options.header_line(settings)]
        if not settings.changed_options and any(map(scenario_of, items))
        else []
    )
