"""A client for playledger, a server of turn-based board games."""

from . import types
from .chain import Chain, Receipt, Share
from .client import Client
from .problem import Problem
from .stream import Told

__all__ = ["Chain", "Client", "Problem", "Receipt", "Share", "Told", "types"]
