"""Who plays: the scripted ladder, tree search, trained policies, a human at the keyboard."""
