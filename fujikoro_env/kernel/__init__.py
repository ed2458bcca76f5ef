"""Game-independent foundations: compilation, records, bit masks, random numbers, threads, seats."""
