#!/bin/sh
# The browser tests drive Debian's Chromium. Installs it where that is allowed, else says what to install.
set -eu
for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null 2>&1 && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing Chromium for the browser tests"
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null
else
    echo "The browser tests need Chromium: install it (Debian and Ubuntu: sudo apt install chromium), then try again." >&2
    exit 1
fi
