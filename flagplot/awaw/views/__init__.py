"""What a side may know of the state, as typed values. Nothing else leaves the state."""
