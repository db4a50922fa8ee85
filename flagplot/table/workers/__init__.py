"""What is worked out in processes of their own: odds, whole battles, hints, reviews, players that look ahead."""
