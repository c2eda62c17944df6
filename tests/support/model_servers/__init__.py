"""A server on 127.0.0.1 that speaks the wire formats of the model providers, for tests with the real libraries."""

from .answers import Answer, Broken, Hang, Refusal, Say, Status, Use
from .server import Asked, ModelServer

__all__ = ["Answer", "Asked", "Broken", "Hang", "ModelServer", "Refusal", "Say", "Status", "Use"]
