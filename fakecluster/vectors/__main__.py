"""Moved: `python -m kueue_conformance.vectors` (same options); tests: kueue_conformance/tests/recorded/test_vectors.py."""
import runpy
runpy.run_module("kueue_conformance.vectors", run_name="__main__")
