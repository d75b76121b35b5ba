"""Outside work that a service, a command or a folder lists."""

import asyncio
import sys
import threading

import pytest

from kueue_conformance.backends.http_server import HttpServer, JsonAnswer
from kueue_conformance.base.errors import EnvironmentProblem
from kueue_conformance.subject.outside_work import WorkloadIdentity, WorkSources
from kueue_conformance.subject.outside_work.listings import CommandWork, FileWork, ServiceWork

TRAIN = WorkloadIdentity(namespace="team-a", name="train")
SOURCES = WorkSources(client=None, claims=None, kubeconfig="kubeconfig-of-the-harness")


def names(work):
    return [item.name for item in work.items(TRAIN, SOURCES)]


@pytest.fixture
def service():
    """Return a function that serves one answer and returns the URL."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    servers = []

    def serve(code, document):
        async def answer(request):
            asked.append(request.target)
            return JsonAnswer(code, document)

        asked = []
        servers.append(HttpServer(answer, lambda: 0.0))
        listening = asyncio.run_coroutine_threadsafe(servers[-1].listen("127.0.0.1"), loop)
        return listening.result(30), asked

    yield serve

    async def stop():
        for server in servers:
            server.stop()

    asyncio.run_coroutine_threadsafe(stop(), loop).result(30)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.mark.parametrize(
    ("code", "document", "listed"),
    [
        pytest.param(200, ["a", "b"], ["a", "b"], id="texts"),
        pytest.param(200, {"items": [{"id": "a"}, {"name": "b"}]}, ["a", "b"], id="objects"),
        pytest.param(200, [{"seats": 3}], ['{"seats": 3}'], id="objects without a name"),
        pytest.param(200, [], [], id="nothing"),
        pytest.param(404, {"error": "unknown"}, [], id="an unknown Workload"),
    ],
)
def test_a_service_lists_the_work_of_a_workload(service, code, document, listed):
    url, asked = service(code, document)

    assert names(ServiceWork(url=f"{url}/licenses?of=${{namespace}}/${{workload}}")) == listed
    assert asked == ["/licenses?of=team-a/train"]


@pytest.mark.parametrize(
    ("code", "document", "text"),
    [
        pytest.param(500, {"error": "down"}, "was answered with 500", id="an error"),
        pytest.param(200, {"licenses": []}, "expected a JSON array", id="another form"),
    ],
)
def test_a_service_that_cannot_say_is_trouble_of_the_environment(service, code, document, text):
    url, _ = service(code, document)

    with pytest.raises(EnvironmentProblem, match=text):
        names(ServiceWork(url=f"{url}/${{workload}}"))


def test_a_service_that_is_down_is_trouble_of_the_environment():
    with pytest.raises(EnvironmentProblem, match="got no answer"):
        names(ServiceWork(url="http://127.0.0.1:1/${workload}"))


def test_a_command_prints_a_line_for_each_piece_of_work(tmp_path):
    script = "import os, sys; print(sys.argv[1]); print(); print(os.environ['KUBECONFIG'])"

    assert names(CommandWork([sys.executable, "-c", script, "${namespace}/${workload}"], tmp_path)) == [
        "team-a/train",
        "kubeconfig-of-the-harness",
    ]


@pytest.mark.parametrize(
    ("argv", "text"),
    [
        pytest.param([sys.executable, "-c", "raise SystemExit('no database')"], "no database", id="fails"),
        pytest.param(["./missing", "${workload}"], "cannot be run", id="is missing"),
    ],
)
def test_a_command_that_cannot_say_is_trouble_of_the_environment(tmp_path, argv, text):
    with pytest.raises(EnvironmentProblem, match=text):
        names(CommandWork(argv, tmp_path))


def test_files_are_those_of_the_workload(tmp_path):
    for name in ("team-a.train.license", "team-a.other.license", "team-b.train.license"):
        (tmp_path / name).touch()

    assert names(FileWork("${namespace}.${workload}.*", tmp_path)) == ["team-a.train.license"]
