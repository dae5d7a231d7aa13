"""The door to files: what of the vault is read, and how the record is appended to."""
