"""Operation MO in a browser: the map zooms and moves, a hex gives an order, and a path is drawn by clicking hexes."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from flagplot.awaw.mapboard.reading import read_map
from flagplot.draw.map.ground import UNIT, opened, sheet_of
from tests.table.chromium import Person
from tests.table.servers import Server

OVERLAPS = """() => {
  const shown = [...document.querySelectorAll('.m-names text')].filter((name) => name.getClientRects().length);
  const size = Math.min(...shown.map((name) => parseFloat(getComputedStyle(name).fontSize) * name.getScreenCTM().a));
  const boxes = shown.map((name) => [name.textContent, name.getBoundingClientRect()]);
  const meet = [];
  boxes.forEach(([text, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
    const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (x > 1 && y > Math.min(a.height, b.height) * 0.35) meet.push(`${text} / ${other}`);
  }));
  return { size, meet, names: shown.length };
}"""


def level(page: Page) -> int:
    return int(page.locator("[data-map]").get_attribute("data-level") or -1)


def wide(page: Page) -> float:
    found: float = page.evaluate("document.querySelector('.map-sheet').getBoundingClientRect().width")
    return found


def click_hex(page: Page, place: str) -> None:
    """Click the middle of a hex, wherever it is on the screen."""
    board = read_map("coral-sea")
    sheet = sheet_of(board)
    x, y = sheet.centre(board.find(place))
    area = page.evaluate(
        "() => { const a = document.querySelector('.m-ground').getBoundingClientRect();"
        " return [a.left, a.top, a.width]; }"
    )
    scale = area[2] / sheet.size[0]
    assert UNIT * scale > 20
    page.mouse.click(area[0] + x * scale, area[1] + y * scale)


def drag_and_pinch(page: Page) -> None:
    """The map follows the mouse that drags it, and grows between two fingers."""
    for _ in range(3):
        page.get_by_role("button", name="Zoom in").click()
    box = page.locator(".map-view").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    place = "document.querySelector('.map-view').scrollLeft"
    before = page.evaluate(place)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 40, y, steps=4)
    page.mouse.up()
    assert page.evaluate(place) == before + 40
    small = wide(page)
    fingers = page.context.new_cdp_session(page)
    for kind, apart in (("touchStart", 40), ("touchMove", 60), ("touchMove", 80)):
        points = [{"x": x - apart, "y": y}, {"x": x + apart, "y": y}]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert wide(page) > small
    page.locator(".map-view").focus()
    page.keyboard.press("0")


def test_an_operation_is_ordered_on_the_map_and_its_path_is_drawn_by_clicking(
    person: Callable[..., Person], server: Server
) -> None:
    me = person(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    page = me.go("/new/coral-sea-operation")
    page.get_by_role("group", name="Opponent").get_by_label("A friend, by a link").check()
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("link", name="To the table").click()
    expect(page.locator("#plan")).to_be_visible()
    expect(page.locator(".m-ground")).to_be_visible()

    # the map: all names are legible and apart at every size, by button, wheel and key
    start = wide(page)
    page.get_by_role("button", name="Whole map").click()
    for step in range(4):
        told = page.evaluate(OVERLAPS)
        assert told["meet"] == []
        assert told["size"] >= 11
        assert told["names"] > 10
        if step % 2:
            page.locator(".map-view").focus()
            page.keyboard.press("+")
        else:
            page.get_by_role("button", name="Zoom in").click()
    larger = wide(page)
    assert larger > start
    page.locator(".map-view").hover()
    page.mouse.wheel(0, 400)
    assert wide(page) < larger
    page.keyboard.press("0")
    assert wide(page) < larger / 1.5
    drag_and_pinch(page)

    # what is there, and how far it flies
    click_hex(page, "lae")
    expect(page.locator(".map-card")).to_contain_text("Lae")
    page.locator("#ranges summary").click()
    page.get_by_label("Air range from Rabaul").check()
    expect(page.locator(".m-reach.on")).to_have_count(1)
    page.keyboard.press("Escape")
    page.locator("h1").click()

    # an order by a click on its hex, then the way through Milne Bay
    page.locator('.m-button[data-option="order:carrier-force:0"]').click()
    expect(page.locator('[name="field.order:carrier-force"]:checked')).to_have_value("order:carrier-force:0")
    expect(page.locator("[data-map]")).to_have_attribute("data-field", "way:carrier-force")
    click_hex(page, "milne-bay")
    way = page.locator('.m-way.on[data-option="way:carrier-force:milne-bay"]')
    expect(way).to_be_visible()
    expect(page.locator(".map-card")).to_contain_text("Interception by TF 1 (Allies)")
    path = way.get_attribute("data-hexes")
    before = level(page), wide(page)
    page.locator("#plan button[value=confirm]:not(.unseen)").click()

    # it is announced, and the map stays where it was
    expect(page.locator("#part-map .m-set")).to_have_count(1)
    assert (level(page), wide(page)) == before
    assert path
    sheet = sheet_of(read_map("coral-sea"))
    points = [sheet.centre((int(q), int(r))) for q, r in (at.split(",") for at in path.split())]
    assert page.locator("#part-map .m-set").get_attribute("d") == opened(points)
