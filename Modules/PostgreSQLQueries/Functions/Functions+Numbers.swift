extension Functions {
  /// Arithmetic of floating-point numbers. PostgreSQL's operators fail if a result is too large or
  /// too small; here it is infinite or zero. A result that is NaN is NULL.
  static var numbers: [String] {
    [
      real("magic_add", "+", isLarge: "true"),
      real("magic_subtract", "-", isLarge: "true"),
      real("magic_multiply", "*", isLarge: "abs(a) > 1 AND abs(b) > 1"),
      real("magic_divide", "/", isLarge: "abs(b) < 1"),
      block(
        "magic_round(x double precision)", "double precision",
        """
        BEGIN
          IF abs(x) >= 4503599627370496 THEN RETURN x; END IF;
          RETURN trunc(x) + CASE WHEN abs(x - trunc(x)) >= 0.5 THEN sign(x) ELSE 0 END;
        END
        """),
      // The nearest number of type Float.
      block(
        "magic_float(x double precision)", "double precision",
        """
        BEGIN
          IF abs(x) = 'Infinity' THEN RETURN x; END IF;
          IF abs(x) <= 7.006492321624085e-46 THEN RETURN x * 0; END IF;
          RETURN x::real::double precision;
        END
        """),
      block(
        "magic_checked(x bigint, low bigint, high bigint)", "bigint",
        """
        BEGIN
          IF x < low OR x > high THEN
            RAISE EXCEPTION 'integer out of range' USING ERRCODE = '22003';
          END IF;
          RETURN x;
        END
        """),
    ]
  }

  private static func real(_ name: String, _ sign: String, isLarge: String) -> String {
    // An operation of numbers of usual size needs no handler of errors, which costs a savepoint.
    let isUsual =
      sign == "+" || sign == "-"
      ? "abs(a) < 1e300 AND abs(b) < 1e300"
      : "abs(a) BETWEEN 1e-150 AND 1e150 AND abs(b) BETWEEN 1e-150 AND 1e150"
    let divisor = sign == "/" ? "IF b = 0 THEN RETURN NULL; END IF;" : ""
    let result = sign == "+" || sign == "-" ? "sign(a)" : "sign(a) * sign(b)"
    return block(
      "\(name)(a double precision, b double precision)", "double precision",
      """
      BEGIN
        \(divisor)
        IF \(isUsual) THEN RETURN a \(sign) b; END IF;
        BEGIN
          RETURN nullif(a \(sign) b, 'NaN');
        EXCEPTION WHEN numeric_value_out_of_range THEN
          RETURN \(result) * CASE WHEN \(isLarge) THEN 'Infinity'::double precision ELSE 0 END;
        END;
      END
      """)
  }
}
