"""Kueue in scenarios about check controllers: scripted by the harness, or running."""
