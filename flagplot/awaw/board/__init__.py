"""The boards of *A World at War*, made from views: the chart of a battle, bases, an operation at sea, an air turn."""
