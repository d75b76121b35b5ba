"""Programs that misbehave, most of them the example
controller with one bad habit, and how a run judges them.
"""

import os
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[3] / "examples/check_controllers/python"
NAME = "example.com/budget"
HABITS = {
    "never starts": "import time\ntime.sleep(600)",
    "ignores SIGTERM": "import signal, threading\n{main}\n",
    "floods the log": "import sys, threading\ndef flood():\n    while True:\n        sys.stdout.write('x' * 100_000)\nthreading.Thread(target=flood, daemon=True).start()\n{main}",
    "writes 10 MB": "from controller import CheckController\nold = CheckController.entry\nCheckController.entry = lambda self, one, verdict: {{**old(self, one, verdict), 'message': 'x' * 10_000_000}}\n{main}",
    "speaks no HTTP": (
        "import socket, threading, time\nfrom urllib.parse import urlsplit\nfrom kubernetes import client, config\nconfig.load_kube_config()\n"
        "host = urlsplit(client.Configuration.get_default_copy().host)\nfor _ in range(50):\n    with socket.create_connection((host.hostname, host.port)) as one:\n"
        "        one.sendall(b'\\x00\\xff HELO \\r\\n\\r\\n' * 100)\n{main}"
    ),
    "forks and dies": "import os, subprocess, sys\np = subprocess.Popen(['sleep', '600'], start_new_session=True)\nopen(os.environ['PIDS'], 'a').write(f'{{p.pid}}\\n')\nsys.exit(5)",
    "forks and waits": "import os, subprocess\np = subprocess.Popen(['sleep', '600'], start_new_session=True)\nopen(os.environ['PIDS'], 'a').write(f'{{p.pid}}\\n{{os.getpid()}}\\n')\n{main}",
}
MAIN = "from controller import main\nmain()"
DEAF = "from controller import main\nimport signal\nreal = signal.signal\nsignal.signal = lambda *_: None\nreal(signal.SIGTERM, signal.SIG_IGN)\nmain()"


def command(folder, habit, *selection, **options):
    """Return the command line that judges a program with a habit, and its environment."""
    program = folder / "subject.py"
    program.write_text(HABITS[habit].format(main=DEAF if habit == "ignores SIGTERM" else MAIN))
    run_options = {
        "subject": f"process:python {program}",
        "controller-name": NAME,
        "report-dir": folder / "report",
        **options,
    }
    words = [f"--{name}={value}" for name, value in run_options.items()]
    path = os.pathsep.join([str(EXAMPLE), *filter(None, [os.environ.get("PYTHONPATH", "")])])
    environment = {**os.environ, "PYTHONPATH": path, "PIDS": str(folder / "pids"), "TMPDIR": str(folder)}
    return [sys.executable, "-m", "kueue_conformance", "run", *selection, "-n", "0", *words], environment


def judge(folder, habit, *selection, **options):
    """Run it to its end; no traceback of ours reaches the user."""
    words, environment = command(folder, habit, *selection, **options)
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=110)
    assert "Traceback" not in done.stderr
    return done


def leftovers(folder):
    """Return the folders of ours that are still there, and the processes that are still alive."""
    pids = (folder / "pids").read_text().split() if (folder / "pids").exists() else []
    return [leftover_folder.name for leftover_folder in folder.glob("kueue-conformance-*")], [
        pid for pid in pids if alive(int(pid))
    ]


def alive(process):
    """Tell whether a process runs; a zombie does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
