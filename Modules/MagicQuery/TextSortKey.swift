import MagicExpressions

/// A sort key: eight bytes of a text as a number, and the index of the text. Most comparisons of a sort then read
/// no text and retain none ("poor man's normalized keys"; Graefe, Implementing Sorting in Database Systems, 2006).
///
/// Swift orders strings by the scalars of their canonical composition (NFC). A text without scalars from
/// U+0300 on has this form already, and its bytes of UTF-8 have the order of its scalars.
@usableFromInline
struct TextSortKey {
  /// Eight bytes of the text, the first one highest; zeros after the end.
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

  /// Returns the indexes of texts, sorted by text. Equal texts keep their order.
  ///
  /// - Complexity: O(*n* log *n*) comparisons. If all texts are ordered by their bytes, each byte is read three
  ///   times at most.
  @usableFromInline
  static func sortedIndexes(of texts: [String], _ order: MagicOrder) -> [Int] {
    var keys = texts.enumerated().map { TextSortKey($0.element, $0.offset) }
    if keys.allSatisfy(\.isOrderedByBytes) {
      keys.withUnsafeMutableBufferPointer { sortByBytes($0, texts, order) }
    } else {
      for place in keys.indices where keys[place].isOrderedByBytes {
        _ = keys[place].read(texts, after: 0)
      }
      keys.sort(order) { left, right in
        if left.isOrderedByBytes, right.isOrderedByBytes, left.bytes != right.bytes {
          return left.bytes < right.bytes
        }
        return texts[left.index] < texts[right.index]
      }
    }
    return keys.map(\.index)
  }

  /// Sorts by the eight bytes after the common prefix, then those with equal bytes by the following ones.
  private static func sortByBytes(
    _ keys: UnsafeMutableBufferPointer<TextSortKey>, _ texts: [String], _ order: MagicOrder
  ) {
    var ranges = [(keys: keys.indices, start: 0)]
    while let (range, start) = ranges.popLast() {
      var part = UnsafeMutableBufferPointer(rebasing: keys[range])
      let common = commonCount(part, texts, from: start)
      var longest = 0
      for place in part.indices { longest = max(longest, part[place].read(texts, after: common)) }
      let areAtEnd = longest <= common
      if areAtEnd {
        // The texts are equal, except that NUL at the end of a text is not equal to the end.
        for place in part.indices {
          part[place].bytes = UInt64(texts[part[place].index].utf8.count)
        }
      }
      part.sort(order) { $0.bytes < $1.bytes }
      if areAtEnd { continue }
      var first = range.lowerBound
      for place in first + 1...range.upperBound
      where place == range.upperBound || keys[place].bytes != keys[first].bytes {
        if place - first > 1 { ranges.append((first..<place, common + 8)) }
        first = place
      }
    }
  }

  /// Returns the length of the longest common prefix of texts in bytes, and at least `start`, up to which the texts
  /// were compared.
  private static func commonCount(
    _ keys: UnsafeMutableBufferPointer<TextSortKey>, _ texts: [String], from start: Int
  ) -> Int {
    guard let first = keys.first else { return start }
    return texts[first.index].utf8.withContiguousStorageIfAvailable { first in
      var common = first.count
      for key in keys where common > start {
        texts[key.index].utf8.withContiguousStorageIfAvailable { other in
          common = min(common, other.count)
          var count = start
          while count < common, first[count] == other[count] { count += 1 }
          common = count
        }
      }
      return max(common, start)
    } ?? start
  }

  /// Reads the eight bytes after the first ones of the text, and returns the number of its bytes.
  private mutating func read(_ texts: [String], after start: Int) -> Int {
    texts[index].utf8.withContiguousStorageIfAvailable { text in
      bytes = 0
      for place in start..<start + 8 {
        bytes = bytes << 8 | (place < text.count ? UInt64(text[place]) : 0)
      }
      return text.count
    } ?? 0
  }
}

extension MutableCollection where Self: RandomAccessCollection {
  /// Sorts the elements. Equal elements keep their order, also in a descending one.
  @inlinable
  mutating func sort(_ order: MagicOrder, by isLess: (Element, Element) -> Bool) {
    // The sort is stable.
    switch order {
    case .ascending: sort(by: isLess)
    case .descending: sort { isLess($1, $0) }
    }
  }
}
