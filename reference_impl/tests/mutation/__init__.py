"""Every rule of the evaluation order taken out in turn: a scenario of ADMISSION must notice (`make mutation`)."""
