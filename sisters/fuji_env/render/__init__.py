"""Pictures and text of the table."""
