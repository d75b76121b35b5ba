"""How many files and connections the process may open."""

import subprocess
import sys

PROGRAM = """
import resource
from reference_impl.runtime.signals import use_all_descriptors
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 128))
use_all_descriptors()
print(resource.getrlimit(resource.RLIMIT_NOFILE))
"""


def test_the_soft_limit_is_raised_to_the_hard_one():
    completed = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)

    assert completed.stdout.strip() == str((128, 128))
