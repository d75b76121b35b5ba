"""Control planes with a mistake that is easily made, by the subject."""
