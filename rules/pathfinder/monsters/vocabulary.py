"""Vocabulary of stat blocks in English and French: abilities, types, sizes, alignments and headings, folded."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import pairwise

KEYED = str.maketrans({"’": "'", "‘": "'", "–": "-", "—": "-", "−": "-", "œ": "oe", "æ": "ae", "\u00a0": " "})


def fold(text: str) -> str:
    """Fold a text for comparison: no accents, no case, single spaces, plain hyphens and apostrophes."""
    plain = unicodedata.normalize("NFKD", text.translate(KEYED))
    return " ".join("".join(sign for sign in plain if not unicodedata.combining(sign)).lower().split())


ABILITY_WORDS: Mapping[str, tuple[str, ...]] = {
    "ability-damage": ("ability damage", "ability drain", "affaiblissement de caracteristique",
                       "diminution de caracteristique", "strength damage", "affaiblissement de force"),
    "alchemy": ("alchemy", "alchimie"),
    "amphibious": ("amphibious", "amphibie"),
    "animal-companion": ("animal companion", "compagnon animal"),
    "aquatic": ("aquatic", "aquatique"),
    "armor-training": ("armor training", "armour training", "entrainement aux armures"),
    "aura-of-courage": ("aura of courage", "aura de bravoure"),
    "bleed": ("bleed", "saignement"),
    "blindsense": ("blindsense", "perception aveugle"),
    "blindsight": ("blindsight", "vision aveugle"),
    "bomb": ("bombs", "bomb", "bombes", "bombe"),
    "bravery": ("bravery", "bravoure"),
    "breath-weapon": ("breath weapon", "souffle"),
    "brew-potion": ("brew potion", "preparation de potions"),
    "burn": ("burn", "combustion"),
    "burrow": ("burrow", "creusement", "fouissement"),
    "cannibalize": ("cannibalize", "cannibalisme"),
    "challenge": ("challenge", "defi"),
    "channel-negative-energy": ("channel negative energy", "canalisation d'energie negative",
                                "canalisation de l'energie negative"),
    "channel-positive-energy": ("channel positive energy", "canalisation d'energie positive",
                                "canalisation de l'energie positive"),
    "climb": ("climb", "escalade"),
    "combat-style": ("combat style", "style de combat"),
    "create-sandstorm": ("create sandstorm", "creation de tempete de sable"),
    "create-spawn": ("create spawn", "creation de rejeton", "creation de rejetons", "rejetons"),
    "damage-reduction": ("damage reduction", "reduction de degats", "reduction des degats"),
    "darkvision": ("darkvision", "see in darkness", "vision dans le noir", "vision dans les tenebres"),
    "discovery": ("discovery", "discoveries", "decouverte", "decouvertes"),
    "disease": ("disease", "filth fever", "mummy rot", "ghoul fever", "maladie", "fievre des marais",
                "putrefaction de momie", "fievre des goules"),
    "divine-health": ("divine health", "sante divine"),
    "earth-glide": ("earth glide", "nage dans la terre", "nage terrestre", "glissement de terrain"),
    "eidolon": ("eidolon",),
    "energy-drain": ("energy drain", "absorption d'energie", "niveau negatif", "niveaux negatifs"),
    "ethereal-travel": ("ethereal jaunt", "etherealness", "forme etheree", "passage dans l'ether"),
    "evasion": ("evasion", "esquive totale"),
    "fast-healing": ("fast healing", "guerison acceleree"),
    "favored-enemy": ("favored enemy", "ennemi jure"),
    "favored-terrain": ("favored terrain", "environnement de predilection"),
    "fear": ("frightful presence", "fear aura", "aura of fear", "fear", "despair", "presence terrifiante",
             "aura de terreur", "terreur", "desespoir"),
    "ferocity": ("ferocity", "ferocite"),
    "flight": ("fly", "vol"),
    "flurry-of-blows": ("flurry of blows", "deluge de coups"),
    "grab": ("grab", "etreinte"),
    "hex": ("hexes", "hex", "malefices", "malefice"),
    "hunters-bond": ("hunter's bond", "pacte du chasseur"),
    "incorporeal": ("incorporeal", "intangible", "intangibilite"),
    "inspire-courage": ("inspire courage", "inspiration vaillante"),
    "invisibility": ("greater invisibility", "natural invisibility", "invisibility", "invisibilite superieure",
                     "invisibilite naturelle", "invisibilite"),
    "judgment": ("judgment", "judgement", "jugement"),
    "ki-pool": ("ki pool", "reserve de ki"),
    "lay-on-hands": ("lay on hands", "imposition des mains"),
    "light-blindness": ("light blindness", "aveugle par la lumiere", "cecite a la lumiere"),
    "light-sensitivity": ("light sensitivity", "sensibilite a la lumiere"),
    "low-light-vision": ("low-light vision", "low light vision", "vision nocturne"),
    "mercy": ("mercy", "grace"),
    "mindless": ("mindless", "depourvu d'intelligence", "sans intelligence"),
    "mount": ("mount", "monture"),
    "order": ("order of", "ordre"),
    "paralysis": ("paralysis", "paralyzing", "paralysie"),
    "petrification": ("petrification", "petrifying gaze", "petrifying", "turn to stone", "regard petrifiant"),
    "plant": ("plant traits", "traits des plantes"),
    "poison": ("poison", "venom", "venin"),
    "poison-resistance": ("poison resistance", "resistance au poison", "resistance aux poisons"),
    "pounce": ("pounce", "bond"),
    "powerful-charge": ("powerful charge", "charge puissante"),
    "rage": ("rage",),
    "rake": ("rake", "pattes arrieres", "pattes arriere"),
    "regeneration": ("regeneration",),
    "rend": ("rend", "eventration"),
    "resistance": ("energy resistance", "resistance aux energies"),
    "rock-catching": ("rock catching", "reception de rochers", "interception de rochers"),
    "rock-throwing": ("rock throwing", "lancer de rochers", "lancer de rocher"),
    "rogue-talent": ("rogue talent", "rogue talents", "talent de roublard", "talents de roublard"),
    "scent": ("scent", "keen scent", "odorat"),
    "shield-ally": ("shield ally", "protection d'allie"),
    "smite-evil": ("smite evil", "chatiment du mal"),
    "sneak-attack": ("sneak attack", "attaque sournoise"),
    "spell-resistance": ("spell resistance", "resistance a la magie"),
    "stunning-fist": ("stunning fist", "coup etourdissant"),
    "swarm": ("swarm", "nuee"),
    "tactician": ("tactician", "tacticien"),
    "teleportation": ("greater teleport", "dimension door", "teleport", "teleportation superieure",
                      "teleportation", "porte dimensionnelle"),
    "track": ("track", "pistage"),
    "trample": ("trample", "pietinement"),
    "trap-sense": ("trap sense", "sens des pieges"),
    "tremorsense": ("tremorsense", "perception des vibrations"),
    "trip": ("trip", "croc-en-jambe"),
    "undead": ("undead traits", "traits des morts-vivants", "traits de mort-vivant"),
    "construct": ("construct traits", "traits des creatures artificielles"),
    "unnatural-aura": ("unnatural aura", "aura surnaturelle"),
    "vortex": ("vortex",),
    "weapon-specialization": ("weapon specialization", "specialisation martiale"),
    "whirlwind": ("whirlwind", "tourbillon"),
    "wild-shape": ("wild shape", "forme animale"),
}  # fmt: skip
"""Phrases that name an ability of PF-9, by its slug."""

RIDERS = frozenset((
    "ability-damage", "bleed", "burn", "disease", "energy-drain", "grab", "paralysis", "petrification", "poison",
    "trip",
))  # fmt: skip
"""Abilities that stand behind an attack: "bite +5 (1d6 plus poison)"."""
BY_MAGIC = frozenset(("create-sandstorm", "ethereal-travel", "invisibility", "teleportation"))
"""Abilities that a spell-like ability gives."""

IMMUNE_WORDS: Mapping[str, tuple[str, ...]] = {
    "fear": ("mind-affecting", "mind-affecting effects", "fear", "effets mentaux", "terreur", "peur"),
    "burn": ("fire", "feu"),
    "breath-weapon": ("breath weapon", "souffle"),
    "paralysis": ("paralysis", "paralysie"),
    "petrification": ("petrification",),
    "ability-damage": ("ability damage", "ability drain", "affaiblissement de caracteristique",
                       "affaiblissements de caracteristique", "diminution permanente de caracteristique"),
    "bleed": ("bleed", "saignement"),
    "disease": ("disease", "maladie", "maladies"),
    "energy-drain": ("energy drain", "absorption d'energie"),
    "poison": ("poison", "poisons"),
    "spellcasting": ("magic", "magie"),
}  # fmt: skip
"""What an immunity on a stat block stops of PF-9. Immunity to fire stops burn, as in the library."""

TYPE_WORDS: Mapping[str, tuple[str, ...]] = {
    "aberration": ("aberration",),
    "magical-beast": ("magical beast", "creature magique"),
    "monstrous-humanoid": ("monstrous humanoid", "humanoide monstrueux"),
    "construct": ("construct", "creature artificielle"),
    "animal": ("animal",),
    "dragon": ("dragon",),
    "fey": ("fey", "fee"),
    "humanoid": ("humanoid", "humanoide"),
    "ooze": ("ooze", "vase"),
    "outsider": ("outsider", "exterieur"),
    "plant": ("plant", "plante"),
    "undead": ("undead", "mort-vivant"),
    "vermin": ("vermin", "vermine"),
}
"""Creature types; those of two words stand before those they contain."""
TYPE_ABILITIES = {"undead": "undead", "construct": "construct", "plant": "plant"}
SUBTYPE_ABILITIES = {
    "aquatic": "aquatic", "aquatique": "aquatic", "incorporeal": "incorporeal", "intangible": "incorporeal",
    "swarm": "swarm", "nuee": "swarm",
}  # fmt: skip
HIT_DICE_OF = {
    "dragon": "d12", "construct": "d10", "magical-beast": "d10", "monstrous-humanoid": "d10", "outsider": "d10",
    "fey": "d6",
}  # fmt: skip
"""Racial hit dice by creature type; d8 for all others."""
FAMILY_OF = {
    "humanoid": "humanoids", "animal": "animals", "vermin": "animals", "undead": "undead", "construct": "constructs",
    "outsider": "outsiders",
}  # fmt: skip
FAMILY_OF_SUBTYPE = {"giant": "giants", "geant": "giants", "elemental": "elementals", "elementaire": "elementals"}

SIZE_WORDS = (
    "fine", "diminutive", "tiny", "small", "medium", "large", "huge", "gargantuan", "colossal", "infime", "minuscule",
    "tres petite", "petite", "moyenne", "grande", "tres grande", "gigantesque", "colossale", "de taille", "taille",
)  # fmt: skip
ALIGNMENTS = {
    "LG": "LG", "NG": "NG", "CG": "CG", "LN": "LN", "N": "N", "TN": "N", "CN": "CN", "LE": "LE", "NE": "NE",
    "CE": "CE", "LB": "LG", "NB": "NG", "CB": "CG", "LM": "LE", "NM": "NE", "CM": "CE",
}  # fmt: skip
"""Alignments as stat blocks abbreviate them in either language."""
ORDERS = {"lawful": "L", "loyal": "L", "loyale": "L", "chaotic": "C", "chaotique": "C", "neutral": "N", "neutre": "N"}
MORALS = {
    "good": "G", "bon": "G", "bonne": "G", "evil": "E", "mauvais": "E", "mauvaise": "E", "neutral": "N", "neutre": "N",
}  # fmt: skip

FAR_SPELLS = frozenset((
    "fireball", "boule de feu", "lightning bolt", "eclair", "magic missile", "projectile magique", "scorching ray",
    "rayon ardent", "acid arrow", "fleche acide", "flame strike", "colonne de feu", "call lightning",
    "appel de la foudre", "ice storm", "tempete de grele", "cone of cold", "cone de froid", "chain lightning",
    "chaine d'eclairs", "searing light", "lumiere brulante", "produce flame", "flammes", "ear-piercing scream",
    "sound burst", "cacophonie", "cloudkill", "brume mortelle", "disintegrate", "desintegration", "meteor swarm",
    "nuee de meteores", "ray of frost", "rayon de givre", "acid splash", "aspersion acide", "holy smite",
))  # fmt: skip
"""Offensive spells with a range beyond touch, so that Spellcasting attacks at range (PF-9)."""

LABELS: Mapping[str, tuple[str, ...]] = {
    "cr": ("cr", "fp", "facteur de puissance", "challenge rating"),
    "senses": ("senses", "sens"),
    "aura": ("aura",),
    "hp": ("hp", "pv", "hit points", "points de vie"),
    "defenses": ("defensive abilities", "defensive ability", "capacites defensives", "capacite defensive"),
    "dr": ("dr", "rd", "damage reduction", "reduction de degats"),
    "immune": ("immune", "immunities", "immunites", "immunite"),
    "resist": ("resist", "resistances", "resistance"),
    "sr": ("sr", "rm", "resistance a la magie", "spell resistance"),
    "weaknesses": ("weaknesses", "weakness", "faiblesses", "faiblesse"),
    "speed": ("speed", "vd", "vitesse"),
    "melee": ("melee", "corps a corps", "cac"),
    "ranged": ("ranged", "a distance", "distance"),
    "attacks": ("special attacks", "special attack", "attaques speciales", "attaque speciale"),
    "magic": ("spell-like abilities", "spell-like ability", "pouvoirs magiques", "pouvoir magique"),
    "spells": ("spells known", "spells prepared", "sorts connus", "sorts prepares", "spells", "sorts",
               "extracts prepared", "extraits prepares"),
    "qualities": ("sq", "special qualities", "particularites", "particularite", "qualites speciales", "ps"),
    "scores": ("str", "for", "abilities"),
    "special": ("special abilities", "special ability", "capacites speciales", "pouvoirs speciaux"),
    "skip": (
        "xp", "px", "init", "ac", "ca", "fort", "vig", "ref", "will", "vol", "dex", "con", "int", "wis", "sag", "cha",
        "base atk", "bba", "bmo", "dmd", "cmb", "cmd", "feats", "dons", "don", "skills", "competences", "languages",
        "langues", "langue", "environment", "environnement", "organization", "organisation", "treasure", "tresor",
        "space", "espace", "reach", "allonge", "gear", "combat gear", "other gear", "equipement",
        "racial modifiers", "modificateurs raciaux", "source", "tactics", "tactique", "before combat", "during combat",
        "base statistics", "domains", "domaines", "bloodline", "lignage", "patron", "opposition schools", "ecology",
        "ecologie", "defense", "offense", "attaque", "statistics", "statistiques", "caracteristiques", "description",
    ),
}  # fmt: skip
"""Headings of lines, by what is read from them; "skip": nothing that an army needs."""


def _pattern(words: Mapping[str, tuple[str, ...]]) -> re.Pattern[str]:
    phrases = sorted({phrase for phrases in words.values() for phrase in phrases}, key=len, reverse=True)
    return re.compile(rf"(?<![\w'-])(?:{'|'.join(map(re.escape, phrases))})(?![\w-])")


def _by_phrase(words: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    return {phrase: slug for slug, phrases in words.items() for phrase in phrases}


BEHIND = 80
_ABILITIES, _ABILITY_OF = _pattern(ABILITY_WORDS), _by_phrase(ABILITY_WORDS)
_IMMUNE, _IMMUNE_OF = _pattern(IMMUNE_WORDS), _by_phrase(IMMUNE_WORDS)
_TYPES, _TYPE_OF = _pattern(TYPE_WORDS), _by_phrase(TYPE_WORDS)
_SIZED = "|".join(sorted(SIZE_WORDS, key=len, reverse=True))
_SIZES = re.compile(rf"(?<!\w)(?:{_SIZED})(?!\w)|, (?:i|min|tp|p|m|g|tg|c)\b")
_LABEL_OF = _by_phrase(LABELS)
_LABELS = re.compile(rf"(?:{'|'.join(sorted(map(re.escape, _LABEL_OF), key=len, reverse=True))})(?![\w'-])")
_SHORT = re.compile(r"\b(?:[LNC][GNEBM]|TN|N)\b")


class AbilityNames:
    """Names of the rules' abilities and of a campaign's own, in folded texts. `own`: slugs by name. A name that the
    rules know means their ability.
    """

    def __init__(self, own: Mapping[str, str]):
        named = {phrase: slug for name, slug in own.items() if (phrase := fold(name)) and phrase not in _ABILITY_OF}
        self.own = frozenset(named.values())
        self._slugs = {**_ABILITY_OF, **named}
        self._pattern = _pattern({"own": tuple(named)}) if named else None
        self._all = _pattern({**ABILITY_WORDS, "own": tuple(named)}) if named else _ABILITIES

    def find(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield each ability that a folded text names, with the next words behind its name."""
        for found in self._all.finditer(text):
            yield self._slugs[found[0]], text[found.end() : found.end() + BEHIND].strip()

    def find_immunities(self, text: str) -> list[str]:
        """Return the abilities that an immunity in a folded text stops: abilities of the rules, and the campaign's
        own.
        """
        if self._pattern is None:
            return list(immunities_named(text))
        own = [self._slugs[found[0]] for found in self._pattern.finditer(text)]
        return [*immunities_named(self._pattern.sub(" ", text)), *own]

    def measure_own(self, text: str) -> int:
        """The length of the campaign's own ability's name at the start of a folded text; 0 without one."""
        found = self._pattern.match(text) if self._pattern else None
        return found.end() if found else 0


def immunities_named(text: str) -> Iterator[str]:
    """Yield the abilities that an immunity in a folded text stops."""
    return (_IMMUNE_OF[found[0]] for found in _IMMUNE.finditer(text))


def type_named(text: str) -> str:
    """The creature type that a folded text names; "" for none."""
    found = _TYPES.search(text)
    return _TYPE_OF[found[0]] if found else ""


def names_size(text: str) -> bool:
    return _SIZES.search(text) is not None


def alignment_named(text: str) -> str:
    """The alignment in a text, in letters or in words; "" for none."""
    if short := _SHORT.search(text):
        return ALIGNMENTS.get(short[0], "N")
    words = re.findall(r"[a-z]+", fold(text))
    for order, moral in pairwise(words):
        if order in ORDERS and moral in MORALS:
            found = ORDERS[order] + MORALS[moral]
            return "N" if found == "NN" else found
    return "N" if {"neutral", "neutre"} & set(words) else ""


def split_label(text: str) -> tuple[str, int]:
    """Return the meaning of the heading at the start of a folded text, and its length; ("", 0) without one."""
    found = _LABELS.match(text)
    return (_LABEL_OF[found[0]], found.end()) if found else ("", 0)
