"""Wrong about reservations: flavors, quota, cohorts, and what waits between reservation and admission."""
