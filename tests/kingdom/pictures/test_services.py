"""Pictures are uploaded, replaced, removed and undone; whoever does not see a thing does not see its picture."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404

from armies.forces.services import reveal_army
from armies.models import Army
from armies.pathfinder.commanders.services import remove_commander
from kingdom.chronicle.changes import undo
from kingdom.chronicle.queries import latest_for, list_visible_changes
from kingdom.chronicle.services import undo_last
from kingdom.models import ChronicleEntry, Picture
from kingdom.pictures import services
from kingdom.pictures.queries import get_picture, list_visible_pictures
from kingdom.pictures.services import remove_picture, save_picture
from rules.core.errors import IllegalCommand, InvalidInput
from tests.pictures_sent import make_picture

pytestmark = pytest.mark.django_db

RED, BLUE, GREEN = (make_picture("PNG", color=color) for color in ("red", "blue", "green"))


def give(war, kind, key, sent=RED, by=None):
    return save_picture(by=by or war.gm, campaign=war.campaign, kind=kind, key=str(key), sent=sent)


def shown(war, user=None):
    return {(one.kind, one.key): one.digest for one in list_visible_pictures(user or war.gm, war.campaign)}


def test_a_new_picture_takes_the_place_of_the_old_one_and_undo_brings_that_back(war):
    ref = "kingdom", str(war.crown.pk)
    red = give(war, *ref, by=war.ana)
    blue = give(war, *ref, BLUE, by=war.ana)
    assert shown(war) == {ref: blue.digest}
    undo_last(by=war.gm, campaign=war.campaign)
    assert shown(war) == {ref: red.digest}
    undo_last(by=war.gm, campaign=war.campaign)
    assert shown(war) == {}


def test_what_was_shown_before_may_be_shown_again_and_undone(war):
    ref = "commander", str(war.vell.pk)
    for sent in (RED, BLUE, RED):
        last = give(war, *ref, sent)
    undo_last(by=war.gm, campaign=war.campaign)
    assert shown(war)[ref] != last.digest
    undo_last(by=war.gm, campaign=war.campaign)
    assert shown(war)[ref] == last.digest


def test_a_removed_picture_is_gone_until_that_is_undone(war):
    ref = "army", str(war.levy.pk)
    give(war, *ref)
    remove_picture(by=war.ana, campaign=war.campaign, kind=ref[0], key=ref[1])
    assert shown(war) == {}
    undo_last(by=war.gm, campaign=war.campaign)
    assert shown(war).keys() == {ref}


def test_an_earlier_picture_is_not_undone_before_the_later_one(war):
    first = give(war, "kingdom", war.crown.pk) and ChronicleEntry.objects.latest("seq")
    give(war, "kingdom", war.crown.pk, BLUE)
    with pytest.raises(IllegalCommand, match="Undo that event first"):
        undo(campaign=war.campaign, entry=first, by=war.gm)


def test_the_same_picture_again_changes_nothing(war):
    give(war, "kingdom", war.crown.pk)
    before = ChronicleEntry.objects.count()
    give(war, "kingdom", war.crown.pk)
    remove_picture(by=war.gm, campaign=war.campaign, kind="kingdom", key=str(war.horde.pk))
    assert (ChronicleEntry.objects.count(), Picture.objects.count()) == (before, 1)


def test_whoever_runs_the_kingdom_chooses_and_of_unit_types_the_gm(war):
    for kind, key in (("kingdom", war.crown.pk), ("commander", war.vell.pk), ("army", war.levy.pk)):
        give(war, kind, key, by=war.ana)
        with pytest.raises(Http404 if kind != "kingdom" else PermissionDenied):
            give(war, kind, key, by=war.bo)
        with pytest.raises(PermissionDenied):
            give(war, kind, key, by=war.viewer)
        with pytest.raises(Http404):
            give(war, kind, key, by=war.stranger)
    give(war, "unit", "orc-warriors")
    with pytest.raises(PermissionDenied):
        give(war, "unit", "orc-warriors", by=war.ana)
    for kind, key in (
        ("unit", "no-such-unit"),
        ("settlement", war.crown.pk),
        ("army", "no-id"),
        ("army", war.crown.pk),
    ):
        with pytest.raises(Http404):
            give(war, kind, key)


def test_a_refused_file_changes_nothing(war):
    give(war, "kingdom", war.crown.pk)
    with pytest.raises(InvalidInput, match="JPEG, PNG or WebP"):
        give(war, "kingdom", war.crown.pk, b"<svg/>")
    assert len(shown(war)) == Picture.objects.count() == 1


def test_the_picture_of_what_somebody_may_not_see_is_not_there(war):
    unseen = give(war, "army", war.raiders.pk)
    absent = str(war.levy.pk)
    for user in (war.ana, war.stranger):
        assert ("army", str(war.raiders.pk)) not in shown(war, user)
        for key, digest in ((str(war.raiders.pk), unseen.digest), (absent, unseen.digest)):
            with pytest.raises(Http404):
                get_picture(user, war.campaign, "army", key, digest)
    reveal_army(by=war.gm, army=war.raiders, revealed=True)
    assert get_picture(war.ana, war.campaign, "army", str(war.raiders.pk), unseen.digest) == unseen
    Army.objects.filter(pk=war.raiders.pk).update(hidden=True)
    assert shown(war, war.ana) == {}
    assert shown(war, war.bo).keys() == {("army", str(war.raiders.pk))}


def test_the_chronicle_tells_of_it_only_those_who_see_the_thing(war):
    give(war, "commander", war.vell.pk)
    give(war, "unit", "orc-warriors")
    told = {user.username: latest_for(user, war.campaign)[0].kind for user in (war.ana, war.bo)}
    unit, vell = ChronicleEntry.objects.filter(campaign=war.campaign).order_by("-seq")[:2]
    assert told == {"ana": "other", "bo": "other"}
    assert [len(list_visible_changes(user, war.campaign, [vell])[vell.pk]) for user in (war.ana, war.bo)] == [1, 0]
    assert (unit.private, vell.private) == (False, True)


def test_an_older_picture_makes_room_and_a_full_campaign_refuses(war, monkeypatch):
    first = give(war, "kingdom", war.crown.pk)
    size = len(first.content)
    monkeypatch.setattr(services, "CAMPAIGN_MOST", 3 * size)
    for sent in (BLUE, GREEN):
        give(war, "kingdom", war.crown.pk, sent)
    kept = give(war, "commander", war.vell.pk, make_picture("PNG", color="pink"))
    assert not Picture.objects.filter(pk=first.pk).exists()
    monkeypatch.setattr(services, "CAMPAIGN_MOST", 2 * size)
    with pytest.raises(IllegalCommand, match="Remove some of them"):
        give(war, "army", war.levy.pk)
    assert Picture.objects.filter(pk=kept.pk, shown=True).exists()


def test_the_picture_of_a_deleted_thing_is_not_there_and_comes_back_with_it(war):
    row = give(war, "commander", war.vell.pk)
    remove_commander(by=war.gm, commander=war.vell)
    assert shown(war) == {}
    with pytest.raises(Http404):
        get_picture(war.gm, war.campaign, "commander", row.key, row.digest)
    undo_last(by=war.gm, campaign=war.campaign)
    assert shown(war) == {("commander", row.key): row.digest}
