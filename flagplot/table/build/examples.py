"""What a stranger begins with: a small battle of each kind in plain text."""

from __future__ import annotations

EXAMPLE = """Date: Summer 1942
Moves: Japan
Japan Striking Force: Hiryu, Soryu, 4 CA, 3 DD; 6 NAS
Japan Landing Group: Kongo, 4 CA, 4 DD, 2 laden DD; cargo a brigade; seaborne invasion
US TF16: Enterprise, Hornet, 6 CA, 4 DD; 6 NAS
US Midway base: airbase; 1 AAF, 1 NAS
"""
EXAMPLES = {
    "Raider battle": """Kind: raider battle
Moves: Germany
Transports: 3 British
Germany Raiders: Scharnhorst, Gneisenau
Britain Convoy Escort: Rodney, 4 CA, 3 DD
""",
    "Air phase": """Kind: air phase
Moves: Japan
Japan Rabaul base: airbase, port, at 0,0; 3 AAF, 3 NAS
US Port Moresby base: airbase, port, at 2,1; 2 AAF, 1 NAS
US Milne Bay base: airbase, at 3,1; 2 AAF
""",
    "Base attack": """Kind: base attack
Moves: Japan
Japan Akagi: gunnery 1, airstrike 4, defense 4, damage 3
Japan Hiei: gunnery 4, defense 5, damage 4
US Arizona: gunnery 4, defense 5, damage 4
US Hickam Field LBA: airstrike 2, defense 3
Side: Japan
Side: US; air base
""",
    "Operation": """Kind: operation
Map: coral sea
Moves: Japan
Stages: movement, combat
Japan Striking Force: Shokaku, Zuikaku, 8 CA, 2 DD; 6 NAS; in Truk; may patrol to the Coral Sea worth 2
Japan Landing Group: 4 CA, 2 DD, 2 laden DD; cargo infantry for Port Moresby (a brigade 2); in Rabaul; \
may seaborne invasion to Port Moresby worth 5
US TF17: Lexington, Yorktown, 8 CA, 1 DD; 6 NAS; in Noumea; on patrol at 3,1
US Port Moresby base: port, airbase; 1 AAF
""",
    "Line of Battle": """Kind: Line of Battle
Moves: Japan
Japan Chokai: gunnery 3, torpedo 3, defense 5, damage 3
Japan Furutaka: gunnery 2, torpedo 3, defense 4, damage 2
US Quincy: gunnery 3, defense 4, damage 3
US Vincennes: gunnery 3, defense 4, damage 3
""",
}
"""By kind; a text that is still an example is exchanged for that of the kind that somebody chooses."""


def is_example(text: str) -> bool:
    return text in (EXAMPLE, *EXAMPLES.values())
