"""Wrong in what a safety rule alone sees."""
