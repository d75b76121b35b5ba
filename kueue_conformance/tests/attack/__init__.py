"""Hostile requests against the programs of this project, beside a client that behaves: `make attack`."""
