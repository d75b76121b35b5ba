"""`python -m reference_impl.autoscaler` is `kueue-autoscaler`."""

from .cli import main

main()
