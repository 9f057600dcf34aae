// Common shapes of all bodies. x points right, y to the front of the piece, z up.
// Literal lengths are millimetres of a piece with a cap of 34 mm; `unit` scales them.

unit = cap_mm / 34;
body_mm = cap_height_mm - foot_mm - tray_mm; // between the foot and the tray
tiny = 0.01;

// A vertical prism with chamfered lower and upper edges.
module block(height, bottom = 0.6, top = 0.6) {
    hull() {
        linear_extrude(tiny) offset(delta = -bottom) children();
        translate([0, 0, bottom]) linear_extrude(height - bottom - top) children();
        translate([0, 0, height - tiny]) linear_extrude(tiny) offset(delta = -top) children();
    }
}

// The point that shows the front, visible and tangible.
module nose(front) {
    half = 4 * unit;
    polygon([[-half, front - 2], [half, front - 2], [half, front], [0, front + nose_mm], [-half, front]]);
}

module foot() {
    block(foot_mm) polygon(foot_outline);
    block(foot_mm) nose(front_mm);
}

// Two keys join body and tray in one orientation only. A switch is symmetric under half a turn and
// needs only the middle key.
module side_key(grow = 0) {
    rotate(-45) translate([-4 * unit - grow, 5 * unit - grow]) square([8 * unit + 2 * grow, 3 * unit + 2 * grow]);
}

module middle_key(grow = 0) {
    rotate(-45) translate([-8 * unit - grow, -1.5 * unit - grow]) square([16 * unit + 2 * grow, 3 * unit + 2 * grow]);
}

module keys(side = true, middle = true) {
    translate([0, 0, foot_mm + body_mm - tiny]) linear_extrude(key_mm + tiny) {
        if (side) side_key();
        if (middle) middle_key();
    }
}

// The plate under the tag, printed as it lies here: the seat on top, the sockets below.
module tray() {
    difference() {
        union() {
            block(tray_mm, top = 0) offset(delta = seat_gap_mm + rim_mm) polygon(cap_outline);
            block(tray_mm, top = 0) nose(front_mm);
        }
        translate([0, 0, tray_mm - paper_mm]) linear_extrude(paper_mm + 1) {
            offset(delta = seat_gap_mm) polygon(cap_outline);
            // The arrow in the rim: where the tag's upper edge lies.
            nose(front_mm - rim_mm - 0.4);
        }
        translate([0, 0, -1]) linear_extrude(1 + key_mm + 0.3) {
            side_key(key_gap_mm);
            middle_key(key_gap_mm);
        }
    }
}

// A prism along y with eight sides, flat below; narrower in front if `tip` is less than `radius`.
module eight_sided(radius, from, to, tip) {
    translate([0, from, 0]) rotate([-90, 22.5, 0])
        cylinder(h = to - from, r1 = radius / cos(22.5), r2 = tip / cos(22.5), $fn = 8);
}

// A gun along y: barrel, a tip like an arrow's, a bore, and a fin below that carries it all.
module gun(from, axis, radius) {
    front = front_mm - 0.4;
    head = 9 * unit; // length of the tip
    difference() {
        union() {
            eight_sided(radius, from, front - head + tiny, radius);
            eight_sided(radius * 1.65, front - head, front, radius * 0.75);
            translate([0, 0, -axis]) linear_extrude(axis)
                polygon([
                    [-radius * 0.42, from], [radius * 0.42, from],
                    [radius * 0.42, front - head - radius * 0.7], [radius * 0.68, front - head],
                    [radius * 0.31, front], [-radius * 0.31, front],
                    [-radius * 0.68, front - head], [-radius * 0.42, front - head - radius * 0.7],
                ]);
        }
        eight_sided(radius * 0.45, front - 10 * unit, front + 1, radius * 0.45);
    }
}

// A mirror's face in the plane y = 0, seen from below it: a frame, the glass set back from it, and
// two glints. `half` is half its width. The frame stands out by `frame_mm`; foil lies in it.
module framed_glass(half, height) {
    edge = 2.2 * unit;
    difference() {
        translate([-half, -frame_mm, 0]) cube([2 * half, frame_mm + tiny, height]);
        translate([0, 0, 0]) rotate([90, 0, 90]) translate([0, 0, edge - half]) linear_extrude(2 * (half - edge))
            polygon([
                [0, edge], [-frame_mm - 1, edge], [-frame_mm - 1, height - edge + frame_mm + 1], [0, height - edge],
            ]);
    }
}

module glints(half, height) {
    for (shift = [-0.42, -0.18])
        translate([shift * half, 0.5, height * 0.5]) rotate([90, 0, 0])
            linear_extrude(2) rotate(-30) square([1.3 * unit, height * 0.5], center = true);
}
