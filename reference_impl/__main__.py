"""`python -m reference_impl`: the same as `kueue-reference`."""

from .cli import main

if __name__ == "__main__":
    main()
