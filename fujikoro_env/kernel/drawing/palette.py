"""Colours of the panels around the map: a quiet dark table, gold for what matters now."""

TABLE = "#100d0f"
PANEL, PANEL_EDGE = "#1d1719", "#3a2f30"
BOX, BOX_EDGE = "#2a2123", "#463a3a"
TEXT, FAINT, DIM = "#f1e6d2", "#b3a496", "#7d6f69"
GOLD, ALARM, EMBER = "#ffcf4d", "#ff8a66", "#ff7a1a"
CELL_OPEN, CELL_CLOSED = "#453a3b", "#292123"
