"""What knows no game: compiling, records, bit masks, random numbers, threads, seats."""
