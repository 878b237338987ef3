"""What memory and archive share: the schema, the storage and the eight tools."""
