import MagicSchema
import Magical

/// The keys of a dictionary whose keys are texts, the usual ones. These methods are compiled for
/// texts, so that no metadata of generic types is looked up for each key.
final class StringKeys: TypedKeys<String>, @unchecked Sendable {
  init() { super.init([], StringKeyCoding.shared) }

  override func makeEmpty() -> any LinkKeys { StringKeys() }

  override func append(_ indexes: Range<Int>, of others: any LinkKeys) {
    if let others = others as? TypedKeys<String> { keys.append(contentsOf: others.keys[indexes]) }
  }

  override func append(from reader: borrowing some MagicalReader) throws {
    keys.append(try String._read(from: reader))
  }

  override func places(from start: Int, count: Int) -> [String: Int] {
    var places = [String: Int](minimumCapacity: count)
    for place in 0..<count { places[keys[start + place]] = place }
    return places
  }
}
