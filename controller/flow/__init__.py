"""The parts of a game's flow that `controller.session.step` is made of. All of them are pure."""
