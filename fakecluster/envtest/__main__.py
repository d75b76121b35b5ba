"""`python -m fakecluster.envtest kube-apiserver|etcd …`: what the installed executables run."""

from __future__ import annotations

import sys


def main(arguments: list[str]) -> int:
    """Run the program of this name and return its exit code."""
    name, *rest = arguments or [""]
    if name == "etcd":
        from . import etcd

        return etcd.main(rest)
    if name == "kube-apiserver":
        from . import apiserver

        return apiserver.main(rest)
    print(f"fakecluster.envtest: no program {name!r}: expected kube-apiserver or etcd", file=sys.stderr)
    return 4


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
