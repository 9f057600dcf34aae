/* The tables of a game whose shooters, any number a side, all fire at once: given by the engine. */
#ifndef LASERBOARD_PHOTON_H
#define LASERBOARD_PHOTON_H

#include "core.h"

enum {
    PHOTON_CELLS = 100,
    PHOTON_PIECES = 42, /* of a side, each with at most 6 moves */
    PHOTON_HITS = 4,    /* on one piece in one turn, at most: one from each side */
};

/* What a position is judged by besides `worth`; each counts for Red, and against it for Blue. */
enum {
    P_TEMPO,            /* to be to move */
    P_REACH,            /* squares that one's beams touch, those of the shooters included */
    P_NEAR_KING,        /* squares at most two steps from the other king that they touch */
    P_NEAR_OWN,         /* the same of one's own king */
    P_STRUCK,           /* what the other side would lose now, by whatever beam: its worth */
    P_STRUCK_NEXT,      /* the same for the side to move */
    P_KING_STRUCK,      /* the other king would be lost now */
    P_KING_STRUCK_NEXT, /* the same for the side to move */
    P_CROSSED,          /* squares that one's beams share with the ways to the other king */
    P_CROSSED_NEXT,     /* the same for the side to move */
    P_CROSSED_OWN,      /* squares that they share with the ways to one's own king */
    P_OPEN,             /* squares on ways that lead to one's own king */
    PHOTON_FEATURES
};

typedef struct {
    uint8_t hits[4][PIECES]; /* by heading: the heading to go on with, or PHOTON_HIT */
    uint8_t damaged[PHOTON_HITS][PIECES]; /* what is left after 1, 2 ... hits */
    uint8_t owner[PIECES];
    uint8_t orientation[PIECES];
    uint8_t turned[2][PIECES]; /* clockwise and counter-clockwise; 0: it may not */
    uint8_t is_king[PIECES];
    uint8_t is_shooter[PIECES];
    uint8_t ahead[4][PHOTON_CELLS]; /* by heading: the next square, or PHOTON_OFF */
    uint8_t near[PHOTON_CELLS][4];  /* where a piece may step from each square */
    uint8_t near_count[PHOTON_CELLS];
    uint8_t meeting; /* do beams that meet end? */
    int32_t worth[PIECES]; /* to Red */
    int32_t weights[PHOTON_FEATURES]; /* in hundredths of a score */
} PhotonTables;

enum { PHOTON_HIT = 4, PHOTON_OFF = 255 };

/* Rules made of a copy of `tables`; freed by `free`. NULL without memory. */
Rules *photon_rules(const PhotonTables *tables);

#endif
