"""Room: the laws.

Lives here: pure decisions (batching, throttle, window, prompt budget, time context, delivery
policy, retry and breaker). No I/O, no await.
May import: app.domain, app.errors. Touches: nothing.
Tested by: tests/unit, with tables and properties.
"""
