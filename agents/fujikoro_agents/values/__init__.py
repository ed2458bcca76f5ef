"""Learned values of positions at the end of a turn: what the network sees (`features`), its forward pass (`network`),
its files (`file`), and the agents that look ahead with it (`agent`)."""
