"""What an evaluation may cost: budget, turns of comprehensions, growth of texts (FK-274)."""
