"""A slice of the campaign that `make fuzz` runs at full length."""

import logging

from .campaign import Campaign
from .requests import request


def test_random_requests_get_no_5xx_and_leave_nothing_behind(caplog):
    caplog.set_level(logging.CRITICAL, logger="fakecluster")
    campaign = Campaign(seed=20)

    campaign.run(5_000)

    assert campaign.findings == []
    assert {200, 201, 400, 404, 409, 415, 422} <= campaign.codes.keys()


def test_a_request_is_made_from_seed_and_number_alone():
    assert request(1, 5) == request(1, 5) != request(2, 5)
