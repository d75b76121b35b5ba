"""`fakecluster install-envtest-assets`: the executables that Go's envtest starts (F-09)."""

from __future__ import annotations

from pathlib import Path

import click

from .failures import unusable


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
def install_envtest_assets(folder: Path) -> None:
    """Write the executables that Go's envtest starts into DIR.

    \b
    Example:
      fakecluster install-envtest-assets bin/fake
      KUBEBUILDER_ASSETS=$PWD/bin/fake go test ./...
    """
    from ..envtest.install import install

    try:
        written = install(folder)
    except OSError as error:
        raise unusable("write to", folder, error) from error
    for path in written:
        print(path)
    print(f"now: export KUBEBUILDER_ASSETS={folder.absolute()}")
