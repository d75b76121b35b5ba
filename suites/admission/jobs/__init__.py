"""ADM: Jobs: started with what checks gave them, stopped, changed, ready in time."""
