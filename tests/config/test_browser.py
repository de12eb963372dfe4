from __future__ import annotations


def test_a_browser_reads_the_api_pages_under_the_strict_policy(page):
    complaints = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.goto("/api/v1/docs/")
    page.wait_for_selector(".swagger-ui .info")
    assert complaints == []


def test_signing_in_by_session_reaches_the_account_pages(page, sign_in, django_user_model):
    sign_in(page, django_user_model.objects.create_user("sella", password="x"))
    page.goto("/accounts/password/change/")
    assert "/login/" not in page.url


def test_axe_finds_what_is_wrong(page, accessibility):
    page.goto("/healthz/")
    page.set_content("<html lang=en><title>t</title><main><h1>t</h1><img src=/x.png></main></html>")
    assert any(line.startswith("image-alt") for line in accessibility(page))
