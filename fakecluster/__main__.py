"""`python -m fakecluster`."""

from .cli import main

main()
