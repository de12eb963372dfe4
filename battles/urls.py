"""URL configuration of battle pages."""

from django.urls import path

from battles.aftermath import views as aftermath_views
from battles.codex import views as codex_views
from battles.forecast import views as forecast_views
from battles.log import branch_views, views
from battles.log import views as log_views
from battles.maps import views as hexes_views
from battles.maps import views as maps_views
from battles.opponents import views as opponents_views
from battles.play import bulk_views
from battles.play import views as play_views
from battles.setup import views as setup_views
from battles.story import views as story_views
from battles.workshop import views as workshop_views

app_name = "battles"

urlpatterns = [
    path("c/<uuid:campaign_id>/battles/", setup_views.battle_list, name="battle_list"),
    path("c/<uuid:campaign_id>/battles/new/", setup_views.battle_new, name="battle_new"),
    path("c/<uuid:campaign_id>/maps/", maps_views.maps, name="maps"),
    path("c/<uuid:campaign_id>/maps/new/", maps_views.map_new, name="map_new"),
    path("maps/<uuid:map_id>/", maps_views.battle_map, name="battle_map"),
    path("maps/<uuid:map_id>/rename/", maps_views.map_rename, name="map_rename"),
    path("maps/<uuid:map_id>/delete/", maps_views.map_delete, name="map_delete"),
    path("maps/<uuid:map_id>/map.json", maps_views.map_file, name="map_file"),
    path("maps/<uuid:map_id>/picture.svg", maps_views.map_picture, name="map_picture"),
    path("c/<uuid:campaign_id>/odds/", workshop_views.workshop, name="workshop"),
    path("c/<uuid:campaign_id>/odds/many/", workshop_views.sweep, name="sweep"),
    path("c/<uuid:campaign_id>/odds/many/<uuid:job_id>/", workshop_views.sweep_job, name="sweep_job"),
    path("c/<uuid:campaign_id>/odds/many/<uuid:job_id>/stop/", workshop_views.sweep_stop, name="sweep_stop"),
    path("c/<uuid:campaign_id>/odds/many/<uuid:job_id>/odds.csv", workshop_views.sweep_csv, name="sweep_csv"),
    path("c/<uuid:campaign_id>/odds/army/<str:side>/", workshop_views.written_army, name="workshop_army"),
    path("c/<uuid:campaign_id>/story/chapters/", story_views.chapters, name="chapters"),
    path("c/<uuid:campaign_id>/story/chapters/print/", story_views.chapters_print, name="chapters_print"),
    path("c/<uuid:campaign_id>/codex/", codex_views.codex, name="codex"),
    path("battles/<uuid:battle_id>/", play_views.battle, name="battle"),
    path("battles/<uuid:battle_id>/ground/<slug:version>.svg", hexes_views.ground, name="ground"),
    path("battles/<uuid:battle_id>/keep-map/", maps_views.map_keep, name="map_keep"),
    path("battles/<uuid:battle_id>/command/", play_views.command, name="command"),
    path("battles/<uuid:battle_id>/together/", bulk_views.together, name="together"),
    path("battles/<uuid:battle_id>/opponents/", opponents_views.opponents, name="opponents"),
    path("battles/<uuid:battle_id>/opponents/give/", opponents_views.give, name="opponents_give"),
    path("battles/<uuid:battle_id>/opponents/pause/", opponents_views.pause, name="opponents_pause"),
    path("battles/<uuid:battle_id>/remind/", bulk_views.remind, name="remind"),
    path("battles/<uuid:battle_id>/dice/", bulk_views.dice, name="dice"),
    path("battles/<uuid:battle_id>/dice/away/", play_views.away, name="dice_away"),
    path("battles/<uuid:battle_id>/aftermath/", aftermath_views.aftermath, name="aftermath"),
    path("battles/<uuid:battle_id>/replay/", log_views.replay, name="replay"),
    path("battles/<uuid:battle_id>/forecast/", forecast_views.forecast, name="forecast"),
    path("battles/<uuid:battle_id>/forecast/<uuid:job_id>/", forecast_views.forecast_job, name="forecast_job"),
    path("battles/<uuid:battle_id>/reserves/", setup_views.reserves, name="reserves"),
    path("battles/<uuid:battle_id>/log/", log_views.log, name="log"),
    path("battles/<uuid:battle_id>/log/<int:seq>/", log_views.line, name="log_line"),
    path("battles/<uuid:battle_id>/log/luck/", log_views.luck, name="log_luck"),
    path("battles/<uuid:battle_id>/log.txt", log_views.log_file, {"ending": "txt"}, name="log_text"),
    path("battles/<uuid:battle_id>/log.json", log_views.log_file, {"ending": "json"}, name="log_json"),
    path("battles/<uuid:battle_id>/log.jsonl", log_views.log_file, {"ending": "jsonl"}, name="log_lines"),
    path("battles/<uuid:battle_id>/what-if/", branch_views.what_if, name="what_if"),
    path("battles/<uuid:battle_id>/throw-away/", branch_views.throw_away, name="throw_away"),
    path("battles/<uuid:battle_id>/order-of-battle/", views.order_of_battle, name="order_of_battle"),
    path("battles/<uuid:battle_id>/report/", views.report, name="report"),
    path("battles/<uuid:battle_id>/fairness/", log_views.fairness, name="fairness"),
]
