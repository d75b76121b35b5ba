"""Turns the switch of `default`, and notes that it did: `turn_switch.py FILE true`."""

import sys
from pathlib import Path

from kubernetes import client, config

file, admit = sys.argv[1:]
config.load_config()
body = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "switch", "namespace": "acme-system"},
    "data": {"admit": admit},
}
core = client.CoreV1Api()
try:
    core.create_namespaced_config_map("acme-system", body)
except client.ApiException:
    core.replace_namespaced_config_map("switch", "acme-system", body)
with Path(file).open("a") as calls:
    calls.write(f"{admit}\n")
