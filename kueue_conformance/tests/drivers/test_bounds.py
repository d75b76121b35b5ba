"""Commands and requests of a subject file end in time, whatever they do (H-11)."""

import os
import socket
import threading
from contextlib import closing, suppress
from signal import SIGKILL

import pytest

from kueue_conformance.subject.bounded_command import BoundedCommand, CommandFailed
from kueue_conformance.subject.bounded_request import BoundedRequest, RequestFailed
from kueue_conformance.tests.bad_subjects.programs import alive

WORDS = {"workload": "train", "message": "50% of a & b: #1"}
SHORT_SECONDS, LONG_SECONDS = 0.5, 60.0


def run(folder, script, seconds=LONG_SECONDS):
    return BoundedCommand(["sh", "-c", script, "sh", "${workload}"], folder).run(WORDS, "kubeconfig", seconds)


def test_a_command_finds_the_words_in_its_arguments_and_its_environment(tmp_path):
    printed = run(tmp_path, 'echo "$1 $KUEUE_CONFORMANCE_MESSAGE $KUBECONFIG"; pwd')

    assert printed.splitlines() == ["train 50% of a & b: #1 kubeconfig", str(tmp_path)]


def test_a_command_may_leave_a_service_behind(tmp_path):
    process = int(run(tmp_path, "sleep 600 & echo $!"))

    assert alive(process)
    os.kill(process, SIGKILL)


def test_a_command_that_does_not_end_is_killed_with_what_it_started(tmp_path):
    with pytest.raises(CommandFailed, match=r"did not end within 0.5 s\n  hint: raise timeout"):
        run(tmp_path, "sleep 600 & echo $! >pid; wait", SHORT_SECONDS)

    process = int((tmp_path / "pid").read_text())
    for _ in range(100):
        if not alive(process):
            break
        threading.Event().wait(0.1)
    assert not alive(process)


@pytest.fixture
def endless_service():
    """The URL of a service whose answer grows by a byte ten times a second, and never ends."""
    over = threading.Event()
    listening = socket.create_server(("127.0.0.1", 0))

    def answer():
        connection, _ = listening.accept()
        with connection, suppress(OSError):
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            while not over.wait(0.1):
                connection.sendall(b"x")

    thread = threading.Thread(target=answer)
    thread.start()
    with closing(listening):
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        over.set()
        thread.join()


def test_a_request_ends_although_the_answer_does_not(endless_service):
    with pytest.raises(RequestFailed, match=r"got no answer: it did not end within 0\.5 s"):
        BoundedRequest(url=endless_service).send({}, SHORT_SECONDS)


@pytest.mark.parametrize(
    ("url", "filled"),
    [
        pytest.param("http://x/${workload}?of=a/b&c=%20", "http://x/train?of=a/b&c=%20", id="its own signs"),
        pytest.param(
            "http://x/?text=${message}", "http://x/?text=50%25%20of%20a%20%26%20b%3A%20%231", id="a message"
        ),
    ],
)
def test_what_is_filled_into_a_url_is_escaped(url, filled):
    assert BoundedRequest(url=url).filled_url(WORDS) == filled
