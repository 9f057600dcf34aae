"""The public interface of `controller.devices`: `open_camera(url)`, `open_leds(url)` and so on.

Other packages import only `controller.devices.factory`, get objects with the protocols of
`controller.ports`, and never name a concrete device. Each function imports its driver when it is
called, because OpenCV alone takes longer to load than most commands run.
"""
