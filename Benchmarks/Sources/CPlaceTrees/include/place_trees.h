/*
 * place_trees.h: circular regions in the R-trees of Boost.Geometry, asked with the haversine formula.
 *
 * A value of a tree is a box in degrees around the circle and the circle's number; the circles themselves are kept in an
 * array beside it. Coordinates are taken as they are: no circle may reach over the antimeridian or a pole.
 */
#ifndef PLACE_TREES_H
#define PLACE_TREES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct place_circle {
    double latitude, longitude; /* degrees */
    double radius;              /* meters */
} place_circle;

typedef struct place_fix {
    double latitude, longitude; /* degrees */
} place_fix;

typedef struct place_tree place_tree;

/* Trees of `count` circles: made at once by the packing algorithm, or by inserting each with R*. place_tree_close frees. */
place_tree *place_tree_pack(const place_circle *circles, size_t count);
place_tree *place_tree_insert(const place_circle *circles, size_t count);
void place_tree_close(place_tree *tree);

/*
 * Looks for the circles around each fix and works out how far their centers are. Returns how many there were in all;
 * `meters` gets the sum of their distances, so that none is left out.
 */
size_t place_tree_count(const place_tree *tree, const place_fix *fixes, size_t count, double *meters);

/* Puts the numbers of the circles around a fix into `numbers`, which has room for all circles. Returns how many there are. */
size_t place_tree_around(const place_tree *tree, place_fix fix, uint32_t *numbers);

#ifdef __cplusplus
}
#endif

#endif
