"""Brings fixtures/check-contract.yaml up to date with the scenarios and safety
rules: `python -m kueue_conformance.catalogue.contract_table`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..rules import CHECK_CONTROLLER
from .contract import Row, contract, scenarios_of_row, table
from .inventory import inventory


def renew() -> Iterator[Row]:
    """Yield every row with the scenarios and the rule that show it now."""
    judged = {rule.id for rule in CHECK_CONTROLLER}
    for row in contract().values():
        row_now = replace(
            row, scenarios=scenarios_of_row(inventory().values(), row.id), judged=row.id in judged
        )
        yield replace(
            row_now, unsupported="" if row_now.is_observable else row.unsupported or "not observed yet"
        )


if __name__ == "__main__":
    head = table().read_text("utf-8").partition("rows:\n")[0]
    table().write_text(head + "rows:\n" + "\n".join(map(str, renew())) + "\n", encoding="utf-8")
