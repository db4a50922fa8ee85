"""A line of a save has one spelling and no free bytes: whatever else stands in it is refused, however well it is sealed
again. And the lines tell who had a part in each roll."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest

from flagplot.kernel.dice import Committed, Seeded, Typed, derive, receipt_of
from flagplot.kernel.errors import FlagplotError, IllegalAnswer, SaveError, UndoRefused
from flagplot.kernel.game import Game
from flagplot.kernel.proof import SERVER, check_receipts, prove_lines, read_receipts
from flagplot.kernel.requests import Choose, Roll
from flagplot.kernel.saves import begin_tape, follow_line
from flagplot.kernel.tape import seal
from flagplot.kernel.verifying import Verification, verify_lines
from tests.kernel.toys import DUEL, snapshot

BOTH = {"blue": "person", "red": "person"}
SECRET = "hush"
Body = dict[str, Any]


class Client:
    """Draws bytes that are never the same, and keeps what it revealed."""

    def __init__(self, name: str) -> None:
        self.name, self.drawn = name, 0

    def bytes(self) -> str:
        self.drawn += 1
        return hashlib.sha256(f"{self.name} {self.drawn}".encode()).hexdigest()

    def nonce(self) -> str:
        return self.bytes()[:32]


def pledge_of(revealed: str) -> str:
    return hashlib.sha256(bytes.fromhex(revealed)).hexdigest()


def seated(seats: dict[str, str] | None = None) -> Game[Any]:
    twin = DUEL.game(Committed(SECRET))
    return Game(DUEL, twin.scenario, DUEL.options, DUEL.read({}, DUEL.options), twin.dice, seats or BOTH)


def played(seats: dict[str, str] | None = None, *, fresh: bool = False, until: int | None = None) -> Game[Any]:
    """A table's game, answered by clients with their nonces; with `fresh` the others reveal before every roll."""
    game = seated(seats)
    clients = {side: Client(side) for side in game.sides}
    held: dict[str, str] = {}
    for side, holder in (game.seats or {}).items():
        if holder in ("person", "hotseat"):
            game.contribute(side, clients[side].bytes())
    while game.pending is not None and (until is None or game.turn < until):
        if fresh and isinstance(game.pending, Choose):
            for side in game.sides:
                if side not in game.open_pledges:
                    held[side] = clients[side].bytes()
                    game.pledge(side, pledge_of(held[side]))
        before = isinstance(game.pending, Choose)
        act(game, clients)
        if fresh and before and isinstance(game.pending, Roll):
            for side in game.sides:
                game.reveal(side, held.pop(side))
    return game


def act(game: Game[Any], clients: dict[str, Client]) -> None:
    request = game.pending
    if isinstance(request, Roll):
        game.roll()
    elif request is not None:
        person = (game.seats or {})[request.side] in ("person", "hotseat")
        option = request.option((game.turn * 7 + 3) % len(request.values))
        game.choose(option, nonce=clients[request.side].nonce() if person else "")


def bodies_of(game: Game[Any]) -> list[Body]:
    return [json.loads(text) for text in game.tape().texts]


def resealed(bodies: list[Body]) -> list[bytes]:
    """Numbers, chain, hashes and rolls worked out again, as a server that cheats would do it."""
    lines, head = list[bytes](), ""
    for number, body in enumerate(bodies):
        fresh = {key: value for key, value in body.items() if key != "hash"}
        if number:
            fresh["prev"] = head
            if "n" in fresh and type(fresh["n"]) is int:
                fresh["n"] = number
            if all(type(face) is int for face in fresh.get("roll", [0.5])):
                fresh["roll"] = list(derive(SECRET.encode(), head.encode(), len(fresh["roll"])))
        text, head = seal(fresh)
        lines.append(text.encode())
    return lines


def verified(lines: list[bytes]) -> Verification:
    return verify_lines(lines, DUEL.find)


def lines_of(game: Game[Any]) -> list[bytes]:
    return [text.encode() for text in game.tape().texts]


@pytest.mark.parametrize("seats", [BOTH, {"blue": "person", "red": "doctrine"}, {"blue": "hotseat", "red": "hotseat"}])
@pytest.mark.parametrize("fresh", [False, True])
def test_a_table_game_is_proved(seats: dict[str, str], fresh: bool) -> None:
    game = played(seats, fresh=fresh and "doctrine" not in seats.values())
    found = verified(lines_of(game))
    assert found.problems == []
    assert found.proved == found.rolls > 0
    assert found.headline("duel") == (
        f"duel is proved: {found.answers} answers, {found.rolls} of {found.rolls} rolls, the result."
    )
    again = begin_tape(game.tape().texts[0], DUEL.find, SECRET)
    for text in game.tape().texts[1:]:
        follow_line(again, text)
    assert snapshot(again) == snapshot(game)
    assert (again.seats, again.open_pledges) == (game.seats, game.open_pledges)


def swapped(body: Body, one: str, other: str) -> Body:
    keys = [other if key == one else one if key == other else key for key in body]
    return {key: body[key] for key in keys}


def with_key(body: Body, key: str, value: Any, before: str = "prev") -> Body:
    made: Body = {}
    for name, part in body.items():
        if name == before:
            made[key] = value
        made[name] = part
    return made


FREEDOMS: dict[str, tuple[str, Callable[[Body], Body]]] = {
    "an unknown key": ("nonce", lambda body: with_key(body, "salt", 7)),
    "a key of another kind of line": ("nonce", lambda body: with_key(body, "consent", "red")),
    "any text in by": ("nonce", lambda body: {**with_key(body, "by", "me", "nonce"), "nonce": None}),
    "by beside a nonce": ("nonce", lambda body: with_key(body, "by", "orders")),
    "keys in another order": ("nonce", lambda body: swapped(body, "side", "choose")),
    "a float for a number": ("nonce", lambda body: {**body, "n": float(body["n"])}),
    "true for a number": ("nonce", lambda body: {**body, "n": True}),
    "no nonce": ("nonce", lambda body: {key: value for key, value in body.items() if key != "nonce"}),
    "a nonce in capitals": ("nonce", lambda body: {**body, "nonce": "ABCDEF" + body["nonce"][6:]}),
    "a long nonce": ("nonce", lambda body: {**body, "nonce": body["nonce"] * 2}),
    "a nonce that is no text": ("nonce", lambda body: {**body, "nonce": 7}),
    "a key in a roll": ("roll", lambda body: with_key(body, "nonce", "0" * 32)),
    "faces as floats": ("roll", lambda body: {**body, "roll": [float(face) for face in body["roll"]]}),
    "a contribution in capitals": ("contribute", lambda body: {**body, "contribute": "AB" + body["contribute"][2:]}),
    "an odd contribution": ("contribute", lambda body: {**body, "contribute": body["contribute"] + "0"}),
    "a key in the header": ("flagplot", lambda body: with_key(body, "salt", 7, "dice")),
    "a key in the dice": ("flagplot", lambda body: {**body, "dice": {**body["dice"], "salt": 7}}),
    "an option more": ("flagplot", lambda body: {**body, "options": {**body["options"], "salt": 7}}),
    "no options": ("flagplot", lambda body: {**body, "options": {}}),
    "a strange program": ("flagplot", lambda body: {**body, "program": "0.1.0 salt"}),
    "a stranger in a seat": ("flagplot", lambda body: {**body, "seats": {"blue": "person", "red": "salt"}}),
    "seats in another order": ("flagplot", lambda body: {**body, "seats": {"red": "person", "blue": "person"}}),
    "a key in the end": ("end", lambda body: {**body, "end": {**body["end"], "salt": 7}}),
    "a key beside the end": ("end", lambda body: with_key(body, "salt", 7)),
    "another result": ("end", lambda body: {**body, "end": {**body["end"], "result": {"salt": 7}}}),
    "no secret": ("end", lambda body: {key: value for key, value in body.items() if key != "secret"}),
}


@pytest.mark.parametrize("freedom", FREEDOMS)
def test_every_freedom_of_a_line_is_refused_though_all_is_sealed_again(freedom: str) -> None:
    key, change = FREEDOMS[freedom]
    bodies = bodies_of(played())
    place = next(place for place, body in enumerate(bodies) if key in body)
    changed = {name: value for name, value in change(bodies[place]).items() if value is not None}
    found = verified(resealed([*bodies[:place], changed, *bodies[place + 1 :]]))
    assert found.problems, freedom
    assert found.problems[0].startswith(f"line {place + 1}"), found.problems
    assert "NOT sound" in found.headline("duel")


def test_every_side_has_a_seat() -> None:
    bodies = bodies_of(played())
    del bodies[0]["seats"]["red"]
    assert "red has no seat at this table" in verified(resealed(bodies)).problems[0]
    assert "not those of the sides" in verified(resealed(bodies[:1])).problems[0]


def test_sealing_again_by_itself_is_no_fault() -> None:
    assert resealed(bodies_of(played())) == lines_of(played())


def test_a_line_written_in_another_way_is_refused() -> None:
    lines = lines_of(played())
    for other in (
        lines[3].replace(b",", b", ", 1),
        lines[3].replace(b'"side"', b'"\\u0073ide"', 1),
        lines[3].replace(b'"side":', b'"side":"red","side":', 1),
        lines[3].replace(b'"n":3', b'"n":3e0', 1),
        lines[3] + b" ",
    ):
        assert other != lines[3]
        assert prove_lines([*lines[:3], other, *lines[4:]]).problems[0].startswith("line 4")


def insert(bodies: list[Body], place: int, line: Body) -> list[bytes]:
    return resealed([*bodies[:place], {"n": 0, **line, "prev": ""}, *bodies[place:]])


def test_bytes_are_used_once() -> None:
    game = played(fresh=True)
    bodies = bodies_of(game)
    nonces = [place for place, body in enumerate(bodies) if "nonce" in body]
    bodies[nonces[1]]["nonce"] = bodies[nonces[0]]["nonce"]
    assert f"line {nonces[1] + 1}: this nonce was used before" in verified(resealed(bodies)).problems
    bodies = bodies_of(game)
    again = {"side": "blue", "contribute": bodies[1]["contribute"]}
    assert "line 4: this contribution was made before" in verified(insert(bodies, 3, again)).problems
    again = {"side": "blue", "pledge": next(body["pledge"] for body in bodies if "pledge" in body)}
    place = next(place for place, body in enumerate(bodies) if "choose" in body)
    assert f"line {place + 1}: this pledge was made before" in verified(insert(bodies, place, again)).problems


PLEDGE = "c" * 64


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ({"side": "blue", "skip": PLEDGE}, "has no open pledge"),
        ({"side": "blue", "reveal": "00" * 32}, "has no open pledge"),
        ({"side": "blue", "reveal": "00" * 32, "pledge": PLEDGE}, "not the keys of any kind of line"),
        ({"side": "red", "seat": "hotseat:x"}, "must be person, hotseat"),
        ({"side": "green", "seat": "person"}, "has no seat"),
        ({"side": "red", "seat": "person"}, "the dice are being rolled"),
        ({"side": "red", "pledge": PLEDGE}, "the dice are being rolled"),
        ({"side": "red", "contribute": "0a" * 32}, "the dice are being rolled"),
    ],
)
def test_what_may_not_stand_before_a_roll(line: Body, words: str) -> None:
    bodies = bodies_of(played())
    place = next(place for place, body in enumerate(bodies) if "roll" in body)
    assert words in verified(insert(bodies, place, line)).problems[0]


def test_tables_lines_stand_only_in_games_of_a_table() -> None:
    game = DUEL.game(Committed(SECRET))
    game.choose("stance:low")
    bodies = bodies_of(game)
    for line in (
        {"side": "red", "pledge": PLEDGE},
        {"side": "red", "skip": PLEDGE},
        {"side": "red", "seat": "person"},
        {"side": "red", "reveal": "00" * 32},
    ):
        assert "only in games of a web table" in verified(insert(bodies, 2, line)).problems[0]
    for extra in ({"nonce": "0" * 32}, {"by": "orders"}):
        ((key, value),) = extra.items()
        changed = resealed([bodies[0], with_key(bodies[1], key, value)])
        assert "only at a web table" in verified(changed).problems[0]
    undo = {"n": 2, "side": "blue", "undo": 1, "nonce": "0" * 32, "prev": ""}
    assert "only at a web table" in verified(resealed([*bodies, undo])).problems[0]


def test_only_committed_dice_have_seats_contributions_and_a_secret() -> None:
    for dice in (Seeded(4), Typed()):
        game = DUEL.game(dice)
        header = {**bodies_of(game)[0], "dice": dice.header}
        seats = with_key(header, "seats", BOTH, "dice")
        assert "has committed dice" in prove_lines(resealed([seats])).problems[0]
        line = {"n": 1, "side": "blue", "contribute": "0a" * 32, "prev": ""}
        assert "only committed dice" in prove_lines(resealed([header, line])).problems[0]
        end = {"n": 1, "end": {"result": {}, "state": "0" * 64}, "secret": SECRET, "prev": ""}
        assert "have no secret" in prove_lines(resealed([header, end])).problems[0]


def test_a_player_of_the_program_has_no_bytes_of_its_own() -> None:
    game = seated({"blue": "doctrine:withdraw_below=0.3", "red": "person"})
    assert isinstance(game.pending, Choose)
    assert game.pending.side == "blue"
    before = snapshot(game)
    for nonce, by in (("0" * 32, ""), ("", "orders")):
        with pytest.raises(IllegalAnswer, match="played by the program"):
            game.choose("stance:low", nonce=nonce, by=by)
    with pytest.raises(IllegalAnswer, match="no bytes of its own"):
        game.pledge("blue", PLEDGE)
    with pytest.raises(IllegalAnswer, match="no bytes of its own"):
        game.contribute("blue", "0a" * 32)
    assert snapshot(game) == before
    game.choose("stance:low")
    for nonce, by in (("", ""), ("", "me"), ("short", "")):
        with pytest.raises(IllegalAnswer):
            game.choose("stance:low", nonce=nonce, by=by)
    game.choose("stance:low", by="orders")


def test_nothing_comes_between_an_answer_and_its_dice_but_fresh_bytes() -> None:
    game, red = seated(), Client("red")
    shown = red.bytes()
    game.pledge("red", pledge_of(shown))
    with pytest.raises(IllegalAnswer, match="there are no dice to roll now"):
        game.reveal("red", shown)
    game.choose("stance:low", nonce=Client("blue").nonce())
    game.choose("stance:low", nonce=red.nonce())
    assert isinstance(game.pending, Roll)
    before = snapshot(game)
    with pytest.raises(IllegalAnswer, match="no open pledge"):
        game.skip("blue")
    for refused, given in ((game.pledge, PLEDGE), (game.change_seat, "random"), (game.contribute, "0a" * 32)):
        with pytest.raises(IllegalAnswer, match="the dice are being rolled"):
            refused("red", given)
    for consent in (None, "blue"):
        with pytest.raises(UndoRefused, match="the dice are being rolled"):
            game.undo("red", consent=consent, nonce="1" * 32)
    assert snapshot(game) == before


def test_a_reveal_changes_the_dice_and_a_skip_voids_the_pledge() -> None:
    blue, fallen = Client("blue"), []
    for way in ("roll", "reveal", "skip"):
        game, shown = seated(), blue.bytes()
        game.pledge("blue", pledge_of(shown))
        for side in ("blue", "red"):
            game.choose("stance:low", nonce=Client(f"{side} {way}").nonce())
        if way == "reveal":
            with pytest.raises(IllegalAnswer, match="not the bytes that were pledged"):
                game.reveal("blue", "00" * 32)
            game.reveal("blue", shown)
            assert game.open_pledges == {}
        elif way == "skip":
            game.skip("blue")
            assert game.open_pledges == {}
        head = game.tape().head
        fallen.append(head)
        assert game.roll() == derive(SECRET.encode(), head.encode(), 2)
        assert prove_lines(lines_of(game)).problems == []
    assert len(set(fallen)) == 3


def test_pledges_and_seats_outlast_a_take_back() -> None:
    game, blue, red = seated(), Client("blue"), Client("red")
    game.pledge("blue", PLEDGE)
    game.choose("stance:low", nonce=blue.nonce())
    game.change_seat("red", "person")
    game.choose("stance:low", nonce=red.nonce())
    game.skip("blue")
    game.roll()
    game.pledge("blue", "d" * 64)
    game.undo("blue", consent="red", nonce=red.nonce())
    assert game.turn == 0
    assert game.open_pledges == {"blue": "d" * 64}
    assert game.seats == BOTH
    with pytest.raises(IllegalAnswer, match="this pledge was made before"):
        game.pledge("blue", PLEDGE)
    assert verified(lines_of(game)).problems == []


def test_a_seat_line_changes_somebody_and_voids_the_pledge() -> None:
    game = seated({"blue": "person", "red": "random"})
    game.pledge("blue", PLEDGE)
    with pytest.raises(IllegalAnswer, match="does not change"):
        game.change_seat("red", "random")
    game.change_seat("blue", "person")
    assert game.open_pledges == {}
    game.change_seat("red", "doctrine")
    assert game.seats == {"blue": "person", "red": "doctrine"}


def test_a_copy_needs_no_nonces() -> None:
    """It goes into no save; those who think ahead play on with it."""
    game = played(until=6)
    twin = game.copy()
    assert isinstance(twin.pending, Choose)
    twin.choose(twin.pending.option(0))
    assert twin.seats is None


def test_a_line_of_another_form_is_not_followed() -> None:
    game = played(until=2)
    twin = begin_tape(game.tape().texts[0], DUEL.find, SECRET)
    body = {**bodies_of(game)[1], "n": 1, "prev": twin.tape().head}
    body.pop("hash")
    with pytest.raises(SaveError, match="keys of any kind"):
        follow_line(twin, seal({**body, "salt": 7})[0])


# --- who had a part ---------------------------------------------------------------------------------------------


def parts_of(game: Game[Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Of the last roll."""
    roll = prove_lines(lines_of(game)).rolls[-1]
    return roll.parts, roll.ahead


def joined(seats: dict[str, str] | None = None) -> Game[Any]:
    """A table at which all people have added to the dice, and so have a receipt."""
    game = seated(seats)
    for side, holder in (game.seats or {}).items():
        if holder in ("person", "hotseat"):
            game.contribute(side, Client(f"{side} joins").bytes())
    return game


def test_who_could_have_looked_ahead() -> None:
    """He who was free to do something after the others' bytes were known to him."""
    blue, red = Client("blue"), Client("red")
    game = joined()
    game.choose("stance:low", nonce=blue.nonce())
    game.choose("stance:low", nonce=red.nonce())
    game.roll()
    # red chose last; blue could have drawn its own nonce again when it knew red's, since red had no receipt after it
    assert parts_of(game) == (("blue", "red"), ("blue", "red"))
    game = joined()
    game.choose("stance:low", nonce=blue.nonce())
    game.contribute("red", red.bytes())
    game.choose("stance:low", nonce=red.nonce())
    game.roll()
    assert parts_of(game)[1] == ("red",)  # here red had one
    game = seated()
    game.choose("stance:low", nonce=blue.nonce())
    game.choose("stance:low", nonce=red.nonce())
    game.roll()
    assert parts_of(game)[1] == (SERVER, "blue", "red")  # nobody had a receipt, so even line 1 was not fixed


def test_fresh_bytes_put_everybody_else_out_of_luck() -> None:
    blue, red = Client("blue"), Client("red")
    for revealing, ahead in ((("blue", "red"), ()), (("blue",), ("blue",)), (("red",), ("red",))):
        game, shown = joined(), {side: Client(f"{side} reveals").bytes() for side in revealing}
        for side in revealing:
            game.pledge(side, pledge_of(shown[side]))
        game.choose("stance:low", nonce=blue.nonce())
        game.choose("stance:low", nonce=red.nonce())
        for side in revealing:  # red too, though its own answer asked for the dice
            game.reveal(side, shown[side])
        game.roll()
        assert parts_of(game)[1] == ahead
    game = joined()
    game.pledge("blue", PLEDGE)
    game.choose("stance:low", nonce=blue.nonce())
    game.choose("stance:low", nonce=red.nonce())
    game.skip("blue")
    game.roll()
    assert parts_of(game)[1] == (SERVER, "blue", "red")  # whoever ran it could have skipped or not


def test_a_pledge_that_a_server_may_have_made_up_leaves_it_free() -> None:
    blue = Client("blue")
    game = joined()
    game.choose("stance:low", nonce=blue.nonce())
    game.pledge("red", PLEDGE)
    game.choose("stance:low", by="orders")
    game.roll()
    assert parts_of(game)[1] == (SERVER, "blue", "red")


def test_the_program_and_orders_leave_the_host_free_or_not() -> None:
    game = joined({"blue": "person", "red": "random"})
    game.choose("stance:low", nonce="1" * 32)
    game.choose("stance:low")
    game.roll()
    assert parts_of(game) == (("blue",), (SERVER, "blue"))  # the host runs the program
    game = joined()
    game.choose("stance:low", nonce="1" * 32)
    game.choose("stance:low", by="orders")
    game.roll()
    assert parts_of(game)[1] == (SERVER, "blue", "red")  # the host carries the orders out
    game = joined({"blue": "hotseat", "red": "hotseat"})
    game.choose("stance:low", nonce="1" * 32)
    game.choose("stance:low", nonce="2" * 32)
    game.roll()
    assert parts_of(game)[1] == ("blue", "red")  # they are one person


def test_the_words_name_the_rolls() -> None:
    found = verified(lines_of(played()))
    words = "\n".join(found.in_words())
    assert "the server could have looked ahead at no roll" in words
    ahead = [roll.line for roll in found.parts if "red" in roll.ahead]
    told = (
        f"note: red could have looked ahead at {len(ahead)} of {found.rolls} rolls if its player ran the server: lines "
    )
    assert told + ", ".join(map(str, ahead)) in words
    assert found.as_dict()["parts"][0]["line"] == found.parts[0].line
    outside = verify_lines(lines_of(finished_alone()), DUEL.find)
    assert "whoever ran the program held the secret" in "\n".join(outside.in_words())


def finished_alone() -> Game[Any]:
    game = DUEL.game(Committed(SECRET))
    while game.pending is not None:
        request = game.pending
        if isinstance(request, Roll):
            game.roll()
        else:
            game.choose(request.option(0))
    return game


# --- receipts ---------------------------------------------------------------------------------------------------


def kept_by(game: Game[Any], side: str) -> Body:
    """What the browser of a side would have kept."""
    kept, answer = list[Body](), ""
    bodies = bodies_of(game)
    for body in bodies[1:]:
        receipt = receipt_of(SECRET, body["hash"])
        answer = receipt if "choose" in body else answer
        if body.get("side") != side:
            continue
        for key in ("nonce", "contribute"):
            if key in body:
                kept.append({key: body[key], "receipt": receipt})
        if "reveal" in body:
            kept.append({"reveal": body["reveal"], "before": answer})
    commitment = bodies[0]["dice"]["commitment"]
    return {"flagplot": "receipts", "game": "g1", "side": side, "commitment": commitment, "kept": kept}


def test_receipts_fit_the_game_that_they_were_given_for() -> None:
    game = played(fresh=True)
    receipts = kept_by(game, "blue")
    found = verify_lines(lines_of(game), DUEL.find, receipts=read_receipts(receipts))
    assert found.problems == []
    assert found.receipts is not None
    assert found.receipts.held == found.receipts.kept == len(receipts["kept"]) > 5
    assert f"{found.receipts.held} of {found.receipts.held} receipts of blue fit" in "\n".join(found.in_words())
    assert not any("another browser" in note for note in found.notes)
    fewer = {**receipts, "kept": receipts["kept"][1:]}
    assert any("another browser" in note for note in verify_lines(lines_of(game), DUEL.find, receipts=fewer).notes)


@pytest.mark.parametrize("kind", ["nonce", "contribute", "reveal"])
def test_a_line_that_was_changed_after_its_receipt_shows(kind: str) -> None:
    """All of it chained again, the dice rolled again: only who kept receipts can tell."""
    game = played(fresh=True)
    receipts = kept_by(game, "blue")
    bodies = bodies_of(game)
    place = next(place for place, body in enumerate(bodies) if body.get("side") == "blue" and kind in body)
    entry = next(number for number, one in enumerate(receipts["kept"]) if one.get(kind) == bodies[place][kind])
    proof = prove_lines(lines_of(game))
    for key, words in (("receipt", "changed after the receipt"), (kind, f"no line of the save has this {kind}")):
        other = json.loads(json.dumps(receipts))
        key = "before" if (kind, key) == ("reveal", "receipt") else key
        other["kept"][entry][key] = "0" * len(other["kept"][entry][key])
        (problem,) = check_receipts(proof, other).problems
        assert problem.startswith(f"receipt {entry + 1}: ")
        assert words in problem
    assert "another commitment" in check_receipts(proof, {**receipts, "commitment": "0" * 64}).problems[0]
    assert "is not of red" in check_receipts(proof, {**receipts, "side": "red"}).problems[0]


def test_receipts_wait_for_the_secret() -> None:
    game = played(until=8)
    found = check_receipts(prove_lines(lines_of(game)), kept_by(game, "blue"))
    assert (found.problems, found.held) == ([], 0)
    assert "when the secret of the dice is opened" in found.notes[0]


@pytest.mark.parametrize(
    "data", [[], {}, {"flagplot": "receipts"}, kept_by(seated(), "blue") | {"kept": [{"nonce": 7, "receipt": "x"}]}]
)
def test_what_is_no_file_of_receipts_is_refused(data: Any) -> None:
    with pytest.raises(FlagplotError, match="receipt"):
        read_receipts(data)
