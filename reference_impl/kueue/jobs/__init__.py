"""Jobs that wait for admission: the batch/v1 integration."""
