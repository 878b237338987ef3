"""Pure functions over text: analysis for search, titles, numbers, credentials."""
