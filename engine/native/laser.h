/* The tables of a game with one laser a side: given by the engine, field by field. */
#ifndef LASERBOARD_LASER_H
#define LASERBOARD_LASER_H

#include "core.h"

enum { COLUMNS = 10, ROWS = 8, CELLS = COLUMNS * ROWS, SLOTS = 13 };

/* What a position is judged by besides `worth`; each counts for Blue, and against it for Red. */
enum {
    F_TEMPO,        /* to be to move */
    F_REACH,        /* squares that the beam crosses */
    F_BOUNCE_OWN,   /* mirrors of the shooter that turn it */
    F_BOUNCE_OTHER, /* mirrors of the other side that turn it */
    F_NEAR_KING,    /* squares beside the other king that it crosses */
    F_NEAR_OWN,     /* squares beside the shooter's king that it crosses */
    F_AIMED,        /* it would hit something of the other side now */
    F_AIMED_NEXT,   /* the same for the side to move */
    F_BURNS,        /* it would hit something of the shooter now */
    F_BURNS_NEXT,   /* the same for the side to move */
    F_CROSSED,      /* crossings of the beam with the ways that lead to the other king */
    F_CROSSED_NEXT, /* the same for the side to move */
    F_OPEN,         /* squares on ways that lead to one's own king */
    F_SWITCHES,     /* switches that the shooter's beam meets */
    FEATURES
};

typedef struct {
    uint8_t hits[4][PIECES]; /* by heading: the heading to go on with, HIT_KILLS or HIT_ENDS */
    uint8_t owner[PIECES];
    uint8_t orientation[PIECES];
    uint8_t turned[2][PIECES]; /* clockwise and counter-clockwise; 0: it may not */
    uint8_t fold[PIECES];      /* pieces that play alike as one */
    uint8_t near[2][CELLS][8]; /* by side: where a piece may step from each square */
    uint8_t near_count[2][CELLS];
    uint8_t home[2][CELLS]; /* by owner: may a piece stand there? */
    uint8_t swappable[PIECES];
    uint8_t is_switch[PIECES];
    uint8_t is_king[PIECES];
    uint8_t laser[2];              /* squares */
    int32_t worth[PIECES][CELLS];  /* to Blue */
    int32_t weights[FEATURES];
} LaserTables;

enum { HIT_KILLS = 4, HIT_ENDS = 5 };

/* Rules made of a copy of `tables`; freed by `free`. NULL without memory. */
Rules *laser_rules(const LaserTables *tables);

#endif
