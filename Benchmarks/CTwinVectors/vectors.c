#include "CTwinVectors.h"

#include <math.h>
#include <string.h>

/* The sums of the library, in the same order, so that the results are equal. */
typedef float lane __attribute__((vector_size(16)));

static inline lane load(const unsigned char *bytes) {
  lane numbers;
  memcpy(&numbers, bytes, sizeof numbers);
  return numbers;
}

double twin_vector_distance(const void *left, const void *right, size_t count) {
  const unsigned char *l = left, *r = right;
  lane a = {0}, b = {0}, c = {0}, d = {0};
  size_t place = 0;
  for (; place + 16 <= count; place += 16, l += 64, r += 64) {
    const lane w = load(l) - load(r), x = load(l + 16) - load(r + 16);
    const lane y = load(l + 32) - load(r + 32), z = load(l + 48) - load(r + 48);
    a += w * w;
    b += x * x;
    c += y * y;
    d += z * z;
  }
  const lane all = (a + b) + (c + d);
  float total = (all[0] + all[1]) + (all[2] + all[3]);
  for (; place < count; place++, l += 4, r += 4) {
    float one, other;
    memcpy(&one, l, sizeof one);
    memcpy(&other, r, sizeof other);
    total += (one - other) * (one - other);
  }
  return sqrt((double)total);
}
