"""What every folder of the harness may use: errors, files, data of the package, numbers, named waits."""
