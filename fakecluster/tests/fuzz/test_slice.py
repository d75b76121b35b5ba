"""A slice of the campaign that `make fuzz` runs at full length."""

import logging

from . import campaign
from .campaign import Campaign
from .requests import Wanted, request

TOO_NEW = (
    b"GET /api/v1/pods?resourceVersion=99999999 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer fuzz\r\n\r\n"
)


def test_random_requests_get_no_5xx_and_leave_nothing_behind(caplog):
    caplog.set_level(logging.CRITICAL, logger="fakecluster")
    campaign = Campaign(seed=20)

    campaign.run(5_000)

    assert campaign.findings == []
    assert {200, 201, 400, 404, 409, 415, 422} <= campaign.codes.keys()


def test_a_request_is_made_from_seed_and_number_alone():
    assert request(1, 5) == request(1, 5) != request(2, 5)


def test_a_part_of_a_run_is_asked_again_and_what_it_finds_is_told_at_once(monkeypatch):
    monkeypatch.setattr(campaign, "ALLOWED", ())
    monkeypatch.setattr(campaign, "request", lambda seed, number: Wanted(number, TOO_NEW, well_formed=True))
    lines = []

    Campaign(seed=1, tell=lines.append).run(1, first=7)

    (finding,) = lines
    assert (finding[:4], f"request 7: {TOO_NEW!r}" in finding) == ("504 ", True)
