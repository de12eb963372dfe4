"""URL configuration of the site."""

from allauth.mfa.totp.views import activate_totp
from django.conf import settings
from django.urls import include, path
from django.utils.csp import CSP
from django.views.decorators.csp import csp_override
from django.views.generic import TemplateView

from config.app import views as app

# The QR code of a second factor is a data: image.
with_data_images = csp_override({**settings.SECURE_CSP, "img-src": [CSP.SELF, "data:"]})

handler400 = "config.web.small_pool.bad_request"
handler403 = "config.web.error_pages.permission_denied"
handler404 = "config.web.error_pages.page_not_found"
handler500 = "config.ops.infrastructure_errors.server_error"

urlpatterns = [
    path("manifest.webmanifest", app.manifest, name="manifest"),
    path("worker.js", app.worker, name="worker"),
    *(path(f"offline/{code}/", app.offline, {"language": code}) for code, _name in settings.LANGUAGES),
    path("credits/", TemplateView.as_view(template_name="pages/credits.html"), name="credits"),
    path("accounts/2fa/totp/activate/", with_data_images(activate_totp)),
    path("accounts/", include("allauth.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("api/v1/", include("config.api_urls")),
    path("", include("kingdom.urls")),
    path("", include("armies.urls")),
    path("", include("battles.urls")),
]
