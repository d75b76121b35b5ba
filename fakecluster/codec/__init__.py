"""How bodies become objects and objects become answers: JSON, YAML, protobuf, tables."""
