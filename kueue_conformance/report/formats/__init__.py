"""The formats of a report for machines, terminals and CI."""
