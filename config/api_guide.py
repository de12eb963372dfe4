"""Prose of the API's document: the guide, the servers, and what each tag is about. Rulesets describe tags of their own
(`DocumentPart`).
"""

from __future__ import annotations

from typing import Any

GUIDE = """\
Everything the pages of Warhost do, a program can do too: kingdoms, armies, commanders, the map, time, battles.
Answers are JSON, times are UTC, ids are UUIDs that sort by creation.

## Tokens

`Authorization: Bearer <key>` (or `Token <key>`). A token is made on the page *My account → API tokens*, or for a
password by `POST /api/v1/auth/token/`. Its key is shown once. It speaks for its owner: a program reads what they may
read and nothing else, and what nobody may know of is a 404.

| scope | what it does |
|---|---|
| `read` | `GET` only |
| `play` | besides: commands of battles and the like, orders proposed by the computer, kingdom checks, forecasts |
| `manage` | everything its owner may do |

A token can be limited to one campaign. Every token ends, after three months unless another day was named.

## Reading

Lists come in pages: `{"next", "previous", "results"}`, `limit` from 1 to 200. `next` is the address of the next page,
null on the last. A filter nobody knows is a 400, never passed over. Single reads have an `ETag`: send it in
`If-None-Match`, and an unchanged answer is a 304. `Accept-Language: fr` changes sentences and labels, never names.

Keep a copy by asking for what has changed: `armies/`, `commanders/`, `kingdoms/`, `settlements/`, `battles/` and a
campaign's `chronicle/` take `changed_since`, a time with its zone. It goes by `updated_at`, the time of the last change
that you may read; moves under the fog of the map are none. What is gone stands in the chronicle: a line with
the field `exists`, after: false.

## Changing

Send the `ETag` you have seen in `If-Match`: if somebody was faster nothing is done, and the answer is a 412. Commands
of battles need it; there it is the `version`. Every POST takes an `Idempotency-Key`: sent again with the
same key it is answered again, not done again. What a player may only do with the GM's approval is answered 202 with
the request; `requests/` tells what became of it.

What time and battles do is proposed first and confirmed afterwards, with the `mark` of the proposal. Everything is in
the chronicle, and the last change can be undone.

## Errors

`application/problem+json` (RFC 9457): `type` is stable, `detail` is a sentence for people, `errors` points into the
body.

| status | `type` | what to do |
|---|---|---|
| 400 | `urn:warhost:problem:invalid` | correct what `errors` points at |
| 401 | `urn:warhost:problem:not-signed-in` | send a token that is valid |
| 403 | `urn:warhost:problem:forbidden` | ask somebody who may, or take a token of a wider scope |
| 404 | `urn:warhost:problem:not-found` | nothing there, or nothing for this reader |
| 409 | `urn:warhost:problem:illegal` | not legal in this state: read it again |
| 409 | `urn:warhost:problem:dice-needed` | send the command again with the dice in `asks` |
| 412 | `urn:warhost:problem:stale` | read again, decide again |
| 422 | `urn:warhost:problem:idempotency-key-reused` | take a new key |
| 428 | `urn:warhost:problem:precondition-required` | send `If-Match`, or the `mark` of the proposal |
| 429 | `urn:warhost:problem:too-many-requests` | wait as long as `Retry-After` says |
| 503 | `urn:warhost:problem:unavailable` | try again later |

## Limits

600 requests a minute for each token and 1 200 for each account, unless the site sets others; forecasts, exports and
pictures count 120 a minute. `RateLimit-Policy` and `RateLimit` say with every answer how each limit stands.

## Dice

The site rolls, unless `dice` are sent: `[{"army", "roll", "values": [14]}]`, in the order the rules ask for them. With
`"ask": true` nothing is rolled: a command that needs dice is answered 409 with `asks`. Nothing has happened yet, and
the same command with `dice` goes through. Dice that those lead to are asked for in the same way. Every die stays in
the log with who threw it, and `battles/{id}/replay/` decides the whole battle again from them.

## Following

Keep a stream of server-sent events open with the token: `GET /live/battle/{id}/` or `GET /live/campaign/{id}/`. A
message is `id: 12` and `data: {"battle": "…", "version": 12}`; what has changed is read from the API. After a broken
line send `Last-Event-ID: 12`. `event: gone` says that the token may not see it any longer. Programs with an address of
their own can be told by webhooks (`campaigns/{id}/webhooks/`), signed by Standard Webhooks.

## Versions

Every address begins with `/api/v1/`. Within `v1` answers may gain members, lists may gain kinds, and commands may gain
optional members: pass over what you do not know. Nothing is renamed, removed or given another meaning without a `v2`
beside it. What is to go is marked `deprecated` here, and named in the changelog, for at least two releases and six
months.

## Clients

`clients/python` in the repository is a client in Python; its types are generated from this document.
"""

TAGS: list[dict[str, Any]] = [
    {"name": "account", "description": "The owner of the token: the security log of their account."},
    {"name": "armies", "description": "Armies whose sheet you may read: raise, change, place, march, disband them."},
    {"name": "arsenal", "description": "Weapons, troops and other things of a campaign's own (GM)."},
    {"name": "auth", "description": "Tokens for passwords."},
    {
        "name": "battles",
        "description": "Battles: set up, command, forecast, settle. The commands of each ruleset stand at "
        "`battles/{id}/commands/`; what may be done now is in `legal` and `choices` of the battle.",
    },
    {
        "name": "campaigns",
        "description": "Campaigns with their members, settings, chronicle, time, map, pictures, share links, "
        "webhooks and files.",
    },
    {"name": "commanders", "description": "Commanders: appoint, change, ransom."},
    {"name": "find", "description": "Search through everything you may know."},
    {"name": "forecast", "description": "Odds of battles that are only supposed, and of an army against many."},
    {"name": "jobs", "description": "Work that takes longer than an answer: how far it is, and what came of it."},
    {"name": "kingdoms", "description": "Kingdoms with their treasury, planned income and checks."},
    {"name": "notes", "description": "Notes about anything, each for its audience, with older versions."},
    {"name": "requests", "description": "What players asked the GM to approve, and the answers."},
    {"name": "rules", "description": "The codex: rulesets with their tables, in the reader's language."},
    {"name": "settlements", "description": "Settlements of kingdoms, with buildings and defense."},
    {"name": "webhooks", "description": "Single webhooks: change, test, renew the secret, read the log."},
]

SERVERS = [{"url": "/", "description": "This site"}]
