import MagicExpressions

/// The bytes of a text as a number with the same order, so that most comparisons of a sort read no text and
/// retain none (abbreviated keys; Graefe, Implementing Sorting in Database Systems, 2006).
///
/// Swift orders strings by the scalars of their canonical composition (NFC). A text without scalars from
/// U+0300 on has this form already, and its bytes of UTF-8 have the order of its scalars.
@usableFromInline
struct TextSortKey {
  /// The eight bytes after those with which all texts begin; zeros after the end. Texts with the same bytes are
  /// compared as strings.
  private var bytes: UInt64 = 0
  private let index: Int
  /// Whether the order of the bytes is that of the text.
  private let isOrderedByBytes: Bool

  private init(_ text: String, _ index: Int) {
    self.index = index
    // In UTF-8, exactly the scalars from U+0300 on have bytes from 0xCC on.
    isOrderedByBytes =
      text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy { $0 < 0xCC } } ?? false
  }

  /// Returns the indexes of texts in the order of strings. Equal texts keep their order.
  ///
  /// - Complexity: O(*n* log *n*) comparisons.
  @usableFromInline
  static func sortedIndexes(of texts: [String], _ order: MagicOrder) -> [Int] {
    var keys = texts.enumerated().map { TextSortKey($0.element, $0.offset) }
    let common = commonCount(texts, keys)
    for place in keys.indices where keys[place].isOrderedByBytes {
      keys[place].bytes = bytes(of: texts[place], after: common)
    }
    func isLess(_ left: TextSortKey, _ right: TextSortKey) -> Bool {
      if left.isOrderedByBytes, right.isOrderedByBytes, left.bytes != right.bytes {
        return left.bytes < right.bytes
      }
      return texts[left.index] < texts[right.index]
    }
    // The sort is stable.
    switch order {
    case .ascending: keys.sort { isLess($0, $1) }
    case .descending: keys.sort { isLess($1, $0) }
    }
    return keys.map(\.index)
  }

  /// Returns the number of bytes with which all texts begin that are ordered by their bytes.
  private static func commonCount(_ texts: [String], _ keys: [TextSortKey]) -> Int {
    guard let first = keys.first(where: \.isOrderedByBytes) else { return 0 }
    return texts[first.index].utf8.withContiguousStorageIfAvailable { first in
      var common = first.count
      for key in keys where key.isOrderedByBytes && common > 0 {
        texts[key.index].utf8.withContiguousStorageIfAvailable { other in
          common = min(common, other.count)
          var count = 0
          while count < common, first[count] == other[count] { count += 1 }
          common = count
        }
      }
      return common
    } ?? 0
  }

  private static func bytes(of text: String, after start: Int) -> UInt64 {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      var result: UInt64 = 0
      for index in start..<start + 8 {
        result = result << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0)
      }
      return result
    } ?? 0
  }
}
