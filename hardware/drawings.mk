# Draws the wiring drawings of the guide: `make -C hardware drawings`. A test fails if they are
# outdated.
LASERBOARD ?= ../.venv/bin/laserboard

.PHONY: drawings
drawings:
	@mkdir -p pictures
	@$(LASERBOARD) print wiring --board demo-10x8 --only plan --out pictures/wiring-demo.svg
	@$(LASERBOARD) print wiring --board demo-10x8 --only above --out pictures/strips-demo-above.svg
	@$(LASERBOARD) print wiring --board demo-10x8 --only below --out pictures/strips-demo-below.svg
	@$(LASERBOARD) print wiring --board full-10x8 --only plan --out pictures/wiring-full.svg
