import MagicEngine
import MagicSchema

/// The stored members of collections whose owners were matched with existing rows, read with one call
/// of the engine for each property, before the changes of these collections are written.
struct StoredMembers {
  /// A property of a type.
  private struct Property: Hashable {
    let owner: ObjectIdentifier
    let collection: Int
  }

  /// The members, by the index of the collection.
  private var members: [LinkSlice?] = []
  private var columns: [CollectionColumn] = []
  /// The owned lists that were changed, and with them possibly the lists of other owners.
  private var changed: Set<ObjectIdentifier> = []

  init(of collections: [CapturedCollection], _ engine: any EngineTransaction) throws {
    guard engine.lookUpLimit > 1 else { return }
    var places: [Property: [Int]] = [:]
    for (index, captured) in collections.enumerated() where captured.column.through == nil {
      let owner = ObjectIdentifier(captured.owner)
      places[Property(owner: owner, collection: captured.collection), default: []].append(index)
    }
    columns = collections.map(\.column)
    members = [LinkSlice?](repeating: nil, count: collections.count)
    for indexes in places.values where indexes.count > 1 {
      // The second collection of a row gets the members that were written for the first one.
      var owners: [Int64: Int] = [:]
      for index in indexes { owners[collections[index].ownerID, default: 0] += 1 }
      let wanted = indexes.filter { index in
        let captured = collections[index]
        return captured.state == .matched && owners[captured.ownerID] == 1
      }
      guard wanted.count > 1 else { continue }
      let first = collections[wanted[0]]
      let slices = try engine.storedMembers(
        ofEach: wanted.map { collections[$0].ownerID }, in: first.collection, of: first.owner)
      for (index, slice) in zip(wanted, slices) { members[index] = slice }
    }
  }

  /// Returns the stored members of a collection; nil if they must be read.
  func members(ofCollectionAt index: Int) -> LinkSlice? {
    guard !members.isEmpty, !changed.contains(ObjectIdentifier(columns[index])) else { return nil }
    return members[index]
  }

  /// Records that a collection will be changed.
  mutating func noteChange(of column: CollectionColumn) {
    if !members.isEmpty, column.isOwned { changed.insert(ObjectIdentifier(column)) }
  }
}
