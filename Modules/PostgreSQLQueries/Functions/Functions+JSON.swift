extension Functions {
  /// Functions of JSON, which is stored as bytes. In texts, the characters U+0000 to U+0003 become
  /// those of `PostgreSQLText`, because PostgreSQL refuses U+0000.
  static var json: [String] { [document] + jsonValues + jsonParts }

  private static var document: String {
    // NULL for bytes that are not JSON.
    block(
      "magic_json(data bytea)", "json",
      """
      DECLARE
        document text := convert_from(data, 'UTF8');
      BEGIN
        IF strpos(document, '\\u000') > 0 THEN
      \(escapes)
        END IF;
        RETURN document::json;
      EXCEPTION WHEN data_exception THEN
        RETURN NULL;
      END
      """)
  }

  private static var jsonValues: [String] {
    [
      expression(
        "magic_json_container(value json)", "bytea",
        "CASE WHEN json_typeof(value) IN ('array', 'object') THEN "
          + "convert_to(magic_json_unescaped(value::text), 'UTF8') END"),
      expression(
        "magic_json_text(value json)", "text",
        "CASE WHEN json_typeof(value) = 'string' THEN value #>> '{}' END"),
      expression(
        "magic_json_boolean(value json)", "boolean",
        "CASE WHEN json_typeof(value) = 'boolean' THEN value::text = 'true' END"),
      expression(
        "magic_json_integer(value json)", "bigint",
        "CASE WHEN json_typeof(value) = 'number' "
          + "THEN magic_json_whole((value #>> '{}')::numeric) END"),
      expression(
        "magic_json_real(value json)", "double precision",
        "CASE WHEN json_typeof(value) = 'number' "
          + "THEN magic_json_number((value #>> '{}')::numeric) END"),
    ]
  }

  private static var jsonParts: [String] {
    [
      block(
        "magic_json_elements(data bytea)", "SETOF json",
        """
        DECLARE
          document json := magic_json(data);
        BEGIN
          IF json_typeof(document) = 'array' THEN
            RETURN QUERY SELECT value FROM json_array_elements(document);
          ELSIF json_typeof(document) = 'object' THEN
            RETURN QUERY SELECT value FROM json_each(document);
          END IF;
        END
        """),
      block(
        "magic_json_count(data bytea)", "bigint",
        """
        DECLARE
          document json := magic_json(data);
        BEGIN
          RETURN CASE json_typeof(document) WHEN 'array' THEN json_array_length(document)
            WHEN 'object' THEN (SELECT count(*) FROM json_each(document)) END;
        END
        """),
      block(
        "magic_json_member(data bytea, key text)", "json",
        """
        DECLARE
          document json := magic_json(data);
        BEGIN
          RETURN CASE WHEN json_typeof(document) = 'object' THEN document -> key END;
        END
        """),
      block(
        "magic_json_contains(data bytea, element bytea)", "boolean",
        """
        DECLARE
          wanted json := magic_json(element);
        BEGIN
          RETURN EXISTS (SELECT FROM magic_json_elements(data) AS e (value)
            WHERE value::text = wanted::text OR json_typeof(value) = json_typeof(wanted)
            AND CASE json_typeof(wanted)
            WHEN 'string' THEN value #>> '{}' = wanted #>> '{}'
            WHEN 'number' THEN magic_json_real(value) = magic_json_real(wanted)
              AND (magic_json_integer(value) = magic_json_integer(wanted)) IS NOT FALSE
            ELSE false END);
        END
        """),
    ]
  }

  /// The functions that those of ``json`` call.
  static var jsonHelpers: [String] {
    [
      expression(
        "magic_json_unescaped(document text)", "text",
        "CASE WHEN strpos(document, '\\u0001') = 0 THEN document ELSE " + unescapes + " END"),
      block(
        "magic_json_whole(x numeric)", "bigint",
        """
        BEGIN
          IF x = trunc(x) AND x BETWEEN -9223372036854775808 AND 9223372036854775807 THEN
            RETURN x::bigint;
          END IF;
          RETURN NULL;
        END
        """),
      block(
        "magic_json_number(x numeric)", "double precision",
        """
        BEGIN
          RETURN x::double precision;
        EXCEPTION WHEN numeric_value_out_of_range THEN
          RETURN CASE WHEN abs(x) < 1 THEN 0 WHEN x < 0 THEN '-Infinity'::double precision
            ELSE 'Infinity'::double precision END;
        END
        """),
    ]
  }

  /// An even number of backslashes before an escape sequence are escaped themselves. JSON contains no
  /// U+0001 without an escape sequence, so that it marks the sequences to replace.
  private static var escapes: String {
    let marks = (0...3).reduce("document") { text, digit in
      "replace(\(text), E'\\x01\(digit)', '\(sequence(digit))')"
    }
    return "    document := regexp_replace(document, '(?<!\\\\)((?:\\\\\\\\)*)\\\\u000([0-3])', "
      + "E'\\\\1\\x01\\\\2', 'g'); document := \(marks);"
  }

  private static var unescapes: String {
    (0...3).reduce("document") { text, digit in
      "replace(\(text), '\(sequence(digit))', '\\u000\(digit)')"
    }
  }

  private static func sequence(_ digit: Int) -> String {
    "\\u0001\\u000\(2 | digit >> 1)\\u000\(2 | digit & 1)"
  }
}
