"""A number that no run can use is refused before anything is started, with its bounds."""

import pytest

from kueue_conformance import options
from kueue_conformance.base.errors import UsageError
from kueue_conformance.cli import cli

WRONG = {
    "a wait that is over before it began": ("timeout-scale", "-1", "from 0.01 to 100"),
    "no wait": ("timeout-scale", "0", "from 0.01 to 100"),
    "a wait of years": ("timeout-scale", "1e9", "from 0.01 to 100"),
    "no turn": ("repeat", "0", "from 1 to 10000"),
    "turns without end": ("repeat", "1000000000000", "from 1 to 10000"),
    "half a seed": ("seed", "1.7", "a whole number"),
    "a seed below nothing": ("seed", "-4", "a whole number"),
}


@pytest.mark.parametrize(("key", "text", "bounds"), WRONG.values(), ids=WRONG)
def test_an_option_is_refused_with_its_bounds(key, text, bounds):
    with pytest.raises(UsageError, match=f"--{key} is '{text}', expected .*{bounds}"):
        options.read({key: text}, seed=1)


@pytest.mark.parametrize("text", ["foo", "-3", "100000"])
def test_workers_are_refused_with_their_bounds(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    with pytest.raises(UsageError, match=f"--workers is '{text}', expected auto or a number up to 128"):
        cli.main(["run", "ADM-206", "--workers", text], standalone_mode=False)


@pytest.mark.parametrize("text", ["0.01", "1", "100"])
def test_the_bounds_themselves_are_fine(text):
    assert options.read({"timeout-scale": text}, seed=1).timeout_scale == float(text)
