/* The tables of a game in which all shooters of both sides fire simultaneously. The Python engine fills
 * them field by field. */
#ifndef LASERBOARD_PHOTON_H
#define LASERBOARD_PHOTON_H

#include "core.h"

enum {
    PHOTON_CELLS = 100,
    PHOTON_PIECES = 42, /* per side, each with at most 6 moves */
    PHOTON_HITS = 4,    /* on one piece in one turn: at most one from each direction */
};

/* The features of an evaluation besides `worth`. Positive for Red, negative for Blue. */
enum {
    P_TEMPO,            /* has the move */
    P_REACH,            /* squares that the own beams touch, including those of the shooters */
    P_NEAR_KING,        /* touched squares at most two steps from the opponent's king */
    P_NEAR_OWN,         /* touched squares at most two steps from the own king */
    P_STRUCK,           /* value that the opponent would lose now, by any beam */
    P_STRUCK_NEXT,      /* the same, for the side to move only */
    P_KING_STRUCK,      /* the opponent's king would be lost now */
    P_KING_STRUCK_NEXT, /* the same, for the side to move only */
    P_CROSSED,          /* touched squares from which a beam can strike the opponent's king */
    P_CROSSED_NEXT,     /* the same, for the side to move only */
    P_CROSSED_OWN,      /* touched squares from which a beam can strike the own king */
    P_OPEN,             /* squares from which a beam can strike the own king */
    PHOTON_FEATURES
};

typedef struct {
    uint8_t hits[4][PIECES]; /* by heading: the next heading, or PHOTON_HIT */
    uint8_t damaged[PHOTON_HITS][PIECES]; /* the piece after 1, 2 ... hits */
    uint8_t owner[PIECES];
    uint8_t orientation[PIECES];
    uint8_t turned[2][PIECES]; /* clockwise and counter-clockwise; 0: not allowed */
    uint8_t is_king[PIECES];
    uint8_t is_shooter[PIECES];
    uint8_t ahead[4][PHOTON_CELLS]; /* by heading: the next square, or PHOTON_OFF */
    uint8_t near[PHOTON_CELLS][4];  /* the squares that a piece may step to */
    uint8_t near_count[PHOTON_CELLS];
    uint8_t meeting; /* whether beams that meet end */
    int32_t worth[PIECES]; /* for Red */
    int32_t weights[PHOTON_FEATURES]; /* in hundredths of a score */
} PhotonTables;

enum { PHOTON_HIT = 4, PHOTON_OFF = 255 };

/* Rules with a copy of `tables`. The caller frees them with `free`. NULL if memory is out. */
Rules *photon_rules(const PhotonTables *tables);

#endif
