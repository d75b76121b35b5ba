"""`python -m reference_impl`: the same as `kueue-reference`."""

from .kueue.cli import main

if __name__ == "__main__":
    main()
