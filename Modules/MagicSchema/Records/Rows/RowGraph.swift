/// All rows of one fetch whose types can refer back to themselves.
///
/// Their objects keep the graph, and it keeps all the rows; what leads from one row to another
/// keeps nothing. So rows that refer to each other in a circle are freed with the last object, and
/// a long chain of them is freed without recursion.
package final class RowGraph: PropertyStorage {
  private var chunks: [PropertyStorage] = []
  private var kept: [ObjectIdentifier: PropertyStorage] = [:]

  package override init() { super.init() }

  func add(_ chunk: PropertyStorage) { chunks.append(chunk) }

  func keep(_ storage: PropertyStorage) { kept[ObjectIdentifier(storage)] = storage }
}
