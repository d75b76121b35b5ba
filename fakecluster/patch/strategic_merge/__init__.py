"""Strategic merge patch (FK-165, FK-166)."""
