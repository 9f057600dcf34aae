// The camera mast: foot, elbow and head on two round tubes, and a plate for the camera. Parts lie as
// they are printed. M4 bolts and nuts hold the tubes.
include <sizes.scad>

part = "foot"; // foot, elbow, head, pi, webcam

$fn = 64;
tiny = 0.01;
bore = tube_mm + 2 * tube_gap_mm;
wall = 5;
grip = 45;       // length of tube in a sleeve
bolt = 4.4;      // M4
nut_wide = 7.3;  // M4, across its flats
nut_deep = 3.5;
around = bore + 2 * wall;
over = 10;       // height above a horizontal tube, for nut and bolt

// A horizontal hole for a tube along y. Its roof is a short bridge, so that it needs no support.
module lying_bore(length) {
    rotate([-90, 0, 0]) linear_extrude(length) {
        circle(d = bore);
        intersection() {
            rotate(45) square(bore, center = true);
            // Only above the points where its sides touch the circle, up to the bridge.
            translate([-bore, -bore / 2 - 0.8]) square([2 * bore, 0.8 + bore / 2 * (1 - cos(45))]);
        }
    }
}

// A bolt from above, and the slot for its nut from the side.
module bolt_from_above(roof) {
    cylinder(d = bolt, h = roof + 1);
    translate([-nut_wide / 2, -nut_wide / 2, bore / 2 + 3]) cube([around, nut_wide, nut_deep]);
}

// A sleeve along y from the middle of a joint outwards, the tube's axis at z = 0.
module sleeve(length) {
    difference() {
        translate([-around / 2, 0, -bore / 2 - wall]) cube([around, length, bore + wall + over]);
        translate([0, length - grip, 0]) lying_bore(grip + 1);
        translate([0, length - grip / 2, 0]) bolt_from_above(bore / 2 + over);
    }
}

module flange_foot() {
    size = 120;
    thick = 6;
    high = 70;
    difference() {
        union() {
            hull() for (x = [-1, 1], y = [-1, 1]) translate([x, y, 0] * (size / 2 - 10)) cylinder(r = 10, h = thick);
            cylinder(d = around + 4, h = high);
            // Ribs, and the boss that holds nut and bolt.
            for (turn = [0:90:270]) rotate(turn + 45) rotate([90, 0, 0]) linear_extrude(6, center = true)
                polygon([[0, 0], [size / 2 - 2, 0], [size / 2 - 2, thick], [around / 2, high - 12], [0, high - 12]]);
            translate([0, -8, 0]) cube([bore / 2 + 14, 16, high]);
        }
        translate([0, 0, thick]) cylinder(d = bore, h = high);
        translate([0, 0, high - 18]) rotate([0, 90, 0]) cylinder(d = bolt, h = size);
        translate([bore / 2 + 4, -nut_wide / 2, high - 18 - nut_wide / 2]) cube([nut_deep, nut_wide, high]);
        // Wood screws of 5 mm, or any clamp on the plate.
        for (x = [-1, 1], y = [-1, 1]) translate([x, y, 0] * (size / 2 - 12)) {
            translate([0, 0, -1]) cylinder(d = 5.2, h = thick + 2);
            translate([0, 0, thick - 2.6]) cylinder(d1 = 5.2, d2 = 10.4, h = 2.6 + tiny);
        }
    }
}

module elbow() {
    low = bore / 2 + wall;
    translate([0, 0, low]) {
        translate([-around / 2, -around / 2, -low]) cube([around, around, low + bore / 2 + over]);
        // Each sleeve begins at the side of the corner block.
        translate([0, around / 2 - tiny, 0]) sleeve(grip);
        rotate(-90) mirror([1, 0, 0]) translate([0, around / 2 - tiny, 0]) sleeve(grip);
        // A gusset in the inner corner, clear of the nuts.
        translate([around / 2 - tiny, around / 2 - tiny, -low]) linear_extrude(low + bore / 2)
            polygon([[0, 0], [14, 0], [0, 14]]);
    }
}

hinge_thick = 8;
hinge_round = 9;
hinge_reach = 26;
// The tongue is printed on the bed, so in use it has this offset from the arm's axis. The fork has
// the same offset: the lens is below the axis.
beside = bore / 2 + wall - hinge_thick / 2;

module arm_head() {
    low = bore / 2 + wall;
    translate([0, 0, low]) sleeve(grip + 4);
    // The tongue that the camera's fork holds: it points down when the arm is in use.
    translate([-around / 2, 14, 0]) difference() {
        hull() {
            translate([-hinge_reach, 0, 0]) cylinder(r = hinge_round, h = hinge_thick);
            translate([0, -14, 0]) cube([1, 28, hinge_thick]);
        }
        translate([-hinge_reach, 0, -1]) cylinder(d = bolt, h = hinge_thick + 2);
    }
}

// Two ears around the tongue: the hinge's axis lies along x.
module fork() {
    gap = hinge_thick + 0.6;
    ear = 5.5;
    high = hinge_round + 5;
    for (side = [0, 1]) mirror([side, 0, 0]) translate([gap / 2, 0, 0]) difference() {
        rotate([90, 0, 90]) linear_extrude(ear) hull() {
            translate([0, high]) circle(r = hinge_round);
            translate([-hinge_round, 0]) square([2 * hinge_round, 1]);
        }
        translate([-1, 0, high]) rotate([0, 90, 0]) cylinder(d = bolt, h = ear + 2);
        if (side == 1) translate([ear - nut_deep + 0.6, 0, high]) rotate([0, 90, 0]) cylinder(d = nut_wide / cos(30), h = nut_deep, $fn = 6);
    }
}

fork_at = -24;

module plate(thick) {
    left = -beside - 12;
    translate([left, fork_at - 12, 0]) cube([16 - left, 56, thick]);
}

// The Raspberry Pi camera modules 1 to 3: holes 21 x 12.5 mm apart, the lens looks through the
// window. Ears and module are on the same side, which is the upper one in use.
module pi_plate() {
    thick = 3;
    rise = 2;
    holes = [21, 12.5];
    difference() {
        union() {
            plate(thick);
            for (x = [-1, 1], y = [0, 1]) translate([x * holes.x / 2, y * holes.y, 0]) cylinder(d = 5, h = thick + rise);
        }
        for (x = [-1, 1], y = [0, 1]) translate([x * holes.x / 2, y * holes.y, -1]) cylinder(d = 2.3, h = 20);
        // Wider below, so that a wide lens sees no edge of it.
        translate([0, 4, 0]) hull() {
            translate([0, 0, thick]) cube([13, 23, tiny], center = true);
            translate([0, 0, -tiny]) cube([13 + 2 * thick, 23 + 2 * thick, tiny], center = true);
        }
    }
    translate([-beside, fork_at, 0]) fork();
}

// Any webcam with the thread of a tripod, 1/4 inch: a bolt from above, 10 to 12 mm long.
module webcam_plate() {
    thick = 6;
    difference() {
        plate(thick);
        translate([0, 6, -1]) cylinder(d = 6.8, h = thick + 2);
        translate([0, 6, thick - 3]) cylinder(d = 11.4 / cos(30), h = 4, $fn = 6);
    }
    translate([-beside, fork_at, 0]) fork();
}

if (part == "foot") flange_foot();
if (part == "elbow") elbow();
if (part == "head") arm_head();
if (part == "pi") pi_plate();
if (part == "webcam") webcam_plate();
