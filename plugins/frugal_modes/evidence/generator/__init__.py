"""A made-up corpus whose truth is known: one vendor, five clients, one product, planted concerns."""
