"""One game as a pure state machine: `controller.session.step.step`."""
