"""Mail backend for development: prints mail while EMAIL_URL names no server.

Such a mail may hold a key (a new password, a confirmed address). Its text is printed where somebody sits before a
terminal; what goes into a log says no more than that there was one.
"""

from __future__ import annotations

from typing import Any

from django.core.mail.backends.console import EmailBackend

DEVELOPMENT = "For development: this mail is printed and not sent, for EMAIL_URL names no server."
KEPT_BACK = "Its text is printed on a terminal only, for it may hold a link that opens an account."


class ConsoleMail(EmailBackend):
    def write_message(self, message: Any) -> None:
        self.stream.write(f"{DEVELOPMENT}\n")
        if self.stream.isatty():
            super().write_message(message)
            return
        self.stream.write(f"Subject: {' '.join(str(message.subject).split())}\n{KEPT_BACK}\n")
