/* The tables of a game with one laser per side. The Python engine fills them field by field. */
#ifndef LASERBOARD_LASER_H
#define LASERBOARD_LASER_H

#include "core.h"

enum { COLUMNS = 10, ROWS = 8, CELLS = COLUMNS * ROWS, SLOTS = 13 };

/* The features of an evaluation besides `worth`. Positive for Blue, negative for Red. */
enum {
    F_TEMPO,        /* has the move */
    F_REACH,        /* squares that the beam crosses */
    F_BOUNCE_OWN,   /* mirrors of the shooter that turn the beam */
    F_BOUNCE_OTHER, /* mirrors of the opponent that turn the beam */
    F_NEAR_KING,    /* squares beside the opponent's king that the beam crosses */
    F_NEAR_OWN,     /* squares beside the shooter's king that the beam crosses */
    F_AIMED,        /* the beam would capture an opponent's piece now */
    F_AIMED_NEXT,   /* the same, for the side to move only */
    F_BURNS,        /* the beam would capture a piece of the shooter now */
    F_BURNS_NEXT,   /* the same, for the side to move only */
    F_CROSSED,      /* squares of the beam from which a beam can strike the opponent's king */
    F_CROSSED_NEXT, /* the same, for the side to move only */
    F_OPEN,         /* squares from which a beam can strike the own king */
    F_SWITCHES,     /* switches that the beam meets */
    FEATURES
};

typedef struct {
    uint8_t hits[4][PIECES]; /* by heading: the next heading, HIT_KILLS or HIT_ENDS */
    uint8_t owner[PIECES];
    uint8_t orientation[PIECES];
    uint8_t turned[2][PIECES]; /* clockwise and counter-clockwise; 0: not allowed */
    uint8_t fold[PIECES];      /* the same for equivalent pieces */
    uint8_t near[2][CELLS][8]; /* by side: the squares that a piece may step to */
    uint8_t near_count[2][CELLS];
    uint8_t home[2][CELLS]; /* by owner: whether a piece may stand there */
    uint8_t swappable[PIECES];
    uint8_t is_switch[PIECES];
    uint8_t is_king[PIECES];
    uint8_t laser[2];              /* squares */
    int32_t worth[PIECES][CELLS];  /* for Blue */
    int32_t weights[FEATURES];
} LaserTables;

enum { HIT_KILLS = 4, HIT_ENDS = 5 };

/* Rules with a copy of `tables`. The caller frees them with `free`. NULL if memory is out. */
Rules *laser_rules(const LaserTables *tables);

#endif
