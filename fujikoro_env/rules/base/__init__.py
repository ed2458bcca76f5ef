"""What every chapter stands on: records, names of numbers, tables of actions and phases, frames, luck."""
