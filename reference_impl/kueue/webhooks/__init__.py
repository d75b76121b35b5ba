"""Kueue's webhooks: defaults, validation and conversion behind HTTPS (AC-003…006, AC-200…211)."""
