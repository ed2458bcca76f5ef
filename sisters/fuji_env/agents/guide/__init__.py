"""`guide`: a scripted player that plans by expected margins. The agent itself is in agent.py; all else is compiled."""
