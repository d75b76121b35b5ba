"""The API machinery: from a request to its verb, and what the verb does with the store."""
