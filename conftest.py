"""Loads the plugin in a plain checkout; nothing else."""

pytest_plugins = ["kueue_conformance.plugin"]
