"""A pytest plugin: the reference's evaluation orders lack the rule that the environment names."""

import os
from dataclasses import replace

from reference_impl import composition

RULE = "KUEUE_REFERENCE_WITHOUT_RULE"


def name_of(rule):
    """Return a rule's name, such as `verdicts.admit`."""
    return f"{rule.__module__.rpartition('.')[2]}.{rule.__name__}"


def pytest_configure():
    """Take the rule out of every dialect."""
    whole, wanted = composition.dialect_of, os.environ[RULE]

    def lacking(config):
        dialect = whole(config)
        order = tuple(rule for rule in dialect.workload.order if name_of(rule) != wanted)
        return replace(dialect, workload=replace(dialect.workload, order=order))

    composition.dialect_of = lacking
