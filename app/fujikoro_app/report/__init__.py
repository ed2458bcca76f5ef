"""The command `fujikoro report`: training runs, tournaments and recorded games as one HTML page.

The page is a single file without links to anything else, so that it can be kept, mailed and opened anywhere.
"""
