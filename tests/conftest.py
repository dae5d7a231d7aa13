"""How hard the laws are tried: `HYPOTHESIS_PROFILE=deep` tries each a thousand times or more."""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, Phase, settings

_TRIED = {
    "deadline": None,
    "derandomize": True,
    "database": None,
    "phases": (Phase.explicit, Phase.generate, Phase.shrink),
    "suppress_health_check": list(HealthCheck),
}

settings.register_profile("default", max_examples=40, **_TRIED)
settings.register_profile("deep", max_examples=1000, **_TRIED)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# A shell's `&` starts programs that ignore it, and what they start would too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
