"""`python -m kueue_conformance`."""

from .program import main

if __name__ == "__main__":
    main()
