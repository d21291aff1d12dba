import MagicEngine
import MagicSchema

/// The stored members of collections whose owners were matched with existing rows. The members of many
/// owners are read with one call of the engine, before the changes of these collections are written.
struct StoredMembers {
  /// A property of a type.
  private struct Property: Hashable {
    let owner: ObjectIdentifier
    let collection: Int
  }

  private let collections: [CapturedCollection]
  private let engine: any EngineTransaction
  /// The indexes of the collections of one property that can be read together, in their order.
  private var places: [[Int]] = []
  /// For each collection, its place in ``places``.
  private var position: [(property: Int, place: Int)?] = []
  private var members: [Int: LinkSlice] = [:]
  /// The owned lists that were changed, and with them possibly the lists of other owners.
  private var changed: Set<ObjectIdentifier> = []

  /// The number of owners whose members are read together.
  private static var limit: Int { 256 }

  init(of collections: [CapturedCollection], _ engine: any EngineTransaction) {
    (self.collections, self.engine) = (collections, engine)
    guard engine.lookUpLimit > 1 else { return }
    var indexes: [Property: [Int]] = [:]
    for (index, captured) in collections.enumerated() where captured.column.through == nil {
      let owner = ObjectIdentifier(captured.owner)
      indexes[Property(owner: owner, collection: captured.collection), default: []].append(index)
    }
    position = [(property: Int, place: Int)?](repeating: nil, count: collections.count)
    for indexes in indexes.values where indexes.count > 1 {
      // The second collection of a row gets the members that were written for the first one.
      var owners: [Int64: Int] = [:]
      for index in indexes { owners[collections[index].ownerID, default: 0] += 1 }
      let wanted = indexes.filter { index in
        let captured = collections[index]
        return captured.state == .matched && owners[captured.ownerID] == 1
      }
      for (place, index) in wanted.enumerated() { position[index] = (places.count, place) }
      places.append(wanted)
    }
  }

  /// Returns the stored members of a collection; nil if they must be read alone.
  mutating func members(ofCollectionAt index: Int) throws -> LinkSlice? {
    guard !position.isEmpty, let (property, place) = position[index],
      !changed.contains(ObjectIdentifier(collections[index].column))
    else { return nil }
    if let known = members.removeValue(forKey: index) { return known }
    let next = places[property][place...].prefix(Self.limit)
    let slices = try engine.storedMembers(
      ofEach: next.map { collections[$0].ownerID }, in: collections[index].collection,
      of: collections[index].owner)
    for (index, slice) in zip(next, slices) { members[index] = slice }
    return members.removeValue(forKey: index)
  }

  /// Records that a collection will be changed.
  mutating func noteChange(of column: CollectionColumn) {
    if !position.isEmpty, column.isOwned { changed.insert(ObjectIdentifier(column)) }
  }
}
