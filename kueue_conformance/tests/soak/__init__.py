"""`make soak`: the whole stack for an hour, with users who submit Jobs and with what disturbs it.

`stack` starts the programs, `users` submit Jobs and wait for their end, `disturbances` kill programs, break
requests and stop the outside system, `observer` follows what is stored, `figures` are taken every minute and
judged at the end, `page` shows them.
"""
