"""How the outside work of a subject is seen."""
