// One module for each kind of piece: the shape on the foot, with the tag's upper edge pointing up
// (+y). Kinds with the same body share a module.

// A prism in the upper right half. Its long side is a mirror that faces the lower left: light
// turns in the middle of the square.
module deflector() {
    half = 18 * unit;
    rotate(-45) difference() {
        union() {
            framed_glass(half, body_mm);
            translate([-half, 0, 0]) cube([2 * half, 2.4, body_mm]);
        }
        glints(half, body_mm);
    }
    block(body_mm, bottom = 0, top = 1) intersection() {
        offset(delta = -2) polygon(foot_outline);
        rotate(-45) translate([-30 * unit, 1]) square(60 * unit);
    }
}

// A thin wall with a mirror on both sides, on a turntable.
module switch() {
    half = 18 * unit;
    thick = 4.4 * unit;
    rotate(-45) difference() {
        union() {
            translate([-half, -thick / 2, 0]) cube([2 * half, thick, body_mm]);
            for (turn = [0, 180]) rotate(turn) translate([0, -thick / 2, 0]) framed_glass(half, body_mm);
        }
        for (turn = [0, 180]) rotate(turn) translate([0, -thick / 2, 0]) glints(half, body_mm);
    }
    block(2.4, bottom = 0, top = 1) circle(r = 13 * unit, $fn = 60);
}

// A shield in front, as wide as the foot, and the vulnerable body behind it.
module defender() {
    wall = 3.4 * unit;
    bend = 44 * unit;
    front = front_mm - 0.8;
    module curve(depth) {
        intersection() {
            difference() {
                translate([0, front - bend]) circle(r = bend, $fn = 180);
                translate([0, front - bend]) circle(r = bend - depth, $fn = 180);
            }
            translate([-20 * unit, 0]) square([40 * unit, 40 * unit]);
        }
    }
    module face(inset) {
        top = 16 * unit;
        foot = 5.5 * unit;
        offset(delta = -inset)
            polygon([[-foot, 0], [foot, 0], [top, top - foot], [top, body_mm], [-top, body_mm], [-top, top - foot]]);
    }
    module standing(inset) {
        translate([0, 30 * unit, 0]) rotate([90, 0, 0]) linear_extrude(30 * unit) face(inset);
    }
    difference() {
        intersection() {
            linear_extrude(body_mm) curve(wall);
            standing(0);
        }
        intersection() { // a line along its edge
            linear_extrude(body_mm) curve(0.7);
            difference() {
                standing(1.8 * unit);
                standing(3 * unit);
            }
        }
    }
    // Its boss.
    translate([0, front - 0.3, body_mm * 0.55]) rotate([-90, 45, 0]) cylinder(h = 1.1, r1 = 3.6 * unit, r2 = 2.4 * unit, $fn = 4);
    block(body_mm, bottom = 0, top = 1)
        polygon([for (p = [[-10.5, 10], [10.5, 10], [10.5, -5], [0, -15], [-10.5, -5]]) p * unit]);
    translate([-3 * unit, 8 * unit, 0]) cube([6 * unit, front - 9.5 * unit, body_mm]);
}

module bead(radius) {
    cylinder(h = radius, r1 = radius, r2 = radius * 0.3, $fn = 8);
    mirror([0, 0, 1]) cylinder(h = radius, r1 = radius, r2 = radius * 0.3, $fn = 8);
}

// A crown with eight points, the same from every side.
module king() {
    points = 8;
    low = 12.2 * unit;
    high = 16.2 * unit;
    wall = 2.2 * unit;
    tall = body_mm - 1.6;
    deep = tall * 0.6;
    difference() {
        rotate_extrude($fn = 48) polygon([[low - wall - 2, 0], [low, 0], [high, tall], [high - wall, tall], [low - wall, 2]]);
        for (i = [0:points - 1]) rotate((i + 0.5) * 360 / points)
            translate([0, 0, tall - deep]) rotate([90, 0, 90]) linear_extrude(30 * unit)
                polygon([[-0.6 * unit, 0], [0.6 * unit, 0], [5.6 * unit, deep + tiny], [-5.6 * unit, deep + tiny]]);
    }
    for (i = [0:points - 1]) rotate(i * 360 / points) {
        translate([high - wall / 2, 0, tall - 0.6]) bead(1.5 * unit);
        translate([low + (high - low) * 0.22 - 0.4, 0, tall * 0.25]) rotate([0, 90, 0])
            cylinder(h = 1.5 * unit, r1 = 2 * unit, r2 = 0.6 * unit, $fn = 4);
    }
    // The column widens only directly under the tray, so that the points stand free.
    rotate_extrude($fn = 32)
        polygon([for (p = [[0, 0], [11, 0], [6, 5]]) p * unit, [6 * unit, body_mm - 5 * unit], [9.8 * unit, body_mm - 1 * unit], [9.8 * unit, body_mm], [0, body_mm]]);
}

// A housing with cooling ribs and a gun in front.
module laser() {
    ribs = 4;
    difference() {
        block(body_mm, bottom = 0, top = 1)
            polygon([for (p = [[-13.5, -15.5], [13.5, -15.5], [13.5, 1.5], [7, 9], [-7, 9], [-13.5, 1.5]]) p * unit]);
        for (i = [0:ribs - 1], side = [-1, 1])
            translate([side * 13.5 * unit, (-13 + i * 3.8) * unit, body_mm * 0.16])
                rotate([90, 0, 0]) linear_extrude(1.6 * unit, center = true)
                    polygon([[-1.6, 0], [0, -1.6], [1.6, 0], [1.6, body_mm * 0.66], [0, body_mm * 0.66 + 1.6], [-1.6, body_mm * 0.66]]);
    }
    translate([0, 0, body_mm * 0.5]) gun(6 * unit, body_mm * 0.5, 4.6 * unit);
}

// A round turret with a gun in front.
module shooter() {
    radius = 13.2 * unit;
    rotate_about = [0, -3.2 * unit, 0];
    translate(rotate_about) rotate_extrude($fn = 60)
        polygon([
            [0, 0], [radius, 0], [radius, body_mm * 0.2], [radius - 1.6, body_mm * 0.2 + 1.6],
            [radius, body_mm * 0.2 + 3.2], [radius, body_mm * 0.8 - 3.2], [radius - 1.6, body_mm * 0.8 - 1.6],
            [radius, body_mm * 0.8], [radius, body_mm - 1], [radius - 1, body_mm], [0, body_mm],
        ]);
    translate([0, 0, body_mm * 0.5]) gun(6 * unit, body_mm * 0.5, 4.2 * unit);
}

// A wall of bricks on all four sides, with a stud for each of its two hit points.
module brick_block() {
    courses = 4;
    joint = 1.1;
    deep = 1;
    half = 15.5 * unit;
    tall = body_mm / courses;
    module plan() {
        intersection() {
            square(2 * half, center = true);
            offset(delta = -2) polygon(foot_outline);
        }
    }
    linear_extrude(body_mm) offset(delta = -deep) plan();
    // Bricks have chamfered edges, so that joints need no support.
    difference() {
        for (i = [0:courses - 1]) translate([0, 0, i * tall]) block(tall - joint / 2, bottom = i == 0 ? 0 : deep, top = joint / 2) plan();
        for (i = [0:courses - 1], side = [0:3], at = i % 2 == 0 ? [-0.5, 0.5] : [0]) rotate(90 * side)
            translate([at * half - joint / 2, half - deep, i * tall]) cube([joint, 2 * deep, tall - joint / 4]);
    }
    for (side = [0:3], at = [-1, 1]) rotate(90 * side)
        translate([at * 4.6 * unit, half - tiny, body_mm / 2]) rotate([-90, 45, 0])
            cylinder(h = 1.5, r1 = 2.6 * unit, r2 = 1.2 * unit, $fn = 4);
}

// A rocket, nose in front, with wings, a fin and flames behind.
module ship() {
    axis = body_mm * 0.45;
    radius = 6 * unit;
    span = min(15 * unit, axis + 1.5 * unit); // length of a wing
    back = -13 * unit;
    front = front_mm - 0.4;
    translate([0, 0, axis]) {
        eight_sided(radius, back, 2 * unit, radius);
        eight_sided(radius, 2 * unit - tiny, 10 * unit, radius * 0.72);
        eight_sided(radius * 0.72, 10 * unit - tiny, front, 0.5);
        translate([0, 0, -axis]) linear_extrude(axis)
            polygon([
                [-2.4 * unit, back], [2.4 * unit, back], [2.4 * unit, 9 * unit], [0.3, front], [-0.3, front], [-2.4 * unit, 9 * unit],
            ]);
        // Nozzle.
        eight_sided(radius * 0.95, back - 3 * unit, back + tiny, radius * 0.6);
    }
    // Wings, carried by slopes of 45 degrees.
    for (side = [0, 1]) mirror([side, 0, 0]) hull() {
        translate([0, 0, axis]) linear_extrude(1.4)
            polygon([[0, 5 * unit], [span, -9 * unit], [span, -15 * unit], [0, -11 * unit]]);
        translate([0, 0, axis - span + 1.5 * unit]) linear_extrude(tiny)
            polygon([[0, 5 * unit], [1.5 * unit, -9 * unit], [1.5 * unit, -15 * unit], [0, -11 * unit]]);
    }
    // The cockpit carries the tray.
    translate([0, 0, axis]) hull() {
        translate([0, -2 * unit, 0]) cylinder(h = tiny, r = 4 * unit, $fn = 40);
        translate([0, 0, body_mm - axis - 2]) cylinder(h = 2, r = 9.8 * unit, $fn = 40);
    }
}
