/// All rows of one fetch whose types are cyclic, that is, whose objects can refer to objects of the
/// same type.
///
/// The objects retain the graph, and the graph retains all rows. The references between rows retain
/// nothing. Therefore a cycle of rows is released with the last object, and a long chain of rows is
/// released without recursion.
package final class RowGraph: PropertyStorage {
  private var chunks: [PropertyStorage] = []
  private var kept: [ObjectIdentifier: PropertyStorage] = [:]

  package override init() { super.init() }

  func add(_ chunk: PropertyStorage) { chunks.append(chunk) }

  func keep(_ storage: PropertyStorage) { kept[ObjectIdentifier(storage)] = storage }
}
