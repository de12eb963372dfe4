"""App configuration of `kingdom`: registers what it tells other slices."""

from django.apps import AppConfig

from core.forms.form_fields import guard_text_fields

guard_text_fields()  # apps are read before any form is


class KingdomConfig(AppConfig):
    name = "kingdom"

    def ready(self) -> None:
        from kingdom.access.queries import get_campaign_for, revision_of
        from kingdom.accounts import personal_data
        from kingdom.approvals import arguments
        from kingdom.archive import carried_tables
        from kingdom.campaign import campaign_cards as campaign_campaign_cards
        from kingdom.campaign import ruleset_services
        from kingdom.chronicle import tracked_fields
        from kingdom.live import topics
        from kingdom.map import displacement_services, size_consistency
        from kingdom.map import tracked_fields as map_tracked_fields
        from kingdom.map.queries import follows_map
        from kingdom.models import Campaign, Kingdom, Settlement
        from kingdom.notes import page
        from kingdom.onboarding import steps
        from kingdom.realms import annotations
        from kingdom.search import results
        from kingdom.sharing import kingdom_page
        from kingdom.webhooks import kingdom_events

        carried_tables.register()
        annotations.register("follows_map", follows_map())
        campaign_campaign_cards.register()
        tracked_fields.register()
        size_consistency.register()
        ruleset_services.register()
        topics.register("campaign", topics.Followable(get_campaign_for, revision_of))
        results.register()
        displacement_services.register()  # before who looks round: they look from where they are back
        map_tracked_fields.register()
        steps.register()
        kingdom_events.register()
        page.register()
        kingdom_page.register()
        personal_data.register_own()
        arguments.register_type(Kingdom, Settlement)
        arguments.register_type(Campaign, read=arguments.read_same_campaign)
