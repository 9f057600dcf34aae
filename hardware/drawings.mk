# Drawings of the guide that Laserboard draws itself: `make -C hardware -f drawings.mk drawings`,
# or `include drawings.mk` in another Makefile. A test says when they are out of date.
LASERBOARD ?= ../.venv/bin/laserboard

.PHONY: drawings
drawings:
	@mkdir -p pictures
	@$(LASERBOARD) print wiring --board demo-10x8 --only plan --out pictures/wiring-demo.svg
	@$(LASERBOARD) print wiring --board demo-10x8 --only above --out pictures/strips-demo-above.svg
	@$(LASERBOARD) print wiring --board demo-10x8 --only below --out pictures/strips-demo-below.svg
	@$(LASERBOARD) print wiring --board full-10x8 --only plan --out pictures/wiring-full.svg
