"""Encryption of stored responses that contain a secret. Only repeated requests with the same
credentials can read them.
"""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings

from core.api.problems import IdempotencyReused


class Sealed:
    """View mixin, before `Idempotent`, that stores its responses encrypted."""

    def seal(self, request: Any, body: str) -> str:
        return _cipher(request).encrypt(body.encode()).decode()

    def unseal(self, request: Any, body: str) -> str:
        try:
            return _cipher(request).decrypt(body.encode()).decode()
        except InvalidToken as error:
            raise IdempotencyReused from error


def _cipher(request: Any) -> Fernet:
    secret = f"{settings.SECRET_KEY}\0{request.headers.get('Authorization', '')}"
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(secret.encode()).digest()))
