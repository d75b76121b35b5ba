"""What is allowed when everything is at rest, from KEP-993 and the documents: rows of statements, by area."""
