#ifndef C_TWIN_VECTORS_H
#define C_TWIN_VECTORS_H

#include <stddef.h>

/* Returns the Euclidean distance of two vectors of `count` numbers, which may have any address. */
double twin_vector_distance(const void *left, const void *right, size_t count);

#endif
