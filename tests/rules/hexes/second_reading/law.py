"""The law of hexes read a second time: coordinates, steps, ways, sight, files.

Written from `hexes.md` and the rulings H-1 to H-11, W-42, W-52, W-54 and W-62
alone, before the engine was opened. It imports nothing of `rules`. A hex is a
pair (q, r), an edge a frozenset of two hexes, a map a plain `Land`.
"""

from fractions import Fraction

EAST, NORTH_EAST, NORTH_WEST = (1, 0), (1, -1), (0, -1)
WEST, SOUTH_WEST, SOUTH_EAST = (-1, 0), (-1, 1), (0, 1)
ORDER = (EAST, NORTH_EAST, NORTH_WEST, WEST, SOUTH_WEST, SOUTH_EAST)

CLEAR, DIFFICULT, INFILTRATION, IMPASSABLE = (
    "clear",
    "difficult",
    "infiltration_only",
    "impassable",
)

# HX-2.1: letter, height, cover, class.
TERRAIN = {
    "open": (".", 0, 0, CLEAR),
    "road": ("=", 0, 0, CLEAR),
    "bridge": ("b", 0, 0, CLEAR),
    "ford": ("o", 0, 0, DIFFICULT),
    "hill": ("^", 1, 0, DIFFICULT),
    "wood": ("w", 0, 1, DIFFICULT),
    "houses": ("h", 0, 1, DIFFICULT),
    "thicket": ("t", 0, 1, INFILTRATION),
    "marsh": ("m", 0, 0, DIFFICULT),
    "rocks": ("k", 0, 0, DIFFICULT),
    "sand": ("s", 0, 0, DIFFICULT),
    "snow": ("n", 0, 0, DIFFICULT),
    "river": ("|", 0, 0, IMPASSABLE),
    "lake": ("~", 0, 0, IMPASSABLE),
    "mountain": ("A", 2, 1, IMPASSABLE),
}
ROADS = ("road", "bridge")
HIGH = 3
SMALLEST, LARGEST = 8, 40

WALKING = {CLEAR: 1, DIFFICULT: 2}
INFILTRATING = {CLEAR: 1, DIFFICULT: 2, INFILTRATION: 2}
FLYING = "flying"


# HX-1: coordinates, labels, distance, homes.


def beside(hex_):
    q, r = hex_
    return [(q + dq, r + dr) for dq, dr in ORDER]


def distance(one, other):
    dq, dr = one[0] - other[0], one[1] - other[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def place(column, row):
    return (column - row // 2, row)


def column_and_row(hex_):
    return hex_[0] + hex_[1] // 2, hex_[1]


def label(hex_):
    column, row = column_and_row(hex_)
    letters, number = "", column + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"{letters}{row + 1}"


def unlabel(text):
    letters = text.rstrip("0123456789")
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return place(number - 1, int(text[len(letters) :]) - 1)


class Land:
    """A map as read: terrain and heights by hex, what lies on edges, roads."""

    def __init__(self, columns, rows, terrain):
        self.columns, self.rows, self.terrain = columns, rows, terrain
        self.heights = {}  # only those set
        self.obstacles = {}  # edge -> stream | wall
        self.roads = set()  # edges a road line runs over
        self.rivers = set()  # edges a river lies along
        self.overlays = {}  # hex -> terrain
        self.homes = ("south", "north")
        self.zones = None

    def __contains__(self, hex_):
        column, row = column_and_row(hex_)
        return 0 <= column < self.columns and 0 <= row < self.rows

    def hexes(self):
        return [place(c, r) for r in range(self.rows) for c in range(self.columns)]

    def lies(self, hex_):
        return self.overlays.get(hex_, self.terrain[hex_])

    def ground(self, hex_):
        return self.heights.get(hex_, TERRAIN[self.terrain[hex_]][1])

    def top(self, hex_):
        return self.ground(hex_) + TERRAIN[self.lies(hex_)][2]


def home_distance(land, side_edge, hex_):
    column, row = column_and_row(hex_)
    return {
        "south": land.rows - 1 - row,
        "north": row,
        "west": column,
        "east": land.columns - 1 - column,
    }[side_edge]


def homeward(land, edge, hex_):
    far = home_distance(land, edge, hex_)
    return [h for h in beside(hex_) if h in land and home_distance(land, edge, h) < far]


def away(land, edge, hex_, foe, enemies):
    """HX-6.2: the hexes away from `foe`, the best first."""
    far = distance(hex_, foe)
    out = [h for h in beside(hex_) if h in land and distance(h, foe) > far]
    return sorted(
        out,
        key=lambda h: (
            home_distance(land, edge, h),
            sum(n in enemies for n in beside(h)),
            beside(hex_).index(h),
        ),
    )


def zone(land, side, depth):
    """HX-7.2, H-2: the zone drawn on the map, or rows nearest the home edge."""
    if land.zones is not None:
        return set(land.zones[side])
    edge = land.homes[side]
    return {
        h for h in land.hexes() if home_distance(land, edge, h) < depth and TERRAIN[land.terrain[h]][3] != IMPASSABLE
    }


def twin(columns, rows, hex_):
    """H-3: even rows turn by half a turn, odd ones mirror in the middle row."""
    column, row = column_and_row(hex_)
    if rows % 2:
        return place(column, rows - 1 - row)
    return place(columns - 1 - column, rows - 1 - row)


# HX-2.3, H-1: one step.


def on_road(land, start, end):
    drawn = frozenset((start, end)) in land.roads
    return drawn or (land.terrain[start] in ROADS and land.terrain[end] in ROADS)


def footing(land, start, end):
    """The class of the step, or None where a wall or the map's edge closes it."""
    edge = frozenset((start, end))
    if end not in land or land.obstacles.get(edge) == "wall":
        return None
    kind = TERRAIN[land.lies(end)][3]
    if on_road(land, start, end):
        overlaid = end in land.overlays
        return kind if overlaid or kind == IMPASSABLE else CLEAR
    wet = land.obstacles.get(edge) == "stream" or edge in land.rivers
    return DIFFICULT if wet and kind == CLEAR else kind


def step_cost(land, gait, start, end):
    """Points of a step by a gait: a table by class, or FLYING. None: closed."""
    if gait == FLYING:
        return 1 if end in land else None
    kind = footing(land, start, end)
    return None if kind is None else gait.get(kind)


# HX-3: paths.


def costs(cost, start, halts=frozenset()):
    """Costs from the start to every hex, by relaxing until nothing changes."""
    found, fresh = {start: 0}, [start]
    while fresh:
        upcoming = []
        for hex_ in fresh:
            if hex_ in halts and hex_ != start:
                continue
            for near in beside(hex_):
                price = cost(hex_, near)
                if price is None:
                    continue
                total = found[hex_] + price
                if near not in found or total < found[near]:
                    found[near] = total
                    upcoming.append(near)
        fresh = upcoming
    return found


def path(cost, start, target, halts=frozenset()):
    """HX-3.2: from the target back, each time the first that fits. None: no way."""
    found = costs(cost, start, halts)
    if target not in found:
        return None
    way = [target]
    while way[0] != start:
        here = way[0]
        for near in beside(here):
            if near not in found or (near in halts and near != start):
                continue
            price = cost(near, here)
            if price is not None and found[near] + price == found[here]:
                way.insert(0, near)
                break
    return found[target], way


def pricing(land, gait, closed):
    def cost(start, end):
        return None if end in closed else step_cost(land, gait, start, end)

    return cost


def reach(land, gait, start, points, closed, held, halts):
    """HX-3.4: hexes to end in, with costs; `held` are passed, not stopped on."""
    found = costs(pricing(land, gait, closed), start, halts)
    return {h: c for h, c in found.items() if c <= points and h not in held}


def walked(land, gait, way, points, closed, held, halts):
    """HX-3.3: a given way, start first. Its cost, or where and why it fails."""
    spent = 0
    for index, (start, end) in enumerate(zip(way, way[1:], strict=False), 1):
        if end not in land or distance(start, end) != 1:
            return ("touch", index)
        if index > 1 and start in halts:
            return ("halt", index)
        price = pricing(land, gait, closed)(start, end)
        if price is None:
            return ("closed", index)
        spent += price
        if spent > points:
            return ("points", index)
    if len(way) > 1 and way[-1] in held:
        return ("held", len(way) - 1)
    return spent


# HX-5: sight, by exact fractions.

NUDGE = Fraction(1, 10**6)


def rounded(x, y, z):
    near = [round(x), round(y), round(z)]
    off = [abs(near[0] - x), abs(near[1] - y), abs(near[2] - z)]
    worst = off.index(max(off))
    near[worst] -= sum(near)
    return near[0], near[2]


def line(start, end, sign):
    """The hexes strictly between, sampled with both ends nudged."""
    n = distance(start, end)
    ends = [(q, -q - r, r) for q, r in (start, end)]
    nudge = (sign * NUDGE, 2 * sign * NUDGE, -3 * sign * NUDGE)
    out = []
    for i in range(1, n):
        share = Fraction(i, n)
        out.append(rounded(*(a + (b - a) * share + move for a, b, move in zip(*ends, nudge, strict=True))))
    return out


def sees(land, start, end, start_high=False, end_high=False, blocks=()):
    """Whether sight is free; `blocks` are hexes that hide whatever their top."""
    eye = max(
        HIGH if start_high else land.ground(start),
        HIGH if end_high else land.ground(end),
    )

    def blocked(sign):
        return any(h in land and (land.top(h) > eye or h in blocks) for h in line(start, end, sign))

    return not (blocked(1) and blocked(-1))


# H-9: a march among enemies one does not see.


def march(land, gait, way, points, held, hidden, within, halting=True):
    """Where a unit comes on a sound way, start first.

    `hidden` are hexes of enemies its side does not see; one is revealed once
    the unit is within `within` of it. Answers the hexes walked, what was
    revealed, the points left and whether it stumbled.
    """
    revealed, spent, at, stumbled = set(), 0, 0, False
    for index in range(1, len(way)):
        if way[index] in hidden - revealed:
            revealed.add(way[index])
            stumbled = True
            break
        spent += step_cost(land, gait, way[index - 1], way[index])
        at = index
        revealed |= {h for h in hidden if distance(h, way[index]) <= within}
        last = index == len(way) - 1
        if halting and not last and any(h in revealed for h in beside(way[index])):
            stumbled = True
            break
    while at and way[at] in held:  # W-54
        at -= 1
    return way[: at + 1], revealed, points - spent, stumbled


# HX-7: map files.

REQUIRED = ("format", "version", "name", "columns", "rows", "terrain")
MOST_BYTES = 256 * 1024


class Refused(Exception):
    """A map file that is refused: why, and the places a message must name."""

    def __init__(self, why, *named):
        super().__init__(why, *named)
        self.why, self.named = why, [str(n) for n in named]


def read(document, troops=(0, 0)):
    """A `Land` of a file's document, or Refused with what must be named."""
    for key in REQUIRED:
        if key not in document:
            raise Refused("missing", key)
    if document["format"] != "warhost-hexmap" or document["version"] != 1:
        raise Refused("format")
    columns, rows = document["columns"], document["rows"]
    for size in (columns, rows):
        if not SMALLEST <= size <= LARGEST:
            raise Refused("size", size)
    land = Land(columns, rows, read_terrain(document, columns, rows))

    def here(text):
        try:
            hex_ = unlabel(text)
        except ValueError:
            raise Refused("off", text) from None
        if hex_ not in land or label(hex_) != text:
            raise Refused("off", text)
        return hex_

    def edge(pair):
        one, other = map(here, pair)
        if distance(one, other) != 1:
            raise Refused("touch", *pair)
        return frozenset((one, other))

    for text, height in document.get("heights", {}).items():
        hex_ = here(text)
        if height not in (0, 1, 2, 3):
            raise Refused("height", text)
        land.heights[hex_] = height
    for row in document.get("edges", []):
        if row["obstacle"] not in ("stream", "wall"):
            raise Refused("obstacle", row["obstacle"])
        land.obstacles[edge(row["between"])] = row["obstacle"]
    for chain in document.get("roads", []):
        land.roads |= {edge(pair) for pair in zip(chain, chain[1:], strict=False)}
    land.rivers = {edge(pair) for pair in document.get("rivers", [])}
    for text in document.get("labels", {}):
        here(text)
    land.homes = tuple(document.get("homes", land.homes))
    if not set(land.homes) <= {"south", "north", "west", "east"}:
        raise Refused("home")
    if "zones" in document:
        land.zones = [{here(text) for text in zone_} for zone_ in document["zones"]]
        shared = land.zones[0] & land.zones[1]
        if shared:
            raise Refused("overlap", *(label(h) for h in shared))
    for side in (0, 1):
        free = [h for h in zone(land, side, 3) if TERRAIN[land.terrain[h]][3] != IMPASSABLE]
        if len(free) < troops[side]:
            raise Refused("few", side)
    return land


def read_terrain(document, columns, rows):
    legend = {row[0]: slug for slug, row in TERRAIN.items()}
    for letter, slug in document.get("legend", {}).items():
        if slug not in TERRAIN:
            raise Refused("terrain", slug)
        legend[letter] = slug
    lines = document["terrain"]
    if len(lines) != rows:
        raise Refused("rows", len(lines), rows)
    terrain = {}
    for row, text in enumerate(lines):
        if len(text) != columns:
            raise Refused("length", row + 1)
        for column, letter in enumerate(text):
            if letter not in legend:
                raise Refused("letter", label(place(column, row)), letter)
            terrain[place(column, row)] = legend[letter]
    return terrain


def on_foot(land):
    """HX-7.3: whether a way on foot joins the zones; if not, one is warned."""
    first, second = zone(land, 0, 3), zone(land, 1, 3)
    cost = pricing(land, WALKING, frozenset())
    return any(second & costs(cost, h).keys() for h in first)
