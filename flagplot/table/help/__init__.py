"""Pages that explain: help and glossary, briefing, hints, why something is not allowed, rules, lessons and drills."""
