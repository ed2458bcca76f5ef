"""Reading: from the JSON to a record, `whole` first. Whatever is wrong is noted, and reading goes on."""
