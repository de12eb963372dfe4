from django.apps import AppConfig

from kingdom.text_fields import guard_text_fields

guard_text_fields()  # apps are read before any form is


class KingdomConfig(AppConfig):
    name = "kingdom"

    def ready(self) -> None:
        from kingdom import (
            archived,
            boards,
            cards,
            changeable,
            extents,
            finders,
            journal,
            map_changes,
            personal,
            shared,
            steps,
            stored_arguments,
        )
        from kingdom.hooks import happenings
        from kingdom.live import kinds
        from kingdom.models import Campaign, Kingdom, Settlement
        from kingdom.selectors import campaign_for, revision_of
        from kingdom.selectors.maps import follows_map
        from kingdom.services import law_changes, standing

        archived.register()
        boards.register("follows_map", follows_map())
        cards.register()
        changeable.register()
        extents.register()
        law_changes.register()
        kinds.register("campaign", kinds.Followable(campaign_for, revision_of))
        finders.register()
        standing.register()  # before who looks round: they look from where they are back
        map_changes.register()
        steps.register()
        happenings.register()
        journal.register()
        shared.register()
        personal.register_own()
        stored_arguments.know(Kingdom, Settlement)
        stored_arguments.know(Campaign, read=stored_arguments.itself)
