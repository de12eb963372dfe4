"""Parts of pages that look again: neither asked for nor drawn where nothing they show has changed, and never stale."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.template import Context, Template, TemplateSyntaxError
from django.test.utils import CaptureQueriesContext
from django.utils.safestring import mark_safe

from armies.models import Army
from armies.pathfinder.armies import page as armies_page
from armies.pathfinder.forces import slots as law_panels
from core.lru_cache import LRUCache
from kingdom.campaign.services import update_campaign
from kingdom.live import conditional, fragments
from kingdom.live.fingerprints import KnownRows, record_queries, reread
from kingdom.live.fragments import Parts, defer, draw_fragment
from kingdom.models import Campaign, Kingdom, User
from kingdom.realms import views
from kingdom.realms.services import update_kingdom
from kingdom.realms.treasury_services import record_entry
from rules.core.errors import Refusal
from tests.everyday import at_most, everyday
from tests.kingdom.live.test_fingerprints import DEEDS, look, looked_at, objects, reader, restov, told  # noqa: F401
from tests.kingdom.live.test_following import seen

PAGE = b"page"


@pytest.fixture(autouse=True)
def _nothing_kept():
    conditional.clear_pages()
    yield
    conditional.clear_pages()


class Draws:
    """Draws a part and counts how often."""

    def __init__(self, show: Callable[[], Any]):
        self.count, self.show = 0, show

    def __call__(self) -> Any:
        self.count += 1
        return mark_safe(f"<p>{self.show()}</p>")


def drawn(draw: Callable[[], Any], *, page: bytes = PAGE, first: Callable[[], Any] = lambda: None, keep: bool = False):
    """The part on a page that looks again, drawn after this was read."""
    with record_queries() as recorder:
        first()
        return Parts(page, recorder, again=not keep).drawn("it", draw)


def treasury(kingdom: Kingdom) -> Any:
    return Kingdom.objects.values_list("treasury", flat=True).get(pk=kingdom.pk)


# One part


def test_a_part_is_drawn_again_only_where_its_own_rows_differ(restov):  # noqa: F811
    draw = Draws(partial(treasury, restov.crown))
    assert drawn(draw) == drawn(draw)
    assert draw.count == 1
    record_entry(by=restov.gm, kingdom=restov.horde, amount=7, reason="Another's")
    drawn(draw)
    assert draw.count == 1
    record_entry(by=restov.gm, kingdom=restov.crown, amount=7, reason="Tolls")
    assert drawn(draw) == f"<p>{treasury(restov.crown)}</p>"
    assert draw.count == 2


def test_a_part_is_drawn_again_where_what_was_read_before_it_differs(restov):  # noqa: F811
    had: dict[str, Any] = {}

    def read() -> None:
        had["it"] = treasury(restov.crown)

    draw = Draws(lambda: had["it"])
    drawn(draw, first=read), drawn(draw, first=read)
    assert draw.count == 1
    record_entry(by=restov.gm, kingdom=restov.crown, amount=7, reason="Tolls")
    assert drawn(draw, first=read) == f"<p>{treasury(restov.crown)}</p>"


def test_nobody_is_given_a_part_of_another_page_and_no_page_that_is_new_one_that_was_kept(restov):  # noqa: F811
    draw = Draws(partial(treasury, restov.crown))
    drawn(draw), drawn(draw, page=b"another"), drawn(draw, keep=True)
    assert draw.count == 3


def test_a_part_that_tells_a_campaign_by_name_follows_its_name_and_others_do_not(restov):  # noqa: F811
    def campaign() -> Campaign:
        return Campaign.objects.get(pk=restov.campaign.pk)

    names, days = Draws(lambda: campaign().name), Draws(lambda: campaign().day)
    named, dated = partial(drawn, names, page=b"names"), partial(drawn, days, page=b"days")
    named(), dated()
    update_campaign(by=restov.gm, campaign=restov.campaign, name='Tom & Jerry’s "marches" <1>')
    assert named() == '<p>Tom & Jerry’s "marches" <1></p>'
    dated()
    assert (names.count, days.count) == (2, 1)
    named(), dated()
    assert (names.count, days.count) == (2, 1)
    Campaign.objects.filter(pk=restov.campaign.pk).update(day=77)
    assert dated() == "<p>77</p>"


def test_a_name_that_is_escaped_is_found(restov):  # noqa: F811
    update_campaign(by=restov.gm, campaign=restov.campaign, name="Tom & Jerry’s <marches>")
    show = Draws(lambda: Template("{{ name }}").render(Context({"name": Campaign.objects.get().name})))
    drawn(show)
    update_campaign(by=restov.gm, campaign=restov.campaign, name="The marches")
    assert drawn(show) == "<p>The marches</p>"


@pytest.mark.parametrize(
    "work",
    [lambda: Kingdom.objects.update(alignment="NG"), lambda: list(Kingdom.objects.iterator())],
)
def test_a_part_that_does_more_than_read_rows_is_not_kept_nor_what_follows_it(restov, work):  # noqa: F811
    draw, after = Draws(work), Draws(partial(treasury, restov.crown))
    for _time in range(2):
        with record_queries() as recorder:
            page = Parts(PAGE, recorder, again=True)
            page.drawn("it", draw), page.drawn("after", after)
    assert (draw.count, after.count) == (2, 2)


def test_a_part_in_a_part_is_kept_by_itself_and_what_it_read_is_read_by_the_one_around(restov):  # noqa: F811
    inner, names = Draws(partial(treasury, restov.crown)), []

    def around(page: Parts) -> Any:
        told = page.drawn("inner", inner)
        names.append(Kingdom.objects.values_list("name", flat=True).get(pk=restov.horde.pk))
        return mark_safe(told + names[-1])

    def page() -> Any:
        with record_queries() as recorder:
            found = Parts(PAGE, recorder, again=True)
            return found.drawn("outer", partial(around, found))

    page(), page()
    assert (inner.count, len(names)) == (1, 1)
    update_kingdom(by=restov.gm, kingdom=restov.horde, name="The Great Horde")
    assert page().endswith("The Great Horde")
    assert (inner.count, len(names)) == (1, 2)
    record_entry(by=restov.gm, kingdom=restov.crown, amount=7, reason="Tolls")
    assert page().startswith(f"<p>{treasury(restov.crown)}</p>")
    assert (inner.count, len(names)) == (2, 3)


def _found(restov: Any) -> Campaign:  # noqa: F811
    return Campaign.objects.get(pk=restov.campaign.pk)


def test_whether_parts_are_as_they_were_is_asked_once_however_many_read_the_same(restov):  # noqa: F811
    inner = Draws(partial(treasury, restov.crown))

    def around(page: Parts) -> Any:
        told = page.drawn("inner", inner)
        return mark_safe(told + Kingdom.objects.values_list("name", flat=True).get(pk=restov.horde.pk))

    def page() -> Any:
        with record_queries() as recorder:
            _found(restov)
            shown = Parts(PAGE, recorder, again=True)
            return shown.drawn("outer", partial(around, shown))

    page()
    update_kingdom(by=restov.gm, kingdom=restov.horde, name="The Great Horde")
    with CaptureQueriesContext(connection) as counted:
        assert page().endswith("The Great Horde")
    asked = [query["sql"].partition(" FROM ")[0] for query in counted.captured_queries]
    assert inner.count == 1
    assert [sum(f'"{column}"' in sql for sql in asked[1:]) for column in ("treasury", "name")] == [1, 2]


def _named(restov: Any) -> Campaign:  # noqa: F811
    """Found by another question."""
    return Campaign.objects.get(pk=restov.campaign.pk, name=restov.campaign.name)


@pytest.mark.parametrize("moved", [True, False])
def test_what_was_answered_before_the_page_was_found_holds_at_its_revision_only(restov, moved):  # noqa: F811
    draw = Draws(partial(treasury, restov.crown))
    with record_queries() as recorder:
        revision = _found(restov).revision
        was = Parts(PAGE, recorder, again=False).drawn("it", draw)
    answers = KnownRows()
    assert reread(recorder.reads(revision), answers) == revision
    if moved:
        record_entry(by=restov.gm, kingdom=restov.crown, amount=7, reason="Tolls")
    with record_queries(answers) as recorder:
        shows = (_named if moved else _found)(restov).revision
        with CaptureQueriesContext(connection) as counted:
            now = Parts(PAGE, recorder, again=True).drawn("it", draw)
    assert (now != was, shows > revision, len(counted) > 0) == (moved, moved, moved)
    assert now == f"<p>{treasury(restov.crown)}</p>"


def test_what_was_read_to_see_whether_a_page_has_changed_is_not_asked_again_by_it(restov):  # noqa: F811
    """What changes in between raises the revision over the one it shows, so it looks again."""

    def asked(of: list[str]) -> tuple[str, int]:
        purse = Kingdom.objects.values_list("treasury", flat=True).order_by("pk")
        found = _found(restov), Kingdom.objects.get(pk=restov.crown.pk), list(purse.all()), list(purse.all())
        of.append(str(found[1:]))
        return of[-1], found[0].revision

    def sent(execute: Any, *given: Any) -> Any:
        reached.append(given[0])
        return execute(*given)

    told: list[str] = []
    with record_queries() as recorder:
        _told, revision = asked(told)
    reads, answers, reached = recorder.reads(revision), KnownRows(), list[str]()
    record_entry(by=restov.gm, kingdom=restov.horde, amount=7, reason="Tolls")
    assert reread(reads, answers) is None
    with record_queries(answers) as recorder, connection.execute_wrapper(sent):
        now, shows = asked(told)
    assert now != told[0]
    assert [sql.count('"treasury"') > 0 for sql in reached] == [True]  # once more: the rows of the first have been read
    assert recorder.reads(shows) == _read_anew(partial(asked, told))


def _read_anew(work: Callable[[], tuple[str, int]]) -> Any:
    with record_queries() as recorder:
        _told, revision = work()
    return recorder.reads(revision)


def test_what_changes_after_an_answer_raises_the_revision_the_page_shows(restov):  # noqa: F811
    """So it looks again, and is not taken for what it would be drawn as then."""
    first, second = Draws(partial(treasury, restov.crown)), Draws(partial(treasury, restov.crown))

    def page(between: Callable[[], Any] = lambda: None) -> Any:
        with record_queries() as recorder:
            revision, shown = _found(restov).revision, Parts(PAGE, recorder, again=True)
            drawn = shown.drawn("first", first)
            between()
            return recorder.reads(revision), drawn + shown.drawn("second", second)

    def another() -> None:
        """In a request of its own."""
        Kingdom.objects.filter(pk=restov.crown.pk).update(treasury=77)
        Campaign.objects.filter(pk=restov.campaign.pk).update(revision=F("revision") + 1)

    page()
    reads, before = page(between=partial(unrecorded, another))
    assert before.count(f"<p>{restov.crown.treasury}</p>") == 2
    assert _found(restov).revision == reads.revision + 1
    assert reread(reads) is None
    assert page()[1].count("<p>77</p>") == 2


def unrecorded(work: Callable[[], Any]) -> None:
    """As if somebody else did it."""
    wrappers, connection.execute_wrappers = connection.execute_wrappers, []
    try:
        work()
    finally:
        connection.execute_wrappers = wrappers


def test_without_a_revision_that_would_be_told_of_a_change_every_part_asks_for_itself(restov):  # noqa: F811
    first, second = Draws(partial(treasury, restov.crown)), Draws(partial(treasury, restov.crown))
    for change in (False, True):
        with record_queries() as recorder:
            shown = Parts(PAGE, recorder, again=True)
            shown.drawn("first", first)
            if change:
                unrecorded(lambda: Kingdom.objects.filter(pk=restov.crown.pk).update(treasury=77))
            told = shown.drawn("second", second)
    assert (first.count, second.count, told) == (1, 2, "<p>77</p>")


def test_parts_are_drawn_anew_after_a_while_and_large_ones_always(restov, monkeypatch):  # noqa: F811
    draw = Draws(partial(treasury, restov.crown))
    drawn(draw)
    monkeypatch.setattr(fragments, "TRUST", -1)
    drawn(draw)
    assert draw.count == 2
    monkeypatch.undo()
    monkeypatch.setattr(fragments, "BODY", 3)
    drawn(draw, page=b"large"), drawn(draw, page=b"large")
    assert draw.count == 4


def test_a_page_is_as_old_as_its_oldest_part(restov, monkeypatch):  # noqa: F811
    draw = Draws(partial(treasury, restov.crown))
    drawn(draw)
    with record_queries() as recorder:
        page = Parts(PAGE, recorder, again=True)
        began = page.at
        page.drawn("it", draw)
    assert page.at < began


def test_what_is_shown_later_is_asked_for_once_and_says_that_it_could_not_be():
    asked: list[int] = []
    found = defer(lambda: asked.append(1) or {"a": 3}, known="this")
    assert Template("{{ found.known }}").render(Context({"found": found})) == found.known == "this"
    assert asked == []
    assert (found["a"], found["a"], asked) == (3, 3, [1])
    with pytest.raises(RuntimeError, match="could not be asked for"):
        Template("{{ page.name }}").render(Context({"page": defer(lambda: {}["name"])}))


def test_a_part_has_a_name():
    for wrong in ("part", 'part "it" below', 'part "it" aside below'):
        with pytest.raises(TemplateSyntaxError, match="name"):
            Template(f"{{% load live %}}{{% {wrong} %}}{{% endpart %}}")


def test_a_part_drawn_aside_is_shown_below():
    page = Template('{% load live %}{% part "it" aside %}<p>{% endpart %}below: {{ it_part }}')
    assert page.render(Context()) == "below: <p>"


def test_without_a_page_that_looks_again_a_part_is_drawn():
    assert draw_fragment(None, "it", lambda: mark_safe("<p>")) == "<p>"


# Pages


def test_another_name_of_the_campaign_has_no_figure_of_a_kingdom_asked_for(restov, monkeypatch):  # noqa: F811
    client, path, asked = reader(restov.gm), f"/kingdoms/{restov.crown.pk}/", []
    sheet = views.kingdom_sheet
    monkeypatch.setattr(views, "kingdom_sheet", lambda kingdom: asked.append(kingdom) or sheet(kingdom))
    mark = seen(client.get(path).text)
    update_campaign(by=restov.gm, campaign=restov.campaign, name="The marches")
    page = look(client, path, mark)
    assert (page.status_code, len(asked)) == (200, 1)
    assert ">The marches</a>" in page.text
    update_kingdom(by=restov.gm, kingdom=restov.crown, economy=44)
    assert look(client, path, mark).status_code == 200
    assert len(asked) == 2


def test_another_name_of_the_campaign_has_no_sheet_of_an_army_reckoned(restov, monkeypatch):  # noqa: F811
    client, path = reader(restov.gm), f"/armies/{restov.watch.pk}/"
    asked = Asked(monkeypatch, armies_page, "build_sheet")
    mark = seen(client.get(path).text)
    before = asked.count["build_sheet"]
    update_campaign(by=restov.gm, campaign=restov.campaign, name="The marches")
    told = look(client, path, mark)
    assert (told.status_code, asked.count["build_sheet"]) == (200, before)
    assert ">The marches</a>" in told.text


class Asked:
    """How often what a module calls by these names is called."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, module: Any, *names: str):
        self.count = dict.fromkeys(names, 0)
        for name in names:
            monkeypatch.setattr(module, name, partial(self._called, name, getattr(module, name)))

    def _called(self, name: str, work: Callable[..., Any], *given: Any, **more: Any) -> Any:
        self.count[name] += 1
        return work(*given, **more)


@pytest.mark.parametrize("who", everyday(["bo", "gm"], first=1))
def test_a_wound_has_only_the_figures_of_its_army_drawn_again(restov, who, monkeypatch):  # noqa: F811
    client, path = reader(getattr(restov, who)), f"/armies/{restov.spare.pk}/"
    rest = "market", "ability_lines", "candidates_for", "kingdom_stores", "compute_recovery", "compute_speed"
    asked, figures = Asked(monkeypatch, armies_page, *rest), Asked(monkeypatch, armies_page, "list_warnings")
    mark, most = seen(client.get(path).text), restov.spare.health_max
    assert set(asked.count.values()) == {1}
    for turn, health in enumerate((1, most // 2, most), 2):
        Army.objects.filter(pk=restov.spare.pk).update(health=health)
        page = look(client, path, mark)
        assert (page.status_code, f"<b> {health} <small>" in " ".join(page.text.split())) == (200, True)
        assert (set(asked.count.values()), figures.count["list_warnings"]) == ({1}, turn)
        assert told(page) == told(apart(client, path))
        mark = seen(page.text)
        for name in asked.count:
            asked.count[name], figures.count["list_warnings"] = 1, turn  # what was drawn apart


@pytest.mark.parametrize("who", everyday(["bo", "gm"], first=1))
def test_a_wound_has_nothing_of_its_kingdom_drawn_again_but_its_armies(restov, who, monkeypatch):  # noqa: F811
    client, path = reader(getattr(restov, who)), f"/kingdoms/{restov.horde.pk}/"
    sheet, dues = Asked(monkeypatch, views, "kingdom_sheet"), Asked(monkeypatch, law_panels, "dues_of")
    armies = Asked(monkeypatch, law_panels, "kingdom_roster")
    mark = seen(client.get(path).text)
    Army.objects.filter(pk=restov.spare.pk).update(health=1)
    page = look(client, path, mark)
    assert page.status_code == 200
    assert (sheet.count, dues.count, armies.count) == ({"kingdom_sheet": 1}, {"dues_of": 1}, {"kingdom_roster": 2})
    assert told(page) == told(apart(client, path))


ENDS = {"a role", "a seat", "a kingdom taken", "a kingdom handed over"}  # after which somebody can do less


def test_one_change_after_another_gives_each_reader_what_would_be_drawn_for_him(restov):  # noqa: F811
    """What was kept of earlier states stays there all the while. Every day each page for one of two."""
    pages = looked_at(restov)
    each = dict.fromkeys(("ana", "bo", "gm", "viewer"), pages)
    shown = at_most({"ana": pages[::2], "gm": pages[1::2]}, full=each)
    readers = {name: reader(getattr(restov, name)) for name in shown}
    places = [(name, path) for name, paths in shown.items() for path in paths]
    for name, path in places:
        readers[name].get(path)
    for deed in sorted(DEEDS, key=lambda deed: deed in ENDS)[:: at_most(13, full=1)]:
        with suppress(Refusal):  # what an earlier one made impossible
            DEEDS[deed](type(restov)(**{name: objects(found) for name, found in vars(restov).items()}))
        for name, path in places:
            was = told(look(readers[name], path, "something else"))
            assert was == told(apart(readers[name], path)), (deed, name, path)


def apart(client: Any, path: str) -> Any:
    """What is drawn where nothing is kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conditional, "_drawn", LRUCache(1))
        patch.setattr(fragments, "_drawn", LRUCache(1))
        return look(client, path, "something else")


def test_of_several_people_none_is_given_what_another_may_know(restov):  # noqa: F811
    secret, path = "Xanthippe’s toll", f"/kingdoms/{restov.crown.pk}/"
    record_entry(by=restov.gm, kingdom=restov.crown, amount=3, reason=secret)
    pages = {}
    for _time in range(2):
        for who in ("gm", "ana", "bo"):
            client = reader(User.objects.get(pk=getattr(restov, who).pk))
            client.get(path)
            pages[who] = look(client, path, "something else").text
    assert {who for who, page in pages.items() if secret in page} == {"gm", "ana"}
