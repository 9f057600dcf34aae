"""Games on a table that is not there: hands, scripts, and time that waits for the machine."""
