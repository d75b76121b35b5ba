"""A program that ends without stopping its cluster ends as if it had: no thread outlives the interpreter."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import atexit, os, sys, threading
atexit.register(lambda: print(sorted(one.name for one in threading.enumerate()), flush=True))
from fakecluster import FakeCluster
cluster = FakeCluster().start()
"""
WATCHED = """
import socket, ssl
context = ssl.create_default_context(cadata=cluster._authority.pem.decode())
wire = context.wrap_socket(socket.create_connection(("127.0.0.1", int(cluster.url.rpartition(":")[2]))), server_hostname="127.0.0.1")
wire.sendall(b"GET /api/v1/namespaces?watch=1 HTTP/1.1\\r\\nHost: x\\r\\nAuthorization: Bearer " + cluster.token().encode() + b"\\r\\n\\r\\n")
assert b" 200 OK" in wire.recv(100)
"""
FORKED = """
if os.fork() == 0:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.exit()
assert os.wait()[1] == 0
"""
STOPPED = "cluster.stop()"
ASKED = """
cluster.loop.call_soon_threadsafe(cluster.loop.create_task, __import__("asyncio").sleep(3600))
"""


@pytest.mark.parametrize(
    "story",
    [
        pytest.param("", id="at-rest"),
        pytest.param(WATCHED, id="with-an-open-watch"),
        pytest.param(ASKED, id="with-a-task-under-way"),
        pytest.param(FORKED, id="after-a-fork"),
        pytest.param(STOPPED, id="stopped"),
    ],
)
def test_no_thread_outlives_the_program(story: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM + story], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "['MainThread']", "")


def test_the_last_cluster_gives_the_settings_of_the_process_back() -> None:
    program = (
        "import gc, resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (512, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))\n"
        "def found(): return sys.getswitchinterval(), gc.get_threshold(), resource.getrlimit(resource.RLIMIT_NOFILE)\n"
        "from fakecluster import FakeCluster\n"
        "before = found()\n"
        "with FakeCluster() as cluster, cluster.fork(): during = found()\n"
        "print(before == found(), [one != other for one, other in zip(before, during, strict=True)])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout.strip(), done.stderr) == ("True [True, True, True]", "")
