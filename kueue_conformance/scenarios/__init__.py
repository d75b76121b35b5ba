"""What a suite file declares: scenarios, their cases and levels, capabilities and dialects."""
