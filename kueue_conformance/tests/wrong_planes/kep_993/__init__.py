"""Wrong about what KEP-993 asks for and no release has."""
