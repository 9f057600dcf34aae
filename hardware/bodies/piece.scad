// One printable part of a piece: its body or its tray. Sizes come from a board file:
//     laserboard bodies render --board ./mine.yaml
// writes the STL files. Opened in OpenSCAD, this file shows a piece of the demo board.
include <sizes.scad>
include <shapes.scad>
include <kinds.scad>

part = "both"; // body, tray, or both to look at
kind = "deflector";

module body() {
    foot();
    translate([0, 0, foot_mm - tiny]) {
        if (kind == "laser") laser();
        else if (kind == "deflector") deflector();
        else if (kind == "defender") defender();
        else if (kind == "switch") switch();
        else if (kind == "king") king();
        else if (kind == "shooter") shooter();
        else if (kind == "block") brick_block();
        else if (kind == "ship") ship();
        else assert(false, str("there is no body for a ", kind, ": add one to kinds.scad"));
    }
    keys(side = kind != "switch", middle = kind != "deflector");
}

if (part != "tray") body();
if (part == "tray") tray();
if (part == "both") translate([0, 0, cap_height_mm - tray_mm]) tray();
