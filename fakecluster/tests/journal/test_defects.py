"""Journal entries of requests on which the server fails, and the end of a listener that fails itself."""

import pytest

MAPS = "/api/v1/namespaces/ns/configmaps"


def test_a_write_whose_answer_fails_is_told_with_what_it_changed(ask, monkeypatch):
    monkeypatch.setattr("fakecluster.registry.action._encode", lambda *_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        ask("POST", MAPS, {"metadata": {"name": "a"}})

    entry = list(ask.api.journal)[-1]

    assert (entry.code, entry.reason, len(entry.changes)) == (500, "InternalError", 1)


def test_a_listener_that_fails_harms_neither_the_entry_nor_another_listener(ask, caplog):
    entries, journal = [], ask.api.journal
    journal.subscribe(lambda _: 1 // 0)
    journal.subscribe(entries.append)

    code, _ = ask("POST", MAPS, {"metadata": {"name": "a"}})

    assert (code, len(entries)) == (201, 1)
    assert "a listener of the journal failed" in caplog.text
