import CMagicSQLite
import CTwinVectors
import Workloads

/// Rows with vectors.
extension CTwin {
  static let passageTable = """
    CREATE TABLE passage (z_index INTEGER PRIMARY KEY, id INTEGER NOT NULL, embedding BLOB);
    CREATE UNIQUE INDEX passage_id ON passage (id)
    """

  func insertPassages(_ passages: [PlainPassage]) throws {
    try execute("BEGIN IMMEDIATE")
    let statement = try prepare("INSERT INTO passage (id, embedding) VALUES (?, ?)")
    defer { sqlite3_finalize(statement) }
    for passage in passages {
      try passage.vector.withUnsafeBytes { bytes in
        sqlite3_bind_int64(statement, 1, Int64(passage.number))
        sqlite3_bind_blob(statement, 2, bytes.baseAddress, Int32(bytes.count), nil)
        try finish(statement)
      }
    }
    try execute("COMMIT")
  }

  /// Reads every vector, keeps the nearest rows in an array, and fetches these.
  func findNearest(_ searches: [[Float]]) throws -> Checksum {
    let vectors = try prepare("SELECT z_index, embedding FROM passage")
    let row = try prepare("SELECT id, embedding FROM passage WHERE z_index = ?")
    defer { for each in [vectors, row] { sqlite3_finalize(each) } }
    var checksum = Checksum()
    for search in searches {
      var nearest: [(row: Int64, distance: Double)] = []
      try search.withUnsafeBytes { search in
        while try step(vectors) {
          guard let bytes = sqlite3_column_blob(vectors, 1), let target = search.baseAddress,
            Int(sqlite3_column_bytes(vectors, 1)) == search.count
          else { continue }
          let distance = twin_vector_distance(bytes, target, search.count / 4)
          if nearest.count == 20, distance >= nearest[19].distance { continue }
          let place = nearest.firstIndex { $0.distance > distance } ?? nearest.count
          nearest.insert((sqlite3_column_int64(vectors, 0), distance), at: place)
          if nearest.count > 20 { nearest.removeLast() }
        }
        sqlite3_reset(vectors)
      }
      for (place, found) in nearest.enumerated() {
        sqlite3_bind_int64(row, 1, found.row)
        guard try step(row), let bytes = sqlite3_column_blob(row, 1) else { continue }
        checksum.add(
          place: place, number: Int(sqlite3_column_int64(row, 0)),
          first: bytes.loadUnaligned(as: Float.self))
        sqlite3_reset(row)
      }
    }
    return checksum
  }
}
