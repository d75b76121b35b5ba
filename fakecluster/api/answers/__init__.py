"""How answers look: negotiation, JSON and YAML, tables, metadata only, watch frames."""
