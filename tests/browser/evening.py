"""An evening at the table, click by click: works with and without JavaScript, in any language.

Nothing here reads words: pages are operated by the names and ids of their controls, as a form would be.
"""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

WINNER, LOSER = "Ironwatch", "Raiders"
FACES = {WINNER: 18, LOSER: 2}
AFTERMATH = "a.primary[href$='/aftermath/']"
PATIENCE = 40  # steps of dice a short battle may take


class Evening:
    """One person at one browser, who is the GM."""

    def __init__(self, page: Page, name: str = "sella"):
        self.page = page
        self.name = name
        self.campaign = ""
        self.battle = ""

    def submit(self, within: str = "main form") -> None:
        """Press the main button of a form and wait for the page that answers."""
        self.page.locator(f"{within} button.primary").last.click()

    def fill(self, **fields: str) -> None:
        for name, value in fields.items():
            control = self.page.locator(f"main [name='{name}']").first
            if control.evaluate("element => element.tagName") == "SELECT":
                control.select_option(value)
            else:
                control.fill(value)

    def sign_up(self) -> None:
        self.page.goto("/accounts/signup/")
        self.fill(username=self.name, password1="a bridge over Tuskwater", password2="a bridge over Tuskwater")
        self.page.locator("main form[action*='signup'] button, main form button[type=submit]").last.click()
        self.page.wait_for_url(re.compile(r"/$"))

    def open_campaign(self) -> None:
        self.page.goto("/campaigns/new/")
        self.page.locator("#begin [name='name']").fill("Restov marches")
        self.page.locator("#begin button.primary").click()
        self.page.wait_for_url(re.compile(r"/c/[0-9a-f-]+/(\?step=next)?$"))
        self.campaign = self.page.url.partition("?")[0]

    def found_kingdom(self, name: str) -> str:
        self.page.goto(f"{self.campaign}kingdoms/new/")
        self.fill(name=name, economy="20", loyalty="18", stability="20", size="4", treasury="50")
        self.submit()
        self.page.wait_for_url(re.compile(r"/kingdoms/[0-9a-f-]+/$"))
        return self.page.url

    def appoint(self, kingdom: str, name: str) -> None:
        self.page.goto(f"{kingdom}commanders/new/")
        self.fill(name=name, character_class="fighter", level="6", charisma_modifier="2")
        self.submit()
        self.page.wait_for_url(re.compile(r"/commanders/[0-9a-f-]+/$"))

    def raise_army(self, kingdom: str, name: str, leader: str, count: str, cr: str) -> None:
        self.page.goto(f"{kingdom}armies/new/")
        option = self.page.locator("select[name='commander'] option", has_text=leader).get_attribute("value")
        self.fill(name=name, count=count, unit_name="Spearman", cr=cr, commander=option or "")
        self.submit("#army-form")
        self.page.wait_for_url(re.compile(r"/armies/[0-9a-f-]+/$"))

    def set_up_battle(self) -> None:
        self.page.goto(f"{self.campaign}battles/new/")
        self.fill(name="The ford")
        for army, side in ((WINNER, 0), (LOSER, 1)):  # both kingdoms are seated already
            expect(self.page.locator(f"#side-{side} .seats")).to_contain_text(army)
        self.page.locator("input[name='rain']").check()
        self.page.locator("#open-battle").click()
        self.page.wait_for_url(re.compile(r"/battles/[0-9a-f-]+/$"))
        self.battle = self.page.url

    def muster(self) -> None:
        """Everything up to the first battle, between armies that stand a melee phase."""
        self.sign_up()
        self.open_campaign()
        for kingdom, leader, army, count, cr in (
            ("Crown", "Ysolde", WINNER, "500", "1"),
            ("Horde", "Gruk", LOSER, "500", "1"),
        ):
            address = self.found_kingdom(kingdom)
            self.appoint(address, leader)
            self.raise_army(address, army, leader, count, cr)
        self.set_up_battle()

    # the battle
    def press(self, button: Locator, box: str = "#battle") -> None:
        """Press a button and wait until the part of the page it belongs to has been drawn anew."""
        self.page.locator(box).evaluate("element => element.setAttribute('data-before', '')")
        button.click()
        self.page.wait_for_selector(f"{box}:not([data-before])")

    def phase(self) -> str:
        return self.page.locator(".phases [aria-current='step']").inner_text()

    def resolve(self) -> None:
        """Press the button that goes on: the next phase begins."""
        before = self.phase()
        self.press(self.page.locator("#go"))
        assert self.phase() != before

    def order(self, army: str, **fields: str) -> None:
        """Give an order: its lock closes."""
        card = self.page.get_by_role("article", name=army, exact=True)
        self.press(card.locator("h3 a"))
        form = self.page.locator("form.order-form")
        for name, value in fields.items():
            if name in ("strategy", "target"):
                form.locator(f"input[name='{name}'][value='{value}']").check(force=True)
            else:
                form.locator(f"select[name='{name}']").select_option(value)
        self.press(self.page.locator("button.give"))
        expect(card.locator(".lock.in")).to_be_visible()

    def type_dice(self) -> None:
        """Resolve the phase with dice typed, step by step, as they are asked for."""
        before = self.phase()
        self.throw("typed")
        self.press(self.page.locator("#go"))
        for _step in range(PATIENCE):
            if not self.fill_dice("#battle"):
                break
        assert self.phase() != before

    def fill_dice(self, box: str) -> bool:
        """Type what is asked for; False when nothing is."""
        asked = self.page.locator(f"{box} .dice-rows > li").all()
        if not asked:
            return False
        for row in asked:
            text = row.inner_text()
            face = FACES[WINNER if WINNER in text.partition("\n")[0] else LOSER]
            die = re.search(r"d(\d+)", text)
            assert die, text
            row.locator("input[name='face']").fill(str(min(face, int(die[1]))))
        self.press(self.page.locator(f"{box} #apply-dice"), box)
        return True

    def throw(self, how: str) -> None:
        """Who throws the dice from now on: the server, or the table ("typed")."""
        if self.page.locator(f"#dice-{how}[aria-pressed='false']").count():
            self.press(self.page.locator(f"#dice-{how}"))

    def fight_to_the_end(self) -> None:
        for _phase in range(PATIENCE):
            if self.page.locator(AFTERMATH).count():
                return
            self.type_dice()
        raise AssertionError("the battle goes on and on")

    # afterwards
    def settle(self) -> None:
        """The aftermath, its dice typed, confirmed."""
        self.page.locator(AFTERMATH).first.click()
        self.page.wait_for_selector("#aftermath .dice-rows")  # who types their dice is asked for these too
        assert self.fill_dice("#aftermath")
        self.press(self.page.locator("#confirm"), "#aftermath")
        expect(self.page.locator("#aftermath .warline .badge.good")).to_be_visible()

    def take_back(self) -> None:
        self.press(self.page.locator("#undo-aftermath"), "#aftermath")
        expect(self.page.locator("#confirm")).to_be_visible()
