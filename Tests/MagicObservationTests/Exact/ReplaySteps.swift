import MagicData
import MagicStore
import MagicTestSupport

/// Random writes to a database. A failed step has changed nothing.
struct ReplaySteps {
  var numbers: SeededRandom

  private mutating func id() -> Int { numbers.below(24) + 1 }
  private mutating func text() -> String { "t\(numbers.below(4))" }
  private mutating func weight() -> Double { Double(numbers.below(4)) / 2 }

  /// The number of attempted steps.
  private(set) var count = 0

  /// Several steps, in one transaction or each in its own.
  mutating func run(_ database: some MagicDatabaseWriter, _ count: Int) {
    for _ in 0..<count { try? step(database, depth: 0) }
  }

  private mutating func step(_ database: some MagicDatabaseWriter, depth: Int) throws {
    count += 1
    switch numbers.below(30) {
    case 0..<3: try database.update(note(in: database))
    case 3: try database.update(contentsOf: [note(in: database), note(in: database)])
    case 4..<7: try changeNote(database)
    case 7..<11: try changeFolder(database)
    case 11: try saveKeeper(database)
    case 12: try bulk(database)
    case 13..<15: try remove(database)
    case 15 where numbers.below(12) == 0:
      switch numbers.below(3) {
      case 0: try database.removeAll(of: ReplayTag.self)
      case 1: try database.removeAll(of: ReplayKeeper.self)
      default: try database.removeAll(of: ReplayNote.self)
      }
    case 16..<19 where depth < 3:
      try database.transaction { inner in
        for _ in 0...numbers.below(4) { try? step(inner.context, depth: depth + 1) }
        if numbers.below(2) == 0 { throw ExactFailure() }
      }
    case 19..<22: try database.update(tag(in: database))
    default: try rawSQL(database)
    }
  }

  private func any<Model: MagicObject>(
    _ type: Model.Type, _ number: Int, in database: some MagicDatabaseWriter
  ) throws -> Model? {
    try database.query(type).offset(number % 8).limit(1).all().first
  }

  private mutating func tag(in database: some MagicDatabaseWriter) throws -> ReplayTag {
    if numbers.below(2) == 0, let tag = try any(ReplayTag.self, id(), in: database) {
      if numbers.below(3) == 0 { tag.name = text() }
      return tag
    }
    let tag = ReplayTag()
    tag.name = text()
    if numbers.below(3) == 0 { tag.parent = try any(ReplayTag.self, id(), in: database) }
    return tag
  }

  private mutating func note(in database: some MagicDatabaseWriter) throws -> ReplayNote {
    let note = ReplayNote()
    if numbers.below(4) > 0 { note.id = id() }
    note.code = "c\(numbers.below(40))"
    note.text = text()
    note.weight = weight()
    if numbers.below(3) == 0 { note.tag = try tag(in: database) }
    if numbers.below(40) == 0 { note.file = MagicAsset(value: text()) }
    return note
  }

  private mutating func changeNote(_ database: some MagicDatabaseWriter) throws {
    guard let note = try any(ReplayNote.self, id(), in: database) else { return }
    switch numbers.below(7) {
    case 0: note.text = text()
    case 1: note.weight = weight()
    case 2: note.remark = numbers.below(2) == 0 ? nil : text()
    case 3: note.tag = numbers.below(2) == 0 ? nil : try tag(in: database)
    case 4: note.id = id()
    case 5: note.file = numbers.below(8) > 0 ? nil : MagicAsset(value: text())
    default: break
    }
    try database.update(note)
  }

  private mutating func changeFolder(_ database: some MagicDatabaseWriter) throws {
    let folder: ReplayFolder
    if numbers.below(4) > 0, let known = try any(ReplayFolder.self, id(), in: database) {
      folder = known
    } else {
      folder = ReplayFolder()
      folder.id = "f\(numbers.below(6))"
    }
    for _ in 0..<numbers.below(4) {
      switch numbers.below(10) {
      case 0: folder.title = text()
      case 1: folder.note = numbers.below(2) == 0 ? nil : try note(in: database)
      case 2:
        let place = numbers.below(folder.list.count + 1)
        folder.list.insert(try tag(in: database), at: place)
      case 3 where !folder.list.isEmpty:
        folder.list.remove(at: numbers.below(folder.list.count))
      case 4 where !folder.list.isEmpty:
        folder.list.swapAt(0, numbers.below(folder.list.count))
      case 5: folder.set.insert(try tag(in: database))
      case 6: if let member = folder.set.first { folder.set.remove(member) }
      case 7: folder.named[text()] = try tag(in: database)
      case 8: folder.named[text()] = folder.named.removeValue(forKey: text())
      default: folder.parts.append(try note(in: database))
      }
    }
    try database.update(folder)
  }

  private mutating func saveKeeper(_ database: some MagicDatabaseWriter) throws {
    let keeper = try any(ReplayKeeper.self, id(), in: database) ?? ReplayKeeper()
    keeper.tag = try tag(in: database)
    if let folder = try any(ReplayFolder.self, id(), in: database) {
      if keeper.folders.contains(folder) {
        keeper.folders.remove(folder)
      } else {
        keeper.folders.insert(folder)
      }
    }
    try database.update(keeper)
  }

  private mutating func bulk(_ database: some MagicDatabaseWriter) throws {
    let (low, value) = (id(), text())
    switch numbers.below(4) {
    case 0: try database.query(ReplayNote.self).where(\.$id > low).update(set: \.$weight += 1)
    case 1:
      try database.query(ReplayNote.self).where(\.$id < low).update(set: \.$text, to: value)
    case 2: try database.query(ReplayNote.self).where(\.$id > low + 12).delete()
    default: try database.query(ReplayTag.self).where(\.$name == value).delete()
    }
  }

  private mutating func remove(_ database: some MagicDatabaseWriter) throws {
    switch numbers.below(5) {
    case 0:
      if let one = try any(ReplayNote.self, id(), in: database) { try database.remove(one) }
    case 1:
      if let one = try any(ReplayTag.self, id(), in: database) { try database.remove(one) }
    case 2:
      if let one = try any(ReplayFolder.self, id(), in: database) { try database.remove(one) }
    default:
      if let one = try any(ReplayKeeper.self, id(), in: database) { try database.remove(one) }
    }
  }

  private mutating func rawSQL(_ database: some MagicDatabaseWriter) throws {
    let (first, second, text, weight) = (id(), id(), text(), weight())
    let code = "c\(numbers.below(40))"
    let statement: MagicSQL
    switch numbers.below(20) {
    case 0:
      statement =
        "INSERT INTO ReplayNote (id, text, code, weight) VALUES (\(first), '', \(code), 1)"
    case 1:
      statement = """
        REPLACE INTO ReplayNote (id, text, code, weight) VALUES (\(first), \(text), \(code), 1.0)
        """
    case 2:
      statement = """
        INSERT OR REPLACE INTO ReplayNote (z_index, id, text, code, weight)
        VALUES (\(first), \(second), \(text), \(code), \(weight))
        """
    case 3:
      statement = """
        INSERT INTO ReplayNote (id, text, code, weight) VALUES (\(first), \(text), \(code), 2.0)
        ON CONFLICT (id) DO UPDATE SET text = excluded.text
        """
    case 4: statement = "UPDATE OR REPLACE ReplayNote SET code = \(code) WHERE id = \(first)"
    case 5: statement = "UPDATE OR REPLACE ReplayNote SET z_index = \(second) WHERE id = \(first)"
    case 6: statement = "UPDATE ReplayTag SET z_index = z_index + 100 WHERE z_index % 7 = 0"
    case 7: statement = "UPDATE OR IGNORE ReplayNote SET id = id + 1 WHERE id > \(first)"
    case 8: statement = "UPDATE ReplayNote SET weight = \(first % 3), remark = \(text) WHERE id < 9"
    case 9: statement = "UPDATE ReplayNote SET text = \(text), weight = weight"
    case 10: statement = "DELETE FROM ReplayNote WHERE id = \(first)"
    case 11: statement = "DELETE FROM ReplayTag WHERE name = \(text)"
    case 12: statement = "DELETE FROM \(links: \ReplayFolder.$list) WHERE target % 3 = \(first % 3)"
    case 13: statement = "UPDATE OR REPLACE \(links: \ReplayFolder.$named) SET \"key\" = \(text)"
    case 14: statement = "UPDATE OR REPLACE \(links: \ReplayFolder.$set) SET owner = owner + 1"
    case 15:
      statement = "UPDATE \(links: \ReplayFolder.$list) SET position = position + \(first % 2)"
    case 16:
      statement = """
        INSERT OR REPLACE INTO \(links: \ReplayFolder.$named)
        SELECT folder.z_index, \(text), tag.z_index FROM ReplayFolder AS folder, ReplayTag AS tag
        LIMIT 3
        """
    case 17 where first < 3: statement = "DELETE FROM ReplayNote"
    case 18 where first < 2: statement = "DELETE FROM \(links: \ReplayFolder.$set)"
    default: statement = "UPDATE ReplayFolder SET heading = \(text) WHERE id <> \(code)"
    }
    try database.sql(statement).run()
  }
}
