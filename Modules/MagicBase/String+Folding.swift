extension String {
  /// Whether two names are equal in SQL: the bytes are compared, ignoring the case of ASCII
  /// letters.
  package func isName(_ other: String) -> Bool { folded.utf8.elementsEqual(other.folded.utf8) }

  /// The name with its ASCII letters in lower case.
  package var folded: String {
    String(
      decoding: utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 },
      as: UTF8.self)
  }
}
