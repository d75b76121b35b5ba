"""Wrong job integrations: each is the reference's, beside a right Kueue, with one decision replaced."""
