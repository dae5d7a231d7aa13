"""How many calls are at work at once, those too that nobody waits for any more."""

from __future__ import annotations

import threading

import anyio
from anyio import to_thread

from clients import SECONDS
from loreweave.mcp.server import Places, in_thread


def test_a_call_that_is_cancelled_keeps_its_place_until_its_work_has_ended() -> None:
    places, order = Places(1), list[str]()
    begun, go = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        assert go.wait(SECONDS)
        order.append("cancelled")

    async def run() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(in_thread, work, places)
            await to_thread.run_sync(begun.wait)
            tasks.cancel_scope.cancel()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(in_thread, lambda: order.append("next"), places)
            for _ in range(20):
                await to_thread.run_sync(order.copy)  # what could begin has begun by then
            go.set()

    anyio.run(run)
    assert order == ["cancelled", "next"]


def test_a_call_that_is_cancelled_before_it_has_a_place_never_begins() -> None:
    places, unwanted = Places(1), threading.Event()
    unwanted.set()

    def work() -> str:
        try:
            return places.taken(lambda: "begun", unwanted)
        except TimeoutError:
            return "left"

    assert places.taken(work, threading.Event()) == "left"
    assert places.taken(lambda: "begun", threading.Event()) == "begun"
