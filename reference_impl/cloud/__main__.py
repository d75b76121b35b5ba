"""`python -m reference_impl.cloud` is `kueue-cloud`."""

from .cli import main

main()
