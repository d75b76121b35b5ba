"""What third parties have built, in our own words: how each of them comes to its verdicts, with the mistakes
that it makes.

Each controller has a subject file of its name;
what the suite finds wrong with it is written in `findings.yaml`.
"""
