"""Providers turn texts into vectors: the door to the network, and to models on this disk. None is the default.

A server is asked over HTTP, a model in a folder is run here. Their libraries are imported when they are first needed.
"""

from __future__ import annotations

from pathlib import Path

from loreweave.providers.model import Provider, ProviderError, Settings
from loreweave.providers.prefixes import prefixes


def open_provider(settings: Settings, root: Path, *, at_most: float | None = None) -> Provider:
    """Give the provider that settings name, not ``none``; a path is relative to the root. Raise ProviderError.

    ``at_most`` is how many seconds a server may take for an answer; then it is not asked a second time.
    """
    query, document = prefixes(settings.model or settings.path.rstrip("/"))
    query = query if settings.query_prefix is None else settings.query_prefix
    document = document if settings.document_prefix is None else settings.document_prefix
    if settings.provider == "onnx":
        from loreweave.providers.onnx import LocalModel

        try:
            folder = root / Path(settings.path).expanduser()
        except RuntimeError:
            told = f'[embedding] path is "{settings.path}", and there is no such home folder.'
            raise ProviderError(told, "write the whole path") from None
        model = LocalModel(folder, settings.path)
        return Provider(f"onnx {model.digest()}", query, document, model.make, model.close)
    from loreweave.providers import servers
    from loreweave.providers.wire import Patience

    patience = Patience(settings.timeout_s, settings.retries)
    if at_most is not None:
        patience = Patience(min(settings.timeout_s, at_most), 0, is_firm=True)
    make, wire = (servers.ollama if settings.provider == "ollama" else servers.openai)(settings, patience)
    return Provider(f"{settings.provider} {wire.url} {settings.model}", query, document, make, wire.close)
