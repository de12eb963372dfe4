"""Passkeys in a real browser with a device that makes them: Chromium's own virtual authenticator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from playwright.sync_api import Page, expect

from kingdom.models import SecurityEvent
from tests.browsing import PHONE, give_session, heard_by, overflow
from tests.everyday import FULL
from tests.kingdom.conftest import make_user

PASSWORD = "correct horse battery"
DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def ana(transactional_db):
    return make_user("ana")


@pytest.fixture
def home(server) -> str:
    """The server by its name: passkeys belong to names, never to numbers."""
    return server.url.replace("127.0.0.1", "localhost")


def device_of(page: Page, **different: Any) -> Callable[..., Any]:
    """A device that makes and shows passkeys to this page. Answers what speaks to it."""
    speaker = page.context.new_cdp_session(page)
    speaker.send("WebAuthn.enable")
    made = speaker.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE | different})

    def say(method: str, **told: Any) -> Any:
        return speaker.send(f"WebAuthn.{method}", {"authenticatorId": made["authenticatorId"], **told})

    return say


def sign_in(page: Page) -> None:
    """On the page that asks who one is."""
    page.fill("[name=login]", "ana")
    page.fill("[name=password]", PASSWORD)
    page.click("main .form button[type=submit]")


def prove(page: Page) -> None:
    """The password once more, where it is asked for."""
    if page.locator("main [name=password]").count():
        page.fill("main [name=password]", PASSWORD)
        page.get_by_role("button", name="Confirm").click()
        expect(page.locator("main [name=password]")).to_have_count(0)


def add(page: Page, home: str, name: str = "Laptop", *, alone: bool = True) -> None:
    page.goto(f"{home}/accounts/2fa/webauthn/add/")
    prove(page)
    page.fill("[name=name]", name)
    page.set_checked("[name=passwordless]", alone)
    page.get_by_role("button", name="Add").click()


def sign_out(page: Page, home: str) -> None:
    page.goto(f"{home}/accounts/logout/")
    page.locator("main form button").first.click()
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()


def test_a_passkey_is_added_named_used_and_removed(open_page, home, ana, accessibility):
    """Before there is one the device has none to give; a second one, and one that is gone, are refused."""
    page = open_page(viewport=PHONE)
    device = device_of(page)
    page.goto(f"{home}/accounts/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("No passkey was used")
    heard = heard_by(page)
    sign_in(page)
    page.wait_for_url(f"{home}/")
    add(page, home)
    page.wait_for_url("**/recovery-codes/")
    expect(page.locator("#messages")).to_contain_text("Passkey added.")
    assert len(device("getCredentials")["credentials"]) == 1
    add(page, home, "The same again")
    expect(page.get_by_role("alert")).to_contain_text("already has a passkey")
    sign_out(page, home)

    page.goto(f"{home}/accounts/login/?next=/tokens/")
    if FULL:  # every day test_look.py looks at it
        assert accessibility(page) == []
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url(f"{home}/tokens/")  # whither they were going
    assert SecurityEvent.objects.filter(user=ana, kind="signed-in").count() == 2

    page.goto(f"{home}/accounts/2fa/webauthn/")
    assert accessibility(page) == []
    assert overflow(page) <= 0
    expect(page.locator("main")).to_contain_text("enough to sign in")
    page.get_by_role("link", name="Rename Laptop").click()
    prove(page)
    page.fill("[name=name]", "Old laptop")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Remove Old laptop").click()
    page.get_by_role("button", name="Remove").click()
    expect(page.locator("main")).to_contain_text("No passkey yet.")
    assert not Authenticator.objects.exists()  # the codes went with the last
    assert heard == []
    page.context.clear_cookies()
    page.goto(f"{home}/accounts/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.locator("#messages")).to_contain_text("Incorrect code.")
    assert page.url == f"{home}/accounts/login/"


def test_a_security_key_is_the_second_step_after_the_password(page, home, ana):
    """One that knows no finger and keeps no names: touched is enough here, the password was given."""
    device_of(page, transport="usb", hasResidentKey=False, hasUserVerification=False, isUserVerified=False)
    give_session(page, ana, home)
    add(page, home, alone=False)
    page.wait_for_url("**/recovery-codes/")
    page.context.clear_cookies()
    page.goto(f"{home}/accounts/login/")
    sign_in(page)
    page.wait_for_url("**/2fa/authenticate/")
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url(f"{home}/")
    expect(page.locator("details.account")).to_contain_text("ana")


def test_without_scripts_or_passkeys_everything_else_works(open_page, home, ana):
    page = open_page(java_script_enabled=False)
    page.goto(f"{home}/accounts/login/")
    sign_in(page)
    page.wait_for_url(f"{home}/")
    page.goto(f"{home}/accounts/2fa/webauthn/add/")
    prove(page)
    expect(page.get_by_text("Passkeys need JavaScript")).to_be_visible()
    expect(page.locator("#passkey-button")).to_be_hidden()
    old = open_page()
    old.add_init_script("delete window.PublicKeyCredential")
    old.goto(f"{home}/accounts/login/")
    expect(old.locator("#passkey-button")).to_be_hidden()
    expect(old.get_by_role("alert")).to_have_count(0)
    sign_in(old)
    old.wait_for_url(f"{home}/")
    old.goto(f"{home}/accounts/2fa/webauthn/add/")
    prove(old)
    expect(old.get_by_role("alert")).to_contain_text("doesn’t support passkeys")
