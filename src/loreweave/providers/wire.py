"""Questions to a server over HTTP: bounded in time, in size and in how often they are asked again.

No redirect is followed, so that neither a key nor a text goes to a host that nobody named. Every attempt that is made
again is logged.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from functools import cached_property, partial
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import attrs

from loreweave import __version__
from loreweave.providers.model import ProviderError, TextsRefused

if TYPE_CHECKING:
    import httpx2

LOG = logging.getLogger("loreweave.providers")

LONGEST_PAUSE = 60.0
"""Seconds that a server may ask to be left alone for; one that asks for more is not asked again."""

SHOWN = 200
"""Characters of what a server says that are shown."""

_AGAIN = {408, 409, 425, 429, 500, 502, 503, 504}
"""Answers after which the same question may be answered otherwise."""

_JSON = {"Content-Type": "application/json"}
_REFUSED = {400, 413, 422}
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class _Again(ProviderError):
    """What failed may do so no longer; ``pause`` is how many seconds the server asks to be left alone, if it does."""

    def __init__(self, message: str, hint: str, pause: float | None = None) -> None:
        super().__init__(message, hint)
        self.pause = pause


class Patience(NamedTuple):
    """How many seconds one answer may take, how often it is asked for again; ``is_firm`` waits no longer for anything.

    Otherwise looking up a name, and a server that says a little now and then, may take longer.
    """

    timeout_s: float
    retries: int
    is_firm: bool = False


@attrs.define(slots=False)
class Wire:
    """A server, and how it is asked. The key, from the environment variable of that name, is shown to nobody."""

    url: str
    patience: Patience
    key: str = ""
    key_name: str = ""

    def post(self, body: Mapping[str, object], most: int) -> Any:
        """Send one question as JSON and give the answer, of at most ``most`` bytes; raise ProviderError."""
        attempt = 0
        while True:
            try:
                return self._in_time(partial(self._once, body, most))
            except _Again as failed:
                seconds = 2.0**attempt if failed.pause is None else failed.pause
                attempt += 1
                if attempt > self.patience.retries or seconds > LONGEST_PAUSE:
                    raise ProviderError(failed.message, failed.hint) from None
                told = "%s It is asked again in %g s (%d of %d)."
                LOG.warning(told, failed.message, seconds, attempt, self.patience.retries)
            sleep(seconds)

    def close(self) -> None:
        """Let go of the connection."""
        if "_client" in self.__dict__:
            self._client.close()

    @cached_property
    def _client(self) -> httpx2.Client:
        try:
            import httpx2
        except ImportError:
            raise missing("httpx2") from None
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        headers["User-Agent"] = f"loreweave/{__version__}"
        is_near = urlsplit(self.url).hostname in _LOOPBACK  # a proxy is for what is farther away
        return httpx2.Client(timeout=self.patience.timeout_s, headers=headers, trust_env=not is_near)

    def _in_time(self, work: Callable[[], Any]) -> Any:
        """Do the work, in a thread that is left behind where it must not be waited for any longer."""
        if not self.patience.is_firm:
            return work()
        came: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        Thread(target=_do, args=(work, came), daemon=True).start()
        try:
            answer, failed = came.get(timeout=self.patience.timeout_s)
        except Empty:
            raise self._late() from None
        if failed is not None:
            raise failed
        return answer

    def _once(self, body: Mapping[str, object], most: int) -> Any:
        client = self._client
        import httpx2

        content = json.dumps(body).encode()
        until = monotonic() + self.patience.timeout_s
        try:
            with client.stream("POST", self.url, content=content, headers=_JSON) as response:
                said = self._read(response, until, most)
        except httpx2.TimeoutException:
            raise self._late() from None
        except (httpx2.InvalidURL, UnicodeError) as failed:
            told = f'[embedding] url "{self.url}" is no address: {failed}.'
            raise ProviderError(told, "correct it in lore/config.toml") from None
        except (httpx2.TransportError, httpx2.DecodingError) as failed:
            told = f'The embedding server at "{self.url}" cannot be asked: {str(failed) or type(failed).__name__}.'
            raise _Again(told, "start it, or correct [embedding] url in lore/config.toml") from None
        if response.status_code != 200:
            raise self._failed(response, said)
        try:
            return json.loads(said)
        except (ValueError, RecursionError):
            told = f'The embedding server at "{self.url}" answered what is no JSON: "{self._shown(said)}".'
            raise ProviderError(told, "correct [embedding] url in lore/config.toml") from None

    def _read(self, response: httpx2.Response, until: float, most: int) -> bytes:
        said = bytearray()
        for chunk in response.iter_bytes():
            said += chunk
            if len(said) > most:
                told = f'The embedding server at "{self.url}" answered more than {most:,} bytes.'
                raise ProviderError(told, "correct [embedding] url in lore/config.toml")
            if monotonic() > until:
                raise self._late()
        return bytes(said)

    def _late(self) -> _Again:
        told = f'The embedding server at "{self.url}" did not answer within {self.patience.timeout_s:g} s.'
        return _Again(told, "see whether it runs, or raise [embedding] timeout_s in lore/config.toml")

    def _failed(self, response: httpx2.Response, said: bytes) -> ProviderError:
        status = response.status_code
        told = f'The embedding server at "{self.url}" answered {status}'
        if response.is_redirect:
            where = response.headers["location"]
            return ProviderError(f'{told}, a redirect to "{where}".', "if that is right, make it [embedding] url")
        told += f': "{self._shown(said)}".' if said else "."
        if status in {401, 403}:
            held = f"{self.key_name} holds" if self.key_name else "[embedding] api_key_env names"
            return ProviderError(told, f"see that {held} a key that it takes")
        if status in _REFUSED:
            return TextsRefused(told, "see that [embedding] model is one that makes embeddings")
        if status in _AGAIN:
            return _Again(told, "try again later, or lower [embedding] batch_size", _asked_pause(response))
        return ProviderError(told, "correct [embedding] url and model in lore/config.toml")

    def _shown(self, said: bytes) -> str:
        text = said.decode("utf-8", "replace")
        return " ".join((text.replace(self.key, "…") if self.key else text)[: 4 * SHOWN].split())[:SHOWN]


def _do(work: Callable[[], Any], came: SimpleQueue[tuple[Any, BaseException | None]]) -> None:
    try:
        came.put((work(), None))
    except BaseException as failed:  # noqa: BLE001 - it is raised where the answer is waited for
        came.put((None, failed))


def missing(package: str) -> ProviderError:
    """Make the error for a library that is not installed."""
    told = f"The Python package {package} is needed for this embedding provider, and is not installed."
    return ProviderError(told, 'install it: pip install "loreweave[embedding]"')


def _asked_pause(response: httpx2.Response) -> float | None:
    """Give for how many seconds a server asks to be left alone."""
    said = response.headers.get("retry-after", "").strip()
    if said.isdecimal() and len(said) < 10:
        return float(said)
    try:
        until = parsedate_to_datetime(said)
        now = parsedate_to_datetime(response.headers.get("date", ""))
    except ValueError:
        return None
    return max((until - now).total_seconds(), 0.0) if bool(until.tzinfo) == bool(now.tzinfo) else None
