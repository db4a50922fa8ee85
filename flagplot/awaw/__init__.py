"""A World at War: air units and missions, air combat, naval interception and combat (chapters 17-19, 22, 23)."""
