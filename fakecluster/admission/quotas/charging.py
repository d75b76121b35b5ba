"""ResourceQuotas: an object beyond them is refused,
and one that is created is added to their usage (FK-504).
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...api import status
from ...api.admission import Charge, Review
from ...api.context import Context
from ...base.json_types import Json
from ...kinds import resource_lists
from ...kinds.resource_lists import Amounts
from ...store import Name, Store, Stored
from . import scopes
from .metering import Meter, meter

QUOTAS = ("", "resourcequotas")


class QuotaCharge(Struct, frozen=True):
    """What a write takes from the quotas of its namespace."""

    store: Store
    review: Review
    quotas: tuple[Name, ...]
    amounts: Amounts

    def check(self) -> None:
        """Check that each quota has room. Raises 403."""
        for current in self._present():
            _check_room(current.object, self.amounts, self.review)

    def note(self) -> None:
        """Add the write to the usage of the quotas."""
        for current in self._present():
            requested = resource_lists.only(self.amounts, _hard(current.object))
            if requested:
                used = resource_lists.to_json(
                    resource_lists.add(resource_lists.of(_usage(current.object)), requested)
                )
                new = {**current.object, "status": {**current.object["status"], "used": used}}
                event = self.store.commit(QUOTAS, current.name, new, expected=current)
                self.review.trace.events.append(event)

    def _present(self) -> Iterator[Stored]:
        return filter(None, [self.store.get(QUOTAS, name) for name in self.quotas])


def charge(api: Context, review: Review) -> Charge | None:
    """Check that the quotas of the namespace have room for a write; return what it takes from them.

    Raises 403.
    """
    if api.store.state_of(QUOTAS) is None or not review.namespace or review.new is None:
        return None
    gauge = meter(review.kind.group, review.kind.plural)
    counts_again = review.operation == "UPDATE" and review.subresource == gauge.remeasured
    if not counts_again and (review.operation != "CREATE" or review.subresource):
        return None
    quotas = [
        quota
        for quota in api.store.list(QUOTAS, namespace=review.namespace)
        if _concerns(quota.object, gauge, review)
    ]
    for quota in quotas:
        _check_said(quota.object, gauge, review)
    amounts = gauge.usage(review.new, api.clock.now())
    if review.old is not None:
        amounts = resource_lists.increase(amounts, gauge.usage(review.old, api.clock.now()))
    amounts = {name: amount for name, amount in amounts.items() if amount.amount}
    taken = QuotaCharge(api.store, review, tuple(quota.name for quota in quotas), amounts)
    taken.check()
    return None if review.dry_run else taken


def _hard(quota: Json) -> Json:
    return (quota.get("status") or {}).get("hard") or {}


def _usage(quota: Json) -> Json:
    return (quota.get("status") or {}).get("used") or {}


def _concerns(quota: Json, gauge: Meter, review: Review) -> bool:
    counted = any(gauge.counts(name) for name in _hard(quota))
    return counted and scopes.covers(quota, review.kind.group, review.kind.plural, review.new)


def _check_said(quota: Json, gauge: Meter, review: Review) -> None:
    name = quota["metadata"]["name"]
    counted = frozenset(name for name in _hard(quota) if gauge.counts(name))
    if why := gauge.unsaid(review.new, counted):
        raise _refusal(review, f"failed quota: {name}: {why}")
    if not counted <= _usage(quota).keys():
        raise _refusal(review, f"status unknown for quota: {name}, resources: {','.join(sorted(counted))}")


def _check_room(quota: Json, amounts: Amounts, review: Review) -> None:
    hard, used = resource_lists.of(_hard(quota)), resource_lists.of(_usage(quota))
    requested = resource_lists.only(amounts, hard)
    total = resource_lists.add(used, requested)
    over = [name for name in requested if total[name].amount > hard[name].amount]
    if over:
        texts = (
            resource_lists.to_text(resource_lists.only(listed, over)) for listed in (requested, used, hard)
        )
        text = "exceeded quota: {}, requested: {}, used: {}, limited: {}"
        raise _refusal(review, text.format(quota["metadata"]["name"], *texts))


def _refusal(review: Review, why: str) -> status.StatusError:
    return status.forbidden(review.kind.group, review.kind.plural, review.display_name, why)
