// A tile of the light grid. Its walls keep the light of the squares apart. It lies on the LED strips,
// under the diffusing sheet. Tiles meet in the middle of a wall.
include <sizes.scad>

columns = 5;
rows = 4;
along_rows = true; // the strips run along the rows and cross the walls between columns

tiny = 0.01;
wall = 1.6;
opening_wide = strip_mm + 2;
opening_high = 4;

module tile() {
    size = [columns, rows] * cell_mm;
    difference() {
        union() {
            for (i = [0:columns]) wall_at(i, columns, size.y, false);
            for (i = [0:rows]) wall_at(i, rows, size.x, true);
        }
        // One opening for each line of LEDs, through the walls that it crosses.
        lines = along_rows ? rows * leds_down : columns * leds_across;
        pitch = cell_mm / (along_rows ? leds_down : leds_across);
        for (i = [0:lines - 1]) translate(along_rows ? [-1, (i + 0.5) * pitch, 0] : [(i + 0.5) * pitch, size.y + 1, 0])
            rotate([90, 0, along_rows ? 90 : 0]) linear_extrude(max(size) + 2) opening(pitch);
    }
}

// The roof has slopes of 45 degrees, so that it needs no support.
module opening(pitch) {
    half = min(opening_wide, pitch - wall) / 2;
    polygon([[-half, -1], [half, -1], [half, opening_high - half * 0.5], [half * 0.5, opening_high], [-half * 0.5, opening_high], [-half, opening_high - half * 0.5]]);
}

// Walls at the edge of a tile have half the thickness; the next tile has the other half.
module wall_at(i, count, length, lying) {
    from = i == 0 ? 0 : i * cell_mm - wall / 2;
    to = i == count ? i * cell_mm : i * cell_mm + wall / 2;
    translate(lying ? [0, from, 0] : [from, 0, 0]) cube(lying ? [length, to - from, grid_mm] : [to - from, length, grid_mm]);
}

tile();
