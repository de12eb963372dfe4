from django.urls import path

from battles.views import (
    aftermath,
    battle,
    codex,
    dice,
    fairness,
    forecast,
    lists,
    live,
    log,
    opponents,
    paper,
    replay,
    reserves,
    together,
)

app_name = "battles"

urlpatterns = [
    path("c/<uuid:campaign_id>/battles/", lists.battle_list, name="battle_list"),
    path("c/<uuid:campaign_id>/battles/new/", lists.battle_new, name="battle_new"),
    path("c/<uuid:campaign_id>/codex/", codex.codex, name="codex"),
    path("battles/<uuid:battle_id>/", battle.battle, name="battle"),
    path("battles/<uuid:battle_id>/command/", battle.command, name="command"),
    path("battles/<uuid:battle_id>/together/", together.together, name="together"),
    path("battles/<uuid:battle_id>/opponents/", opponents.opponents, name="opponents"),
    path("battles/<uuid:battle_id>/opponents/give/", opponents.give, name="opponents_give"),
    path("battles/<uuid:battle_id>/dice/", dice.dice, name="dice"),
    path("battles/<uuid:battle_id>/dice/away/", dice.away, name="dice_away"),
    path("battles/<uuid:battle_id>/aftermath/", aftermath.aftermath, name="aftermath"),
    path("battles/<uuid:battle_id>/replay/", replay.replay, name="replay"),
    path("battles/<uuid:battle_id>/forecast/", forecast.forecast, name="forecast"),
    path("battles/<uuid:battle_id>/forecast/<uuid:job_id>/", forecast.forecast_job, name="forecast_job"),
    path("battles/<uuid:battle_id>/reserves/", reserves.reserves, name="reserves"),
    path("battles/<uuid:battle_id>/log/", log.log, name="log"),
    path("battles/<uuid:battle_id>/log/<int:seq>/", log.line, name="log_line"),
    path("battles/<uuid:battle_id>/log/luck/", log.luck, name="log_luck"),
    path("battles/<uuid:battle_id>/log.txt", replay.log_text, name="log_text"),
    path("battles/<uuid:battle_id>/log.json", replay.log_json, name="log_json"),
    path("battles/<uuid:battle_id>/order-of-battle/", paper.order_of_battle, name="order_of_battle"),
    path("battles/<uuid:battle_id>/report/", paper.report, name="report"),
    path("battles/<uuid:battle_id>/fairness/", fairness.fairness, name="fairness"),
    path("live/<uuid:battle_id>/", live.stream, name="live"),
]
