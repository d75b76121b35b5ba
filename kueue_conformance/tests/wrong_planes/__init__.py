"""Wrong control planes: each overrides one decision of the reference, and a scenario of ADMISSION is named that must catch it."""
