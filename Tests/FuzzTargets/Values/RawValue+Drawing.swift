extension RawValue {
  /// The value that an input encodes.
  static func drawn(_ input: inout ByteReader) -> RawValue {
    switch input.number(below: 11) {
    case 0: .null
    case 1: .integer(Int64(Int8(bitPattern: input.byte())))
    case 2: .integer(Int64(bitPattern: input.bits()))
    case 3: .integer(integers[input.number(below: integers.count)])
    case 4: .real(input.bits())
    case 5: .real(reals[input.number(below: reals.count)].bitPattern)
    case 6: .text(input.someBytes())
    case 7: .blob(input.someBytes())
    case 8: .blob(Array(texts[input.number(below: texts.count)].utf8))
    default: .text(texts[input.number(below: texts.count)])
    }
  }

  private static let integers: [Int64] = [
    .min, .min + 1, -4_294_967_296, -129, -128, 127, 128, 255, 256, 65_536, 2_147_483_647,
    4_294_967_295, 4_294_967_296, 9_007_199_254_740_993, .max - 1, .max,
  ]

  private static let reals: [Double] = [
    0, -0.0, 1, -1.5, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
    1e300,
    9.3e18, 3.5e38, 0.1,
  ]

  private static let texts =
    [
      "", " ", "0", "-1", "+1", "1.5", "1e5", "1e999999", "1e-999999", "NaN", ".", "-", "0x10",
      "123456789012345678901234567890123456789012345", "0.30", "00012", "٣",
      "null", "true", "[]", "{}", "[1", "[1]", "[\"a\",\"a\"]", "[\"a\",null]", "{\"a\":1}",
      "{\"a\":1.5}", "{\"a\":1e400}", "{\"a\":1,\"a\":2}", "{\"title\":\"x\",\"days\":[1]}",
      "{\"title\":\"x\",\"days\":[9223372036854775808]}", "{\"row\":1,\"side\":\"left\"}",
      "{\"side\":\"left\",\"row\":1}", "\u{FEFF}[]", "\"\\ud800\"", "[\"\\u0000\"]",
      "00000000-0000-4000-8000-00000000000A", "00000000-0000-4000-8000-00000000000a",
      "{00000000-0000-4000-8000-00000000000A}", "merry", "sad as can be", "Merry", "a\0b",
      "https://example.org/ x", "http://[::1", "%", "file:///etc/passwd", "é", "e\u{301}", "a", "b",
      "first", "second", "00000000000000ba/0000000000000001-3.png",
      "00000000000000ba/0000000000000001-4.png", "00000000000000ba/0000000000000002-3.png",
      "00000000000000ba/0000000000000004-7", "00000000000000ba/0000000000000004-7FFFFFFFFFFFFFFF",
      "00000000000000ba/0000000000000004-ffffffffffffffff", "00000000000000ba/..",
      "../../outside", "../outside", "/etc/hostname", "..", ".", "hold", "00000000000000ba.open",
      "00000000000000ba/../../../outside-26", "00000000000000ba/0000000000000001-3.png/x",
      "00000000000000ba/0000000000000001-3.png\0", "00000000000000BA/0000000000000001-3.png",
      "Leaf", "Root", "Nowhere", "sqlite_master", "cascade", "deny", "nullify", "list", "set",
      "one",
      "dictionary", "magic_Root.list", "\"; DROP TABLE Leaf; --",
    ] + [
      String(repeating: "[", count: 20_000),
      String(repeating: "[", count: 400) + String(repeating: "]", count: 400),
      "[" + String(repeating: "\"x\",", count: 3_000) + "\"x\"]",
      String(repeating: "9", count: 600),
    ]
}
