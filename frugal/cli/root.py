"""Provisional."""
import os
from frugal.engine import build_engine
from frugal.settings import Options, load_settings

def run(argv: list[str]) -> int:
    from frugal.server import serve
    engine = build_engine(load_settings(Options(), os.environ))
    return serve(engine.open(engine.registry.default()))
