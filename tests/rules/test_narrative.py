"""The war in prose: every kind of sentence in both languages, and which of them a battle is told by."""

from __future__ import annotations

import re
from itertools import product

import pytest
from django.utils import translation

from core.text import render
from rules.core.text import Term, _, say
from rules.narrative import (
    BITS,
    CAPTURES,
    COSTS,
    DEAR_WINS,
    DEATHS,
    DRAWS,
    EASY_WINS,
    FACINGS,
    LINEUPS,
    MEETINGS,
    MOST_SENTENCES,
    NO_COST,
    ONGOING,
    PARTS,
    TURNS,
    WINS,
    ArmyTold,
    BattleTold,
    SideTold,
    join_names,
    tell_battle,
    tell_season,
)

DATE = say(Term("{day} {month}"), day=4, month=_("March"))
IRON, OSK = ArmyTold("Ironwatch", "Ysolde"), ArmyTold("Oskars")
CROWN, HORDE = SideTold("Ost", (IRON,), 10), SideTold("Horde", (OSK, ArmyTold("Trolls")), 60)
TOLD = BattleTold(0, DATE, (CROWN, HORDE), winner=0, turn=(_("Turn 3"), Term("Trolls broke.")))


def key(place: int, wording: int) -> int:
    """A key by which the sentence at this place is told in this wording, the others in the first."""
    return wording << (BITS * place)


def read(told: BattleTold, language: str) -> list[str]:
    with translation.override(language):
        return [re.sub(r"\s", " ", render(sentence)) for sentence in tell_battle(told)]


@pytest.mark.parametrize(
    ("wordings", "told", "place", "at", "english", "french"),
    [
        (MEETINGS, TOLD, 0, 0, "On 4 March, Ost and Horde met in battle.", "Le 4 mars, Ost et Horde s’affrontent."),
        (FACINGS, TOLD._replace(sides=(CROWN._replace(lost=0), HORDE._replace(lost=0)), winner=None, turn=None), 0, 0,
         "On 4 March, Ost and Horde faced each other.", "Le 4 mars, Ost et Horde se font face."),
        (ONGOING, TOLD._replace(over=False), 0, 0,
         "Ost and Horde have been fighting since 4 March, and nothing is decided yet.",
         "Depuis le 4 mars, Ost et Horde s’affrontent et rien n’est encore joué."),
        (LINEUPS, TOLD, 1, 1, "Ironwatch under Ysolde fought for Ost, Oskars and Trolls for Horde.",
         "Combattent pour Ost : Ironwatch, avec Ysolde à sa tête ; pour Horde : Oskars et Trolls."),
        (TURNS, TOLD, 2, 2, "It all came down to Turn 3: Trolls broke.", "Tout se joue ici (Turn 3). Trolls broke."),
        (WINS, TOLD, 3, 3, "Victory went to Ost.", "La victoire revient à Ost."),
        (EASY_WINS, TOLD._replace(sides=(CROWN, HORDE._replace(lost=80))), 3, 3, "It was a clear victory for Ost.",
         "Victoire éclatante pour Ost."),
        (DEAR_WINS, TOLD._replace(winner=1), 3, 3, "Horde won, at a higher price than the enemy paid.",
         "Victoire pour Horde, au prix de pertes plus lourdes que celles de l’ennemi."),
        (DRAWS, TOLD._replace(winner=None), 3, 3, "Nobody won.", "Aucun camp ne l’emporte."),
        (COSTS, TOLD, 4, 4, "In the end, Ost had lost less than a quarter of its strength and Horde more than half.",
         "Pertes au bout du compte : moins d’un quart des forces pour Ost et plus de la moitié pour Horde."),
        (NO_COST, TOLD._replace(sides=(CROWN._replace(lost=0), HORDE._replace(lost=0))), 4, 4,
         "No side took any losses.",
         "Personne n’a subi de pertes."),
        (DEATHS, TOLD._replace(dead=("Ysolde",), turn=None), 5, -1, "Ysolde fell.",
         "La bataille coûte la vie à Ysolde."),
        (CAPTURES, TOLD._replace(captured=("Ysolde", "Gruk"), turn=None), 6, -1,
         "Ysolde and Gruk fell into enemy hands.", "L’ennemi a capturé Ysolde et Gruk."),
    ],
)  # fmt: skip
def test_every_kind_of_sentence_reads_in_both_languages_and_in_every_wording(
    wordings, told, place, at, english, french
):
    """A paragraph has the same sentences in every wording; which one, the key alone says."""
    assert (read(told, "en")[at], read(told, "fr")[at]) == (english, french)
    for language in ("en", "fr"):
        found = [read(told._replace(key=key(place, number)), language)[at] for number in range(len(wordings))]
        assert len(set(found)) == len(wordings), found
        assert not any(re.search(r"[{}]|\bde [AEIOUYÉ]|\. \.|  ", sentence) for sentence in found), found


@pytest.mark.parametrize("language", ["en", "fr"])
def test_losses_read_in_every_pair(language):
    """Of two fractions the second is short; what is alike for both is said once."""
    for first, second in product(PARTS, PARTS):
        sides = (CROWN._replace(lost=first.most), HORDE._replace(lost=second.most))
        cost = read(TOLD._replace(sides=sides, winner=None, reason="Night falls"), language)[-1]
        assert ("Ost" in cost) == ("Horde" in cost) == (first != second), cost
    assert read(TOLD._replace(sides=(CROWN, HORDE._replace(lost=24))), "fr")[-1] == (
        "Pertes au bout du compte : moins d’un quart des forces, de chaque côté."
    )


def test_what_a_reader_may_not_know_of_a_side_is_not_told():
    told = read(TOLD._replace(sides=(CROWN, HORDE._replace(lost=None))), "en")
    assert told[-1] == "In the end, Ost had lost less than a quarter of its strength."
    unknown = TOLD._replace(sides=(CROWN._replace(lost=None), HORDE._replace(lost=None)))
    assert read(unknown, "en")[-1] == "Victory went to Ost."


def test_a_paragraph_has_two_to_five_sentences_and_leaves_the_lineup_out_first():
    longest = TOLD._replace(dead=("Ysolde",), captured=("Gruk",))
    assert len(read(longest, "en")) == MOST_SENTENCES
    assert not any("Trolls for Horde" in sentence for sentence in read(longest, "en"))
    bare = BattleTold(0, DATE, (SideTold("Ost", (ArmyTold("Ost"),)), SideTold("Horde", (ArmyTold("Horde"),))))
    assert read(bare, "en") == ["On 4 March, Ost and Horde met in battle.", "Nobody won."]


def test_a_battle_that_cost_nobody_anything_and_that_nobody_won_was_no_clash():
    told = TOLD._replace(winner=None, turn=None, sides=(CROWN._replace(lost=0), HORDE._replace(lost=0)))
    assert read(told, "en")[0] == "On 4 March, Ost and Horde faced each other."
    assert read(told, "fr")[0] == "Le 4 mars, Ost et Horde se font face."
    unknown = told._replace(sides=(CROWN._replace(lost=0), HORDE._replace(lost=None)))
    assert read(unknown, "en")[0] == "On 4 March, Ost and Horde met in battle."


def test_a_side_of_one_army_with_its_own_name_is_named_once():
    told = TOLD._replace(sides=(SideTold("Ironwatch", (IRON,), 10), HORDE))
    assert read(told, "en")[1] == "On one side stood Ironwatch under Ysolde; on the other, Oskars and Trolls."


def test_a_draw_says_why_it_ended():
    assert "Night falls." in read(TOLD._replace(winner=None, reason="Night falls"), "fr")


def test_of_many_armies_some_are_named_and_the_rest_counted():
    many = HORDE._replace(armies=tuple(ArmyTold(f"Band {number}") for number in range(6)))
    told = TOLD._replace(sides=(CROWN, many))
    assert "Band 0, Band 1, Band 2 and 3 other armies for Horde." in read(told, "en")[1]
    assert "Band 0, Band 1, Band 2 et 3 autres armées." in read(told, "fr")[1]


def test_names_are_joined_with_and_before_the_last():
    assert [render(join_names(names)) for names in (["A"], ["A", "B"], ["A", "B", "C"])] == [
        "A",
        "A and B",
        "A, B and C",
    ]


@pytest.mark.parametrize(
    ("winners", "english", "french"),
    [
        (["Ost", "Ost"], "The season saw 2 battles, and Ost won them all.",
         "La saison compte 2 batailles, toutes gagnées par Ost."),
        (["Ost", "Ost", "Horde", None], "The season saw 4 battles; Ost won 2 of them.",
         "La saison compte 4 batailles ; Ost en gagne 2."),
        (["Ost", "Horde"], "The season saw 2 battles, and nobody came out ahead.",
         "La saison compte 2 batailles, sans que personne ne prenne l’avantage."),
        ([None, None], "The season saw 2 battles, and nobody came out ahead.",
         "La saison compte 2 batailles, sans que personne ne prenne l’avantage."),
    ],
)  # fmt: skip
def test_a_season_of_several_battles_is_summed_up(winners, english, french):
    said = tell_season(winners)
    with translation.override("en"):
        assert render(said) == english
    with translation.override("fr"):
        assert re.sub(r"\s", " ", render(said)) == french
    assert tell_season(winners[:1]) is None
