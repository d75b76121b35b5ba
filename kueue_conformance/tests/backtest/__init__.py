"""The fixes that Kueue shipped, each against the scenario that reports its fault (docs/backtest.md)."""
