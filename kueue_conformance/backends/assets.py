"""The executables of an API server: where they are found,
and whether they are the real ones (apiserver.md §2.8).

The look-up order is controller-runtime's, so that one variable serves Go tests and this harness. A folder of
assets that is not the real thing carries a file that says so; a verdict about the real API server must not
come from it unnoticed.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from ..base.errors import EnvironmentProblem, UsageError
from ..programs.remedies import remedy

MARK = "fakecluster-assets.json"
VARIABLE = "KUBEBUILDER_ASSETS"
BUILT = Path(".oracle/bin")
# controller-runtime reads the same variables; the one of a single program goes first.
_SINGLE = {"etcd": "TEST_ASSET_ETCD", "kube-apiserver": "TEST_ASSET_KUBE_APISERVER"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Assets:
    """Paths of etcd and kube-apiserver, and of kube-controller-manager where it stands beside kube-apiserver.

    `imitation` names etcd and kube-apiserver where they are not the real ones.
    """

    etcd: Path
    api_server: Path
    controller_manager: Path | None = None
    imitation: str = ""


def find(*, allow_imitation: bool = False) -> Assets:
    """Return the programs to use.

    Raises EnvironmentProblem when one is missing, UsageError for imitations not asked for.
    """
    etcd, api_server = (_program(name) for name in _SINGLE)
    imitation = next(
        (name_of_imitation for path in (etcd, api_server) if (name_of_imitation := _imitation(path.parent))),
        "",
    )
    if imitation and not allow_imitation:
        raise UsageError(
            f"the programs in {str(api_server.parent)!r} are no real API server: {imitation}",
            hint=f"point {VARIABLE} at the real programs, or add --allow-fake-assets; the report will name them",
        )
    manager = api_server.parent / "kube-controller-manager"
    return Assets(
        etcd=etcd,
        api_server=api_server,
        controller_manager=manager if _is_program(manager) else None,
        imitation=imitation,
    )


def _program(name: str) -> Path:
    single = os.environ.get(_SINGLE[name], "")
    # `or`, not a default: controller-runtime takes an empty variable for one that is not set.
    folder = Path(os.environ.get(VARIABLE) or BUILT).absolute()
    path = Path(single).absolute() if single else folder / name
    if _is_program(path):
        return path
    source = _SINGLE[name] if single else VARIABLE if os.environ.get(VARIABLE) else "the default folder"
    raise EnvironmentProblem(
        f"backend envtest needs the program {name}, and {str(path)!r} ({source}) is not one",
        hint=remedy("api server"),
    )


def _is_program(path: Path) -> bool:
    # A directory is executable too, in the sense of X_OK.
    return os.access(path, os.X_OK) and path.is_file()


def _imitation(folder: Path) -> str:
    file = folder / MARK
    if not file.is_file():
        return ""
    try:
        content = json.loads(file.read_text("utf-8"))
    except ValueError:
        # A mark that cannot be read is a mark still: the programs beside it are taken for an
        # imitation.
        content = {}
    mark = content if isinstance(content, dict) else {}
    return f"{mark.get('program', 'fakecluster')} {mark.get('version', 'of unknown version')}"
