#include "CMagicRuntime.h"

#include <float.h>
#include <math.h>
#include <string.h>

/*
 The compiler translates operations on these four numbers to one instruction of every supported
 processor. Several sums are computed side by side, because an addition waits for the one before.
*/
typedef float lane __attribute__((vector_size(16)));
enum { lane_width = 4, stride = 16 };

/* The numbers may have any address: SQLite stores bytes without alignment. */
static inline lane load(const unsigned char *bytes) {
  lane numbers;
  memcpy(&numbers, bytes, sizeof numbers);
  return numbers;
}

static inline float load_one(const unsigned char *bytes) {
  float number;
  memcpy(&number, bytes, sizeof number);
  return number;
}

static inline float sum(lane a, lane b, lane c, lane d) {
  const lane all = (a + b) + (c + d);
  return (all[0] + all[1]) + (all[2] + all[3]);
}

/*
 Sums of squares between these limits have lost no digits that count: with smaller ones, squares may
 have been rounded to zero, and larger ones have overflowed. The comparison with NaN is false.
*/
static inline bool is_precise(float squares) { return squares >= 1e-30f && squares <= FLT_MAX; }

/* The sums in double precision, whose range is that of all products of two floats. */
typedef struct {
  double product, left_square, right_square, difference_square;
} exact_sums;

static exact_sums exact(const unsigned char *left, const unsigned char *right, size_t count) {
  exact_sums sums = {0, 0, 0, 0};
  for (size_t place = 0; place < count; place++) {
    const double l = load_one(left + 4 * place), r = load_one(right + 4 * place);
    sums.product += l * r;
    sums.left_square += l * l;
    sums.right_square += r * r;
    sums.difference_square += (l - r) * (l - r);
  }
  return sums;
}

static double euclidean(const unsigned char *left, const unsigned char *right, size_t count) {
  lane a = {0}, b = {0}, c = {0}, d = {0};
  size_t place = 0;
  for (; place + stride <= count; place += stride) {
    const unsigned char *l = left + 4 * place, *r = right + 4 * place;
    const lane w = load(l) - load(r), x = load(l + 16) - load(r + 16);
    const lane y = load(l + 32) - load(r + 32), z = load(l + 48) - load(r + 48);
    a += w * w;
    b += x * x;
    c += y * y;
    d += z * z;
  }
  float total = sum(a, b, c, d);
  for (; place < count; place++) {
    const float difference = load_one(left + 4 * place) - load_one(right + 4 * place);
    total += difference * difference;
  }
  if (!is_precise(total)) return sqrt(exact(left, right, count).difference_square);
  return sqrt((double)total);
}

static double dot_product(const unsigned char *left, const unsigned char *right, size_t count) {
  lane a = {0}, b = {0}, c = {0}, d = {0};
  size_t place = 0;
  for (; place + stride <= count; place += stride) {
    const unsigned char *l = left + 4 * place, *r = right + 4 * place;
    a += load(l) * load(r);
    b += load(l + 16) * load(r + 16);
    c += load(l + 32) * load(r + 32);
    d += load(l + 48) * load(r + 48);
  }
  float total = sum(a, b, c, d);
  for (; place < count; place++) total += load_one(left + 4 * place) * load_one(right + 4 * place);
  if (!is_precise(fabsf(total))) return -exact(left, right, count).product;
  return -(double)total;
}

static double cosine(const unsigned char *left, const unsigned char *right, size_t count) {
  const lane zero = {0};
  lane product = zero, left_square = zero, right_square = zero;
  lane product2 = zero, left_square2 = zero, right_square2 = zero;
  size_t place = 0;
  for (; place + 2 * lane_width <= count; place += 2 * lane_width) {
    const lane l = load(left + 4 * place), r = load(right + 4 * place);
    const lane l2 = load(left + 4 * place + 16), r2 = load(right + 4 * place + 16);
    product += l * r;
    left_square += l * l;
    right_square += r * r;
    product2 += l2 * r2;
    left_square2 += l2 * l2;
    right_square2 += r2 * r2;
  }
  float dot = sum(product, product2, zero, zero);
  float left_length = sum(left_square, left_square2, zero, zero);
  float right_length = sum(right_square, right_square2, zero, zero);
  for (; place < count; place++) {
    const float l = load_one(left + 4 * place), r = load_one(right + 4 * place);
    dot += l * r;
    left_length += l * l;
    right_length += r * r;
  }
  double similarity = dot / sqrt((double)left_length * (double)right_length);
  if (!is_precise(left_length) || !is_precise(right_length)) {
    const exact_sums sums = exact(left, right, count);
    /* Two roots, because the product of the squares may be outside of the range of a double. */
    similarity = sums.product / (sqrt(sums.left_square) * sqrt(sums.right_square));
  }
  /* Rounding may exceed the range of a cosine. A comparison with NaN is false. */
  if (similarity > 1) return 0;
  if (similarity < -1) return 2;
  return 1 - similarity;
}

double magic_vector_distance(
    const void *left, const void *right, size_t count, magic_vector_metric metric) {
  double distance = NAN;
  switch (metric) {
    case magic_vector_euclidean: distance = euclidean(left, right, count); break;
    case magic_vector_cosine: distance = cosine(left, right, count); break;
    case magic_vector_dot_product: distance = dot_product(left, right, count); break;
  }
  return isnan(distance) ? INFINITY : distance;
}
