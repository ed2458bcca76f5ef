"""The command `fujikoro`: keyboard play, replay viewer, benchmark, demo."""
