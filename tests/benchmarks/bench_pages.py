"""What a page costs beside a minimal Django view of thirty rows from one query, on the same server in the same run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from html.parser import HTMLParser
from time import perf_counter
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from armies.models import Army
from armies.weeks import services as time
from battles.models import Battle
from battles.pathfinder.demo import load_demo
from battles.play import services as play_services
from battles.setup.services import open_battle
from core.live import notify_campaign
from kingdom.campaign.services import update_campaign
from kingdom.map.services import claim_hexes, configure_map, make_map
from kingdom.models import Campaign, Kingdom, User
from kingdom.realms.services import assign_player
from rules.hexes.geometry import at_place, label_of
from rules.hexes.mapfile import blank, document
from rules.hexes.terrain import OF_TRAVEL, MapKind
from rules.pathfinder.battle.orders.commands import GiveOrder, Next, Override, Resolve
from rules.pathfinder.battle.state.battle_state import Order
from tests.battles.conftest import RAIDER, SPEARMAN, make_table, muster
from tests.battles.steady import Steady
from tests.benchmarks import Row
from tests.benchmarks.bench_weeks import campaign_of
from tests.benchmarks.serving import HTMX, TURNS, WARM, asking, cookies_of, fastest, warhost
from tests.config.web.wire import Wire
from tests.kingdom.conftest import make_user, seat

ROWS = "/bench/rows/"
MANY, KINGDOMS, ON_MAP = 2_000, 50, 200
QUERIES = 15
DEMO, LARGE = 10, 30  # times what a minimal view costs: a page of the demonstration, of a great campaign


def bench_battle_page() -> Iterator[Row]:
    """Two against two: the page, its refresh after a phase; a duel late in a long battle and early in one."""
    gm = _gm()
    table = make_table(gm)
    field = _fought(gm, table, 2, phases=4)
    young, old = (_fought(gm, table, 1, phases=phases, orders=True) for phases in (3, 167))
    with warhost() as url:
        cookies = cookies_of(gm)
        works = {"rows": asking(url, ROWS)} | {
            str(battle.pk): asking(url, _address(battle), cookies) for battle in (field, young, old)
        }
        found = fastest(works)
        yield _times("battle page, 2 against 2", found[str(field.pk)], found["rows"], DEMO)
        yield _refreshed(gm, url, field, works["rows"], cookies)
        name = f"a duel's page at version {old.version} / at version {young.version}"
        yield Row(name, found[str(old.pk)] / found[str(young.pk)], 1.2, "lower")
        yield from _queries(gm, {"battle": _address(field), "battle, its log": f"{_address(old)}log/?before=200"})


def bench_large_battle() -> Iterator[Row]:
    """Forty armies after sixty phases."""
    gm = _gm()
    battle = _fought(gm, make_table(gm), 20, phases=60)
    with warhost() as url:
        works = {"rows": asking(url, ROWS), "page": asking(url, _address(battle), cookies_of(gm))}
        found, page = fastest(works), works["page"]()
        yield _times("battle page, 40 armies after 60 phases", found["page"], found["rows"], 25)
        yield Row("battle page, 40 armies after 60 phases, KB raw", len(page.body) / 1000, 250, "lower")
        yield Row("battle page, 40 armies after 60 phases, nodes", _nodes(page.text), 8_000, "lower")
        yield from _queries(gm, {"battle of 40 armies": _address(battle)})


def bench_campaign_pages() -> Iterator[Row]:
    """The pages of a campaign: the demonstration's, and those of fifty kingdoms with two thousand armies."""
    gm = _gm()
    demo = load_demo(owner=gm)
    many = campaign_of(gm, MANY, KINGDOMS)
    time.confirm_time(by=gm, campaign=many, days=7, day=many.day)
    with warhost() as url:
        cookies = cookies_of(gm)
        addresses = {
            (campaign.pk, name): path
            for campaign in (demo, many)
            for name, path in (*_pages(campaign), *_of_an_army(campaign), *_typed(campaign))
        }
        works = {"rows": asking(url, ROWS)} | {path: asking(url, path, cookies) for path in addresses.values()}
        found = fastest(works)
        for (campaign, name), path in addresses.items():
            much, most = (f"{KINGDOMS} kingdoms and {MANY:,} armies", LARGE) if campaign == many.pk else ("demo", DEMO)
            yield _times(f"{name}, {much}", found[path], found["rows"], most)
        pages = {f"{name}, demo": path for name, path in (*_pages(demo), *_of_an_army(demo))}
        yield from _looked_again(gm, url, demo, works["rows"], cookies, pages)
        setup = works[addresses[many.pk, "set-up"]]()
        yield Row(f"set-up with {MANY:,} armies, KB raw", len(setup.body) / 1000, 150, "lower")
        yield from _queries(gm, {f"{name} of many": path for (pk, name), path in addresses.items() if pk == many.pk})


def bench_map() -> Iterator[Row]:
    """A map of 60 × 40 hexes, half of them claimed, with two hundred armies: for the GM, and under fog for a player."""
    gm = _gm()
    campaign = _mapped(gm)
    player = seat(gm, campaign, make_user("player"), "player")
    assign_player(by=gm, kingdom=campaign.kingdoms.order_by("id")[0], player=player)
    path = f"/c/{campaign.pk}/map/"
    with warhost() as url:
        works = {"rows": asking(url, ROWS), "map": asking(url, path, cookies_of(gm))}
        for wake in works.values():  # the first answer of all takes as long as the server takes to wake
            wake()
        found, page = fastest(works), works["map"]()
        yield _times("map of 60 × 40 hexes with 200 armies", found["map"], found["rows"], DEMO)
        yield Row("map of 60 × 40 hexes with 200 armies, KB raw", len(page.body) / 1000, 300, "lower")
        yield from _looked_again(gm, url, campaign, works["rows"], cookies_of(gm), {"map of 200 armies": path})
        configure_map(by=gm, campaign=campaign, fog=True)
        works = {"rows": works["rows"], "map": asking(url, path, cookies_of(player))}
        found = fastest(works)
        yield _times("the same map under fog", found["map"], found["rows"], DEMO)
        yield from _queries(player, {"map under fog": path})


def _mapped(gm: User) -> Campaign:
    """Four kingdoms with fifty armies each on a map of many kinds of ground."""
    campaign = campaign_of(gm, ON_MAP, 4)
    field = blank("Marches", MapKind.CAMPAIGN, 60, 40)
    letters = [terrain.letter for terrain in OF_TRAVEL]
    rows = ["".join(letters[(column // 3 + row // 2 * 5) % len(letters)] for column in range(60)) for row in range(40)]
    make_map(by=gm, campaign=campaign, document={**document(field), "terrain": rows})
    for place, kingdom in enumerate(campaign.kingdoms.order_by("id")):
        corner = 15 * place
        hexes = [label_of(at_place(corner + column, row)) for row in range(30) for column in range(10)]
        claim_hexes(by=gm, campaign=campaign, kingdom=kingdom, hexes=hexes)
    for number, pk in enumerate(Army.objects.filter(campaign=campaign).order_by("pk").values_list("pk", flat=True)):
        Army.objects.filter(pk=pk).update(hex=label_of(at_place(number * 7 % 60, number * 11 % 40)))
    return campaign


def _gm() -> User:
    """Somebody, and thirty more for the rows."""
    User.objects.bulk_create(User(username=f"row {number}") for number in range(30))
    return User.objects.create_user(username="gm")


def _fought(gm: User, table: Any, each: int, *, phases: int, orders: bool = False) -> Battle:
    """A battle of `each` armies a side, fought so many phases without anybody falling."""
    sides = [
        {"name": name, "armies": [str(muster(gm, kingdom, f"{name} {n}", unit, 2000).pk) for n in range(each)]}
        for name, kingdom, unit in (("Crown", table.crown, SPEARMAN), ("Horde", table.horde, RAIDER))
    ]
    battle = open_battle(by=gm, campaign=table.campaign, name="The ford", sides=sides)
    armies = [army for side in sides for army in side["armies"]]
    walls: Sequence[Any] = [Override(army, "dv", 50, "Walls") for army in armies]
    battle = played(gm, battle, *walls, Next(), Resolve(), Resolve())
    for number in range(phases):
        strategy = "aggressive" if number % 2 else "cautious"
        given = [GiveOrder(Order(armies[0], strategy=strategy))] if orders else []
        battle = played(gm, battle, *given, Resolve())
    return battle


def played(gm: User, battle: Battle, *commands: Any) -> Battle:
    for command in commands:
        done = play_services.play(by=gm, battle_id=battle.pk, version=battle.version, command=command, server=Steady())
        battle = done.battle
    return battle


def _refreshed(gm: User, url: str, battle: Battle, rows: Callable[[], object], cookies: str) -> Row:
    """What a page that watches asks for once a phase has been resolved, each time of a new state."""
    ask, taken, bare = asking(url, _address(battle), cookies, HTMX), [], []
    for turn in range(WARM + TURNS):
        battle = played(gm, battle, Resolve())
        bare.append(_seconds(rows))
        taken.append((_seconds(ask), turn))
    best = min(seconds for seconds, turn in taken if turn >= WARM)
    return _times("refresh after a phase, 2 against 2", best, min(bare[WARM:]), DEMO)


def _looked_again(
    gm: User, url: str, campaign: Campaign, rows: Callable[[], object], cookies: str, pages: Mapping[str, str]
) -> Iterator[Row]:
    """What pages that follow the campaign ask for once something has been done: what touches the page, and what does
    not, each time of a new state; in turns.
    """
    wire = Wire(url)
    for name, path in pages.items():
        touched, untouched, bare = [], [], []

        def look(seen: str, status: int, path: str = path) -> float:
            started = perf_counter()
            assert wire.ask(path, cookies, HTMX, f"Live-Seen: {seen}").status == status, path
            return perf_counter() - started

        for turn in range(WARM + TURNS):
            update_campaign(by=gm, campaign=campaign, name=f"The marches {turn}")
            bare.append(_seconds(rows))
            touched.append(look("what it showed before", 200))
            shown = wire.ask(path, cookies).text.partition('data-seen="')[2].partition('"')[0]
            notify_campaign(campaign.pk)
            untouched.append(look(shown, 204))
        yield _times(f"refresh of {name} that a change touches", min(touched[WARM:]), min(bare[WARM:]), DEMO)
        yield _times(f"refresh of {name} that none touches", min(untouched[WARM:]), min(bare[WARM:]), DEMO)


def _seconds(work: Callable[[], object]) -> float:
    started = perf_counter()
    work()
    return perf_counter() - started


def _times(name: str, seconds: float, bare: float, target: float) -> Row:
    return Row(f"{name} ({1000 * seconds:.1f} ms) / 30 rows ({1000 * bare:.1f} ms)", seconds / bare, target, "lower")


def _pages(campaign: Campaign) -> Iterator[tuple[str, str]]:
    base = f"/c/{campaign.pk}/"
    kingdom = Kingdom.objects.filter(campaign=campaign).order_by("name").first()
    assert kingdom is not None
    yield "campaign", base
    yield "kingdom", f"/kingdoms/{kingdom.pk}/"
    yield "units", f"{base}units/"
    yield "chronicle", f"{base}chronicle/"
    yield "time", f"{base}time/"
    if Army.objects.filter(campaign=campaign).count() >= MANY:
        yield "set-up", f"{base}battles/new/"


def _typed(campaign: Campaign) -> Iterator[tuple[str, str]]:
    """What the search of every page asks for with every letter."""
    yield "search while typing", f"/find/choices/?q=le&campaign={campaign.pk}"


def _of_an_army(campaign: Campaign) -> Iterator[tuple[str, str]]:
    yield "army", f"/armies/{_first_army(campaign).pk}/"


def _first_army(campaign: Campaign) -> Army:
    """That no battle holds."""
    army = Army.objects.filter(campaign=campaign).exclude(seats__battle__status__in=Battle.OPEN).order_by("pk").first()
    assert army is not None
    return army


def _address(battle: Battle) -> str:
    return f"/battles/{battle.pk}/"


def _queries(user: User, addresses: dict[str, str]) -> Iterator[Row]:
    """Of pages that were asked for before, in a session whose first page was another: that one notes when it was."""
    client = Client()
    client.force_login(user)
    client.get("/")
    for name, path in addresses.items():
        with _counted() as counted:
            assert client.get(path).status_code == 200, path
        yield Row(f"{name}, queries", len(counted), QUERIES, "lower")


@contextmanager
def _counted() -> Iterator[CaptureQueriesContext]:
    with CaptureQueriesContext(connection) as counted:
        yield counted


class _Counter(HTMLParser):
    """Elements, and texts that are more than space."""

    nodes = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.nodes += 1

    def handle_data(self, data: str) -> None:
        self.nodes += bool(data.strip())


def _nodes(text: str) -> int:
    counter = _Counter()
    counter.feed(text)
    return counter.nodes
