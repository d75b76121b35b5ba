"""What is done with finished reports: verified, compared, merged, judged again, submitted."""
