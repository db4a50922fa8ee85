"""`flagplot learn`: the list of lessons and drills, and a drill at the keyboard."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from flagplot.cli.command import program
from flagplot.cli.failures import DONE
from flagplot.cli.keyboard.question import key_of, keys_in_words, option_of
from flagplot.cli.output import new_console, print_json
from flagplot.cli.screen import FAINT, STRONG, Line, Screen
from flagplot.drills import Drill, Judged, begun, drill, drills, judged
from flagplot.kernel.errors import BadValue
from flagplot.kernel.requests import Choose
from flagplot.kernel.words import say
from flagplot.lessons import lessons


def listed(*, as_json: bool) -> int:
    """What there is to learn."""
    found = [
        *[{"name": one.name, "kind": "lesson", "title": one.title, "about": one.about} for one in lessons().values()],
        *[{"name": one.name, "kind": "drill", "title": one.title, "about": one.about} for one in drills().values()],
    ]
    if as_json:
        print_json(found)
        return DONE
    screen, width = Screen(new_console()), max([len(one["name"]) for one in found]) + 2
    for title, kind in (("A battle with a coach", "lesson"), ("Drills: one decision each, with exact odds", "drill")):
        screen.rule(title)
        for one in found:
            if one["kind"] == kind:
                screen.show([Line(Text.assemble((f"{one['name']:<{width}}", STRONG), one["title"]), 0, width)])
    screen.say(f"To begin: {program()} learn {found[0]['name']}, or {program()} learn {next(iter(drills()))}")
    return DONE


def practise(name: str, answer: str | None, *, as_json: bool) -> int:
    """`flagplot learn DRILL`."""
    one = drill(name)
    game = begun(one)
    request = game.pending
    assert isinstance(request, Choose)
    screen = Screen(new_console())
    if not as_json:
        screen.say(one.title, STRONG)
        screen.say(one.about)
        screen.rule()
        screen.draw(Text(str(game.view(one.side))))
        screen.rule()
        screen.show([Line(Text(say(request.question), STRONG))])
        options = [Text.assemble((f"{key_of(option)}  ", STRONG), option.label) for option in request.options]
        screen.show([Line(text, 2) for text in options])
        screen.say(f"What counts: {one.counts}.", FAINT)
    chosen = _chosen(request, answer, screen, asked=not as_json)
    if chosen is None:
        return DONE
    found = judged(name)
    if as_json:
        print_json(_as_dict(one, found, chosen))
    else:
        screen.show(_told(one, found, chosen))
    return DONE


def _chosen(request: Choose[Any], answer: str | None, screen: Screen, *, asked: bool) -> str | None:
    """The option that was given or is typed, by its text; None if nobody types any more."""
    wrong = f"Type a number: {keys_in_words(request)}"
    if answer is not None or not asked:
        option = option_of(request, answer or "")
        if option is None:
            raise BadValue(wrong, given=answer)
        return option.text
    while True:
        try:
            typed = screen.ask("> ")
        except EOFError:
            return None
        option = option_of(request, typed)
        if option is not None:
            return option.text
        if typed.casefold() in ("quit", "q"):
            return None
        screen.say(f"{wrong}. “quit” leaves.")


def _told(one: Drill, found: Judged, chosen: str) -> list[Line]:
    lines = [Line(Text(found.verdict(chosen), STRONG)), Line(Text(found.choice(chosen).why))]
    lines.append(Line(Text(f"{one.measure.words}, exact, until the end of {found.until}:", FAINT)))
    width = max([len(choice.shown) for choice in found.choices])
    for choice in found.choices:
        mark = "★" if choice is found.best else "•" if choice.text == chosen else " "
        head = Text.assemble(
            f"{mark} ", (f"{choice.shown:>{width}}  ", STRONG), f"{choice.label}. ", (choice.why, FAINT)
        )
        lines.append(Line(head, 2, width + 4))
    return [*lines, Line(Text.assemble(("Remember: ", STRONG), one.lesson, (f" ({one.rule})", FAINT)))]


def _as_dict(one: Drill, found: Judged, chosen: str) -> dict[str, Any]:
    return {
        "drill": one.name,
        "title": one.title,
        "question": found.question,
        "counts": one.measure.words,
        "chosen": chosen,
        "best": found.best.text,
        "verdict": found.verdict(chosen),
        "options": [
            {"option": one.text, "label": one.label, "worth": str(one.worth), "shown": one.shown, "why": one.why}
            for one in found.choices
        ],
        "lesson": one.lesson,
        "rule": one.rule,
    }
