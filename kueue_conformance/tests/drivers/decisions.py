"""Driver functions of a subject file: write a decision to a file, and remove it."""

import os
from pathlib import Path


def give(decision, kubeconfig):
    file = Path(os.environ["FOLDER"]) / decision.workload
    file.with_suffix(".new").write_text(f"{decision.state}:{decision.message}")
    file.with_suffix(".new").rename(file)


def forget(decision, kubeconfig):
    (Path(os.environ["FOLDER"]) / decision.workload).unlink(missing_ok=True)
