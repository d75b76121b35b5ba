"""Small changes of the reference, each of which a case of ADMISSION must notice: `make mutation` (N-04)."""
