# Warhost beside a PostgreSQL of its own (docker-compose.yml); the embedded database stays unused here.
FROM python:3.13-slim AS build
WORKDIR /srv/warhost
COPY requirements.txt .
RUN python -m venv /opt/venv && /opt/venv/bin/pip install --no-cache-dir --require-hashes -r requirements.txt

FROM python:3.13-slim
RUN useradd --system --uid 10001 --home-dir /srv/warhost warhost
WORKDIR /srv/warhost
COPY --from=build /opt/venv /opt/venv
COPY . .
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    WARHOST_HOME=/var/lib/warhost \
    HOST=0.0.0.0 \
    PORT=8000
RUN mkdir -p /var/lib/warhost && SECRET_KEY=build DATABASE_URL=postgres://build python manage.py compilemo \
    && chown -R warhost:warhost /var/lib/warhost
USER warhost
VOLUME /var/lib/warhost
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://localhost:8000/readyz/', timeout=4)"]
CMD ["python", "manage.py", "serve"]
