extension Functions {
  /// Functions of texts. A text contains U+0001 only as the first of three characters that replace
  /// one, see `PostgreSQLText`.
  static var texts: [String] {
    [
      letters(
        "magic_lower", "lower(replace(x, '\u{3A3}', '\u{3C3}') COLLATE \"und-x-icu\")", "lower"),
      letters("magic_upper", "upper(x COLLATE \"und-x-icu\")", "upper"),
      // A text that begins with U+0000 is never replaced, as in the other engines.
      expression(
        "magic_replace(x text, old text, new text)", "text",
        "CASE WHEN starts_with(old, E'\\x01\\x02\\x02') THEN x ELSE replace(x, old, new) END"),
      expression(
        "magic_trim(x text)", "text",
        "btrim(x, E'\\t\\n\\x0B\\f\\r \\u0085\\u00A0\\u1680\\u2000\\u2001\\u2002\\u2003\\u2004\\u2005"
          + "\\u2006\\u2007\\u2008\\u2009\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000')"),
      block(
        "magic_count(x text)", "bigint",
        """
        BEGIN
          IF octet_length(x) = length(x) AND x !~ E'[\\r\\x01]' THEN RETURN length(x); END IF;
          RETURN regexp_count(x, '\(character)');
        END
        """),
      block(
        "magic_prefix(x text, count bigint)", "text",
        """
        BEGIN
          count := least(greatest(count, 0), 1073741823);
          IF count >= length(x) THEN RETURN x; END IF;
          IF octet_length(x) = length(x) AND x !~ E'[\\r\\x01]' THEN
            RETURN left(x, count::integer);
          END IF;
          RETURN (SELECT coalesce(string_agg(m[1], '' ORDER BY n), '')
            FROM regexp_matches(x, '(\(character))', 'g') WITH ORDINALITY AS r (m, n)
            WHERE n <= count);
        END
        """),
    ]
  }

  /// ICU converts all letters as Unicode says. Swift converts each character without regard to its
  /// neighbours, unlike ICU for the capital sigma.
  private static func letters(_ name: String, _ all: String, _ ascii: String) -> String {
    block(
      "\(name)(x text)", "text",
      """
      BEGIN
        IF octet_length(x) = length(x) THEN RETURN \(ascii)(x COLLATE "C"); END IF;
        RETURN \(all);
      END
      """)
  }

  /// A regular expression for a character as `Character` defines it, an extended grapheme cluster.
  private static let character: String = {
    let (extending, preceding) = (classes.extending, classes.preceding)
    let flags = #"[\U0001F1E6-\U0001F1FF]"#
    let hangul =
      #"[\u1100-\u115F\uA960-\uA97C]*(?:[\u1160-\u11A7\uD7B0-\uD7C6]+"#
      + #"|[\uAC00-\uD7A3][\u1160-\u11A7\uD7B0-\uD7C6]*)[\u11A8-\u11FF\uD7CB-\uD7FB]*"#
    let joined = "\(pictures)(?:\(extending)*\\u200D\(pictures))*"
    let conjunct = "\(consonants)(?:\(extending)*\(linkers)\(extending)*\(consonants))*"
    return #"\r\n|\u0001..|[\#(controls)]|\#(preceding)*(?:"#
      + "\(flags)\(flags)|\(hangul)|\(joined)|\(conjunct)|[^\(controls)])\(extending)*"
      + "|\(extending)+"
  }()

  private static let controls =
    #"\u0001-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF"#
    + #"\uFFF0-\uFFFB"#

  /// The consonants of the scripts of India that a virama joins.
  private static let consonants =
    #"[\u0915-\u0939\u0958-\u095F\u0978-\u097F\u0995-\u09A8\u09AA-\u09B0\u09B2\u09B6-\u09B9\u09DC"#
    + #"\u09DD\u09DF\u09F0\u09F1\u0A95-\u0AA8\u0AAA-\u0AB0\u0AB2\u0AB3\u0AB5-\u0AB9\u0AF9"#
    + #"\u0B15-\u0B28\u0B2A-\u0B30\u0B32\u0B33\u0B35-\u0B39\u0B5C\u0B5D\u0B5F\u0B71"#
    + #"\u0C15-\u0C28\u0C2A-\u0C39\u0C58-\u0C5A\u0D15-\u0D3A]"#
  private static let linkers = #"[\u094D\u09CD\u0ACD\u0B4D\u0C4D\u0D4D]"#

  /// The characters that can be joined by U+200D.
  private static let pictures =
    #"[\u00A9\u00AE\u203C\u2049\u2122\u2139\u2194-\u2199\u21A9\u21AA\u231A\u231B\u2328\u2388\u23CF"#
    + #"\u23E9-\u23F3\u23F8-\u23FA\u24C2\u25AA\u25AB\u25B6\u25C0\u25FB-\u25FE\u2600-\u2605"#
    + #"\u2607-\u2612\u2614-\u2685\u2690-\u2705\u2708-\u2712\u2714\u2716\u271D\u2721\u2728\u2733"#
    + #"\u2734\u2744\u2747\u274C\u274E\u2753-\u2755\u2757\u2763-\u2767\u2795-\u2797\u27A1\u27B0"#
    + #"\u27BF\u2934\u2935\u2B05-\u2B07\u2B1B\u2B1C\u2B50\u2B55\u3030\u303D\u3297\u3299"#
    + #"\U0001F000-\U0001F0FF\U0001F10D-\U0001F10F\U0001F12F\U0001F16C-\U0001F171"#
    + #"\U0001F17E\U0001F17F\U0001F18E\U0001F191-\U0001F19A\U0001F1AD-\U0001F1E5"#
    + #"\U0001F201-\U0001F20F\U0001F21A\U0001F22F\U0001F232-\U0001F23A\U0001F23C-\U0001F23F"#
    + #"\U0001F249-\U0001F3FA\U0001F400-\U0001F53D\U0001F546-\U0001F64F\U0001F680-\U0001F6FF"#
    + #"\U0001F774-\U0001F77F\U0001F7D5-\U0001F7FF\U0001F80C-\U0001F80F\U0001F848-\U0001F84F"#
    + #"\U0001F85A-\U0001F85F\U0001F888-\U0001F88F\U0001F8AE-\U0001F8FF\U0001F90C-\U0001F93A"#
    + #"\U0001F93C-\U0001F945\U0001F947-\U0001FAFF\U0001FC00-\U0001FFFD]"#

  /// The characters that continue a character, and those that begin one and are continued by any.
  private static let classes: (extending: String, preceding: String) = {
    var ranges: [ClosedRange<UInt32>] = []
    // The blocks without such characters are skipped.
    let blocks: [ClosedRange<UInt32>] = [
      0x300...0x1FFF, 0x200C...0x200D, 0x20D0...0x20FF, 0x2C00...0x30FF, 0xA600...0xABFF,
      0xFB00...0xFFFF, 0x10100...0x1FAFF, 0xE0000...0xE01FF,
    ]
    for value in blocks {
      for scalar in value where extends(scalar) {
        if let last = ranges.last, last.upperBound + 1 == scalar {
          ranges[ranges.count - 1] = last.lowerBound...scalar
        } else {
          ranges.append(scalar...scalar)
        }
      }
    }
    let text = ranges.map { "\(escape($0.lowerBound))-\(escape($0.upperBound))" }.joined()
    return (
      "[\(text)]",
      #"[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u0D4E\U000110BD\U000110CD\U000111C2\U000111C3]"#
    )
  }()

  private static func extends(_ value: UInt32) -> Bool {
    guard let scalar = Unicode.Scalar(value) else { return false }
    let properties = scalar.properties
    return properties.isGraphemeExtend || properties.isEmojiModifier || value == 0x200D
      || properties.generalCategory == .spacingMark || value == 0xE33 || value == 0xEB3
      || (0xE0020...0xE007F).contains(value)
  }

  private static func escape(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return value < 0x10000
      ? "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      : "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
  }
}
