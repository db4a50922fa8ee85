"""What questions of odds are made of, said once: the words of each kind, for the command line and for the odds desk.

A `Form` is a kind of question with its `Word`s. `flagplot odds` makes its options of them, and the desk its fields.
What a word may hold is the affair of the function that answers (`flagplot.odds.questions`), which refuses what it
cannot read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["text", "flag", "many"]
SHIPS, AIR, COUNT = "SHIPS", "AIR", "N"
OTHER_READINGS = "Another reading of a rule (see: flagplot options)."


@dataclass(frozen=True, slots=True)
class Word:
    """One thing that can be said in a question."""

    name: str
    """The argument of the function that answers."""
    about: str
    metavar: str = ""
    label: str = ""
    """What it is called in a form; without it, its name."""
    kind: Kind = "text"
    """A text, something that is so or not, or several texts."""
    needed: bool = False
    default: str | None = ""
    """What is taken if nothing is said: None where nothing is something else than an empty text."""
    choices: Callable[[], Sequence[str]] | None = None
    """The words that are understood, if they are few."""
    first: bool = False
    """Whether a form shows it at once, not only to those who want to say more."""
    at_desk: bool = True
    """Whether the desk asks for it; how long to go on is not for its readers to say."""
    option: str = ""
    """The option of the command, if it is called otherwise than the argument."""

    @property
    def called(self) -> str:
        """The option of the command line."""
        return self.option or f"--{self.name.replace('_', '-')}"

    @property
    def title(self) -> str:
        """What a form calls it."""
        return self.label or self.name.replace("_", " ").capitalize()


@dataclass(frozen=True, slots=True)
class Form:
    """A kind of question."""

    kind: str
    title: str
    about: str
    words: tuple[Word, ...]
    more: str = ""
    """What else is to be known before somebody asks."""
    examples: tuple[Mapping[str, str], ...] = field(default_factory=tuple)

    def word(self, name: str) -> Word | None:
        return next((word for word in self.words if word.name == name), None)

    def command(self, said: Mapping[str, str | Sequence[str]]) -> str:
        """The question as a command line."""
        import shlex

        parts = ["flagplot", "odds", self.kind]
        for word in self.words:
            given = said.get(word.name)
            if word.kind == "flag":
                parts += [word.called] * bool(given)
            else:
                for one in [given] if isinstance(given, str) else given or ():
                    parts += [word.called, one]
        return shlex.join(parts)


def _of(*words: str) -> Callable[[], Sequence[str]]:
    return lambda: words


def _combats() -> Sequence[str]:
    from flagplot.awaw.air_combat import Combat

    return [kind.value for kind in Combat]


def _activities() -> Sequence[str]:
    from flagplot.awaw.forces import ACTIVITIES

    return list(ACTIVITIES)


SIDES = _of("us", "them")


def _readings(name: str) -> Word:
    return Word(name, OTHER_READINGS, "NAME=VALUE", "Other readings of rules", "many", option="--option")


def _research() -> Word:
    return Word(
        "research", "Research results: defenders:air_defense=1, japan:air_drm=1.", "WHO:RESULT=N, …", "Research"
    )


def _attackers() -> Word:
    return Word(
        "attackers", "Those who attack: 6 japan elite, 2 japan army.", AIR, "Attackers", needed=True, first=True
    )


def _surprise(first: bool = False) -> Word:
    return Word("surprise", "The surprise level of the attack.", COUNT, "Surprise level", default=None, first=first)


def _hits(about: str, name: str = "hits", label: str = "Hits it has already", first: bool = False) -> Word:
    return Word(name, about, "SHIP N, …", label, first=first)


def _limits() -> tuple[Word, Word]:
    return (
        Word("states", "Follow at most so many states at a time.", COUNT, default=None, at_desk=False),
        Word("seconds", "Stop after so many seconds.", COUNT, default=None, at_desk=False),
    )


def _so(name: str, about: str, label: str) -> Word:
    return Word(name, about, "", label, "flag")


def _count(name: str, about: str, label: str, *, first: bool = False, default: str | None = None) -> Word:
    return Word(name, about, COUNT, label, default=default, first=first)


STRIKE = Form(
    "strike",
    "Air strike",
    "One air strike on ships: hits and losses.",
    (
        _attackers(),
        Word(
            "target",
            "The struck group; light ships by factors: Wasp, 4 cruisers, 4 destroyers.",
            SHIPS,
            "Target",
            needed=True,
            first=True,
        ),
        Word("nation", "The country of its light ships, if it is in doubt.", COUNT, "Country of its light ships"),
        Word(
            "cap",
            "Squadrons on combat air patrol: a number, or 4 japan elite.",
            COUNT,
            "Combat air patrol",
            default=None,
            first=True,
        ),
        _count("aboard", "Squadrons of its carriers, the patrol too. Without it: full decks.", "Squadrons aboard"),
        Word("cover", "Land-based squadrons that cover it: 2 american army.", AIR, "Air cover", first=True),
        _surprise(first=True),
        _research(),
        Word("aim", "Squadrons against each target: enterprise 6, light-ships 2.", "SHIP N, …", "Aim", first=True),
        _hits("Hits that its ships have: enterprise 1."),
        _count("engage", "How many over the target engage. Without it: all.", "Squadrons that engage"),
        _readings("options"),
    ),
    "Naval squadrons fly from carriers, army squadrons from land. Without {aim} the doctrine player picks the targets.",
    (
        {
            "attackers": "12 japan elite",
            "target": "Enterprise, Hornet, Yorktown, Wasp, 8 cruisers, 4 destroyers",
            "cap": "4",
        },
        {
            "attackers": "8 american naval",
            "target": "Akagi, Kaga, 8 cruisers, 4 destroyers",
            "cap": "2",
            "surprise": "2",
        },
        {"attackers": "6 japan army", "target": "Prince of Wales, Repulse, 4 destroyers"},
    ),
)

AIR_COMBAT = Form(
    "air-combat",
    "Air combat",
    "One round of air combat: losses and aborts.",
    (
        _attackers(),
        Word(
            "defenders",
            "Those who defend: 4 american naval, 3 american army.",
            AIR,
            "Defenders",
            needed=True,
            first=True,
        ),
        Word(
            "kind",
            "at-sea, counterair, carrier-counterair, naval-base, bombing, …",
            "KIND",
            "Kind of combat",
            default="at-sea",
            choices=_combats,
            first=True,
        ),
        _so("cap", "At sea: combat air patrol is among the defenders.", "The defenders fly patrol"),
        _so("cover", "At sea: air cover is among the defenders.", "The defenders fly cover"),
        _surprise(),
        _count("radar", "In bombing: the defender's radar results.", "Radar results"),
        _research(),
        _readings("options"),
    ),
    "At sea, and wherever naval air fights, numbers are squadrons; else they are factors. At sea naval air flies "
    "patrol and army air cover unless {cap} or {cover} says otherwise.",
    (
        {"attackers": "6 japan elite", "defenders": "4 united-states naval, 3 united-states army"},
        {"attackers": "9 germany army", "defenders": "6 britain army", "kind": "counterair"},
    ),
)

SEARCH = Form(
    "search",
    "Search",
    "One side's search: what is found, and surprise.",
    (
        Word(
            "groups",
            "The numbers of the enemy's combat groups: 1,3,5.",
            "N,N",
            "Enemy combat groups",
            needed=True,
            first=True,
        ),
        _count("dice", "The search dice, or what brings them:", "Search dice", first=True),
        _count("squadrons", "Land-based squadrons that search.", "Searching squadrons", first=True),
        _count("active", "Active groups of ten sound factors.", "Active groups", first=True),
        _count("carriers", "Distant groups with a ready carrier.", "Distant carrier groups", first=True),
        _count("round", "The round of the battle.", "Round", first=True),
        Word(
            "codebreaking",
            "The codebreaking advantage.",
            "+1|-1",
            "Codebreaking advantage",
            default=None,
            choices=_of("+1", "-1"),
            first=True,
        ),
        _count("enemy_dice", "The enemy's search dice.", "Enemy search dice", first=True),
        Word("own_groups", "The numbers of our own combat groups.", "N,N", "Own combat groups", first=True),
    ),
    examples=(
        {
            "groups": "1,3,5",
            "squadrons": "2",
            "active": "1",
            "codebreaking": "+1",
            "enemy_dice": "2",
            "own_groups": "2,4",
        },
        {"groups": "2,6", "dice": "3"},
    ),
)

BASE_ATTACK = Form(
    "base-attack",
    "Attack on a base",
    "Counterair against a base, or an attack on ships in port: losses on both sides.",
    (
        _attackers(),
        Word(
            "defenders",
            "The air in the base: 4 britain army, 2 britain army inverted.",
            AIR,
            "Air in the base",
            first=True,
        ),
        Word(
            "ships", "The ships in port, if they are attacked: Arizona, 4 cruisers.", SHIPS, "Ships in port", first=True
        ),
        Word(
            "port", "What else defends the port: 1 city, 1 airbase, 2 flak, fortress.", "WHAT", "The port", first=True
        ),
        _count(
            "counterair",
            "How many counterair instead of attacking ships. Without it: none.",
            "Attackers that counterair",
            first=True,
        ),
        Word("aim", "Ships as targets: arizona 4, light-ships 2.", "AIMS", "Aim"),
        Word("nation", "The country of the light ships in port.", "NATION", "Country of the light ships"),
        Word("hits", "Hits that ships in port already have: arizona 2.", "HITS", "Hits they have already"),
        _so("carriers", "The attackers fly from carriers.", "From carriers"),
        _count("rounds", "The rounds that the attacker fights. Without it: one.", "Rounds"),
        _research(),
        _readings("options"),
    ),
    "Army air, jets and transports are counted in factors as in scenario files, and fight as squadrons if naval air "
    "takes part.",
    (
        {"attackers": "6 germany army", "defenders": "4 britain army", "rounds": "3"},
        {
            "attackers": "9 japan elite",
            "ships": "Arizona, Nevada, 4 cruisers",
            "defenders": "6 united-states army",
            "counterair": "3",
            "carriers": "yes",
        },
    ),
)

FIRE = Form(
    "fire",
    "Fleet fire",
    "Fleet fire on one target: hits, damage, sinking.",
    (
        Word("ships", "The ships that fire: Bismarck, Scharnhorst.", SHIPS, "Ships that fire", first=True),
        Word(
            "target",
            "A named ship, or light ships by factors: 6 cruisers, 4 destroyers.",
            SHIPS,
            "Target",
            needed=True,
            first=True,
        ),
        _count("factors", "Or only how many factors fire.", "Or factors that fire", first=True),
        Word("nation", "The country of those who fire: germany.", COUNT, "Country of those who fire", first=True),
        Word("target_nation", "The country of light ships that are the target.", COUNT, "Country of the target"),
        _hits("Hits that ships of the target have: hood 1.", first=True),
        Word(
            "hampered",
            "Whom cargo or sea supply hampers (22.552B).",
            "us|them",
            "Hampered by cargo",
            "many",
            choices=SIDES,
        ),
        Word(
            "codebreaking",
            "Who has the tactical codebreaking advantage.",
            "us|them",
            "Codebreaking advantage",
            choices=SIDES,
        ),
        _readings("option"),
    ),
    examples=(
        {"ships": "Bismarck", "target": "Hood"},
        {"factors": "12", "nation": "germany", "target": "6 cruisers, 4 destroyers", "target_nation": "britain"},
    ),
)

ENGAGEMENT = Form(
    "engagement",
    "Fleet combat",
    "A whole fleet combat between two groups; we are the moving side.",
    (
        Word("ours", "Our group: Yamato, 10 cruisers, 10 destroyers.", SHIPS, "Our group", needed=True, first=True),
        Word("theirs", "The group of the enemy.", SHIPS, "Their group", needed=True, first=True),
        Word("nation", "The country of our light ships.", COUNT, "Country of our light ships"),
        Word("their_nation", "The country of theirs.", COUNT, "Country of theirs"),
        _hits("Hits that our ships have.", label="Hits on ours", first=True),
        _hits("Hits that theirs have.", "their_hits", "Hits on theirs", first=True),
        Word(
            "screen",
            "Ships of ours that are screened, or none. Else by doctrine.",
            SHIPS,
            "Our screened ships",
            default=None,
        ),
        Word("their_screen", "Ships of theirs, or none.", SHIPS, "Their screened ships", default=None),
        Word(
            "surplus",
            "What surplus light ships do (22.54E): as the doctrine says in view of what capital ships have done, or "
            "join in firing at light ships, which makes large combats exact.",
            "doctrine|join",
            "Surplus light ships",
            default="doctrine",
            choices=_of("doctrine", "join"),
        ),
        Word(
            "our_activity",
            "What we are at sea for: sea-transport.",
            "A",
            "Our activity",
            choices=_activities,
        ),
        Word("their_activity", "What they are at sea for.", "A", "Their activity", choices=_activities),
        Word(
            "codebreaking",
            "Who has the tactical codebreaking advantage.",
            "us|them",
            "Codebreaking advantage",
            choices=SIDES,
        ),
        *_limits(),
        _readings("option"),
    ),
    examples=(
        {"ours": "Kongo, Hiei, 8 cruisers", "theirs": "Washington, South Dakota, 4 cruisers"},
        {"ours": "Bismarck, 2 cruisers", "theirs": "Hood, Prince of Wales"},
    ),
)

SUBMARINE = Form(
    "submarine",
    "Submarines",
    "Submarine attacks on one combat group; we attack.",
    (
        Word(
            "submarines",
            "How many factors attack, one after the other.",
            COUNT,
            "Submarine factors",
            needed=True,
            first=True,
        ),
        Word("nation", "Their country: germany.", COUNT, "Their country", needed=True, first=True),
        Word("target", "The group: Ark Royal, 6 cruisers, 4 destroyers.", SHIPS, "Target", needed=True, first=True),
        Word("target_nation", "The country of light ships that are the target.", COUNT, "Country of its light ships"),
        _hits("Hits that ships of the target have: hood 1.", first=True),
        _so("advanced", "Advanced submarines: +1, whatever else.", "Advanced submarines"),
        Word("searchers", "Squadrons of each side that search (22.9413).", "us=N,them=N", "Searching squadrons"),
        _count("torpedo", "Torpedo research of the attacker.", "Torpedo research"),
        _count("asw", "ASW research of the defender.", "ASW research"),
        _count("excess_asw", "ASW factors in the SW box beyond the submarines there (22.9415).", "Excess ASW factors"),
        _count("earlier", "Submarine attacks on the group earlier in the round.", "Earlier attacks"),
        _so(
            "idle_carriers",
            "The group's fast carriers have no squadrons: not operational.",
            "Carriers without squadrons",
        ),
        _so("hampered", "Cargo or sea supply hampers the group.", "Hampered by cargo"),
        Word(
            "codebreaking",
            "Who has the codebreaking advantage in submarine attacks.",
            "us|them",
            "Codebreaking advantage",
            choices=SIDES,
        ),
        Word(
            "tactical",
            "Who has the tactical codebreaking advantage.",
            "us|them",
            "Tactical codebreaking advantage",
            choices=SIDES,
        ),
        *_limits(),
        _readings("option"),
    ),
    examples=(
        {"submarines": "3", "nation": "germany", "target": "Ark Royal, 6 cruisers, 4 destroyers"},
        {"submarines": "2", "nation": "japan", "target": "Yorktown, 2 cruisers, 4 destroyers", "hits": "yorktown 2"},
    ),
)

INTERCEPTION = Form(
    "interception",
    "Interception",
    "One interception attempt: whether it succeeds, and how late the force is if it does not.",
    (
        Word(
            "distance",
            "The hexes that the interceptors have to go.",
            COUNT,
            "Distance in hexes",
            needed=True,
            first=True,
        ),
        Word(
            "theatre",
            "Where it is: hexes and ranges differ.",
            "europe|pacific",
            "Theatre",
            needed=True,
            choices=_of("europe", "pacific"),
            first=True,
        ),
        _so("cargo", "The target carries cargo (22.22A).", "It carries cargo"),
        _so("bombardment", "It bombards a shore (22.22A).", "It bombards a shore"),
        _so("carrier_mission", "It is on a fast carrier mission (22.22A).", "Fast carrier mission"),
        _so("patrol_staying", "It is a patrol that wants to stay in its hex (22.22B).", "A patrol that stays"),
        _so(
            "counter_in_hex",
            "Counter-interception in the interception hex (22.22C).",
            "Counter-interception in the hex",
        ),
        _so("light_only", "Cruisers and destroyers alone intercept (22.22D).", "Light ships alone intercept"),
        _count("task_forces", "Task forces in the target (22.22E).", "Task forces in the target", first=True),
        _count("ground_defenders", "Ground factors that defend against the invasion (22.22F).", "Ground defenders"),
        _count("spotters", "Squadrons that spot it (22.22G).", "Spotting squadrons", first=True),
        _count("submarines", "Friendly submarines near by (22.22H).", "Friendly submarines", first=True),
        _count("cards", "Strategic cards more than the opponent (22.22I).", "Lead in strategic cards"),
        _so("slow", "There are slow ships among the interceptors (22.22J).", "Slow ships intercept"),
        _so("submarine_force", "A submarine intercepts (22.22J).", "A submarine intercepts"),
        _count("attempts", "Attempts on the same activity (22.22K).", "Attempts on it", default="1"),
    ),
    examples=(
        {"distance": "12", "theatre": "pacific", "cargo": "yes", "task_forces": "2"},
        {"distance": "8", "theatre": "europe", "spotters": "2"},
    ),
)

FORMS: dict[str, Form] = {
    form.kind: form for form in (STRIKE, FIRE, ENGAGEMENT, SUBMARINE, SEARCH, INTERCEPTION, AIR_COMBAT, BASE_ATTACK)
}
