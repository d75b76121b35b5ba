"""The Pod Security Standards: what the labels of a namespace ask of its pods (FK-317)."""
