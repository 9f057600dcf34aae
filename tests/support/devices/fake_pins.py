"""gpiozero's mock pins on a manual clock, with callbacks that can be delayed or lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin  # type: ignore[import-untyped]

from controller.ports.devices import Clock


class Pins(MockFactory):  # type: ignore[misc]
    """The pins of a Pi 3. Delayed edges keep their timestamps."""

    def __init__(self, clock: Clock, pin_class: type[MockPin] = MockPin) -> None:
        super().__init__(pin_class=_on_the_clock(pin_class, self))
        self.clock = clock
        self.held_back: list[Callable[[], None]] | None = None
        self.lose_edges = False
        self.grounded: set[str] = set()  # pins connected to ground, such as "GPIO22"
        self.meanwhile: Callable[[], None] | None = None  # called once after a pin was read
        self.closed = False

    def ticks(self) -> float:
        return self.clock.now_ms() / 1000

    def let_go(self) -> None:
        held, self.held_back = self.held_back or [], None
        for call in held:
            call()

    def close(self) -> None:
        self.closed = True
        super().close()


class PwmPins(Pins):
    """The same with PWM pins."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock, MockPWMPin)


def _on_the_clock(pin_class: type[MockPin], pins: Pins) -> type[MockPin]:
    class Pin(pin_class):  # type: ignore[misc]
        def drive_high(self) -> None:
            if self.info.name in pins.grounded:
                self.drive_low()
            else:
                super().drive_high()

        def _get_state(self) -> bool:
            state: bool = super()._get_state()
            action, pins.meanwhile = pins.meanwhile, None
            if action is not None:
                action()
            return state

        def _call_when_changed(self) -> None:
            ticks, state = pins.ticks(), int(self._state)

            def call() -> None:
                watcher: Any = self.when_changed
                if watcher is not None:
                    watcher(ticks, state)

            if pins.held_back is not None:
                pins.held_back.append(call)
            elif not pins.lose_edges:
                call()

    return Pin
