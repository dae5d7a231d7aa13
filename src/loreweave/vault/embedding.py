"""The settings that say who turns texts into vectors, and what each provider must be told."""

from __future__ import annotations

from urllib.parse import urlsplit

import attrs

from loreweave.vault.settings import Written

NEEDED = {"ollama": ("model",), "openai": ("url", "model"), "onnx": ("path",)}
"""What each provider must be told."""

MOST = {"batch_size": 2_048, "retries": 10, "timeout_s": 3_600}

_SAMPLES = {"model": "nomic-embed-text", "url": "https://api.openai.com/v1", "path": "~/models/all-MiniLM-L6-v2"}


@attrs.frozen
class Embedding:
    """Who turns texts into vectors, and how it is asked; ``timeout_s`` is in seconds.

    A prefix of None is the one that the model's family was trained with.
    """

    provider: str = "none"
    url: str = ""
    model: str = ""
    path: str = ""
    batch_size: int = 32
    timeout_s: float = 120
    retries: int = 2
    query_prefix: str | None = None
    document_prefix: str | None = None
    api_key_env: str = ""


def embedding(written: Written) -> Embedding:
    """Read the section; raise VaultError, with the line, for a provider that is told too little, or what is too much.

    What a provider is not told does not matter where there is none.
    """
    said = Embedding(**written.section("embedding"))
    for name, most in MOST.items():
        value = getattr(said, name)
        if value > most:
            raise written.wrong(("embedding", name), f"[embedding] {name} is {value}", f"it may be up to {most:,}")
    for name in NEEDED.get(said.provider, ()):
        if not getattr(said, name).strip():
            what = f'[embedding] provider "{said.provider}" needs {name}, which is not set'
            raise written.wrong(("embedding", "provider"), what, f'write {name} = "{_SAMPLES[name]}" or the like')
    if said.url and said.provider in ("ollama", "openai"):
        _refuse_no_address(written, said.url)
    return said


def _refuse_no_address(written: Written, url: str) -> None:
    place, hint = ("embedding", "url"), 'write it as "http://localhost:11434" or the like'
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address or any(not sign.isprintable() or sign.isspace() for sign in url):
        raise written.wrong(place, f'[embedding] url is "{url}", which is no address', hint)
    if parts.username is not None or parts.password is not None:
        what = "[embedding] url holds a name or a password"
        raise written.wrong(place, what, "take it out: a key stands in the environment variable that api_key_env names")
    if parts.query or parts.fragment:
        what = f'[embedding] url is "{url}", which has more than a path'
        raise written.wrong(place, what, "end it before the ? or #")
