import MagicRuntime

extension Functions {
  /// Distances of vectors, which are stored as bytes: four for each number, the least significant first.
  /// PostgreSQL has no function that reads a floating-point number from bytes, so these compute it from
  /// its bits, in double precision.
  static var vectors: [String] { [numbersOfVector, distance] }

  /// The numbers of a vector; NULL if the bytes are not whole numbers.
  private static var numbersOfVector: String {
    block(
      "magic_vector(vector bytea)", "double precision[]", isParallelSafe: true,
      """
      DECLARE
        numbers double precision[] := '{}';
        high integer;
      \(scales)
      BEGIN
        IF octet_length(vector) % 4 <> 0 THEN RETURN NULL; END IF;
        FOR place IN 0..octet_length(vector) - 4 BY 4 LOOP
          high := \(high);
          numbers := numbers || \(number);
        END LOOP;
        RETURN numbers;
      END
      """)
  }

  /// The distance of a vector to the numbers of another one, by the number of a metric. It is infinite where
  /// `VectorComputation.distance` is. The declared cost lets the server check other conditions first, and
  /// compute a selected distance after the limit of a query.
  private static var distance: String {
    block(
      "magic_distance(vector bytea, numbers double precision[], metric bigint)", "double precision",
      isStrict: false, isParallelSafe: true, cost: 10_000,
      """
      DECLARE
        product double precision := 0;
        squares double precision := 0;
        other_squares double precision := 0;
        place integer := 0;
        high integer;
        x double precision;
        y double precision;
      \(scales)
      BEGIN
        IF vector IS NULL OR octet_length(vector) IS DISTINCT FROM 4 * cardinality(numbers)
          OR octet_length(vector) = 0
        THEN
          RETURN 'Infinity';
        END IF;
        CASE metric
        WHEN \(VectorMetric.euclidean.rawValue) THEN
          \(loop("x := \(number) - y; squares := squares + x * x;"))
          x := sqrt(squares);
        WHEN \(VectorMetric.cosine.rawValue) THEN
          \(loop("x := \(number); product := product + x * y; squares := squares + x * x; other_squares := other_squares + y * y;"))
          -- Two roots, because the product of the squares may be out of range. Rounding may exceed the
          -- range of a cosine. NaN is greater than all numbers.
          x := product / nullif(sqrt(squares), 0) / nullif(sqrt(other_squares), 0);
          IF x <> 'NaN' THEN x := 1 - least(greatest(x, -1), 1); END IF;
        ELSE
          \(loop("product := product + \(number) * y;"))
          x := -product;
        END CASE;
        RETURN coalesce(nullif(x, 'NaN'), 'Infinity');
      END
      """)
  }

  /// A loop over the numbers `y`, and the places of those of the vector.
  private static func loop(_ statements: String) -> String {
    "FOREACH y IN ARRAY numbers LOOP high := \(high); \(statements) place := place + 4; END LOOP;"
  }

  /// The sign, the exponent, and the first seven bits of the significand.
  private static let high = "get_byte(vector, place + 3) * 256 + get_byte(vector, place + 2)"

  /// The number whose upper half is `high`.
  private static let number =
    "((((high & 127) * 256 + get_byte(vector, place + 1)) * 256 + get_byte(vector, place)) "
    + "* scales[(high >> 7) + 1] + bases[(high >> 7) + 1])"

  /// By sign and exponent: the value of the last bit of the significand, and that of the bit before its
  /// first one, which is not stored.
  private static var scales: String {
    var (scales, bases): ([String], [String]) = ([], [])
    for bits in UInt32(0)..<512 {
      let base = Float(bitPattern: bits << 23)
      bases.append(base.isInfinite ? (base > 0 ? "Infinity" : "-Infinity") : "\(Double(base))")
      let last = Float(bitPattern: bits << 23 | 1)
      scales.append(base.isInfinite ? "0" : "\(Double(last) - Double(base))")
    }
    func array(_ name: String, _ values: [String]) -> String {
      "  \(name) CONSTANT double precision[] := '{\(values.joined(separator: ","))}';"
    }
    return array("scales", scales) + "\n" + array("bases", bases)
  }
}
