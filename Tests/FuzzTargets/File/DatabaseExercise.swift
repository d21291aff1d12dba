import Foundation
import MagicAssets
import MagicAsync
import MagicQuery
import MagicRelations
import MagicStatements
import MagicStore

/// Makes all calls that a program makes, on a database with any contents.
struct DatabaseExercise {
  let store: MagicObjectStore
  let directory: RunDirectory

  static let types: [any MagicObject.Type] = [
    Scalar.self, Leaf.self, Root.self, Photo.self, Library.self,
  ]

  func read() throws {
    try attempt("fetching scalars") {
      for scalar in try store.object(of: Scalar.self) {
        _ = "\(scalar.text) \(scalar.born) \(scalar.tags) \(scalar.scores) \(scalar.amount)"
      }
    }
    try attempt("fetching leaves") { try readLeaves() }
    try attempt("fetching roots") {
      for root in try store.object(of: Root.self) {
        _ = root.one.name.count + root.list.count + root.group.count + root.names.count
        _ = root.list.map(\.name).joined().utf8.count + root.spots.count + root.years.count
        _ = root.up?.up?.maybe?.next?.name
      }
    }
    try attempt("fetching photos") {
      for photo in try store.object(of: Photo.self) {
        try requireNoSecret(photo.image.value)
        try requireNoSecret((photo.caption?.value).map { Data($0.utf8) })
        _ = photo.letter?.value
      }
    }
    try attempt("fetching libraries") {
      for library in try store.object(of: Library.self) { try readLazily(library) }
    }
    try attempt("looking up") { _ = try store.object(of: Scalar.self, primaries: [1, 2, 3, .max]) }
    try attempt("looking up by text") { _ = try store.has(of: Root.self, primary: "first") }
  }

  private func readLeaves() throws {
    let leaves = try store.object(of: Leaf.self)
    for leaf in leaves { _ = (leaf.next?.next?.name ?? "") + leaf.name }
    guard let leaf = leaves.first else { return }
    try attempt("reading the inverse relationship of a leaf") {
      try blocking {
        _ = try await leaf.roots.count
        for try await root in leaf.roots { _ = root.name }
      }
    }
  }

  private func readLazily(_ library: Library) throws {
    try attempt("reading a library") { _ = try library.keeper.get(in: store).name }
    try attempt("reading a library") { _ = try library.deputy?.get(in: store).name }
    try attempt("reading a library") { _ = try library.leaves.get(in: store).map(\.name) }
    try attempt("reading a library") { _ = try library.group.get(in: store).map(\.name) }
    try attempt("reading a library") { _ = try library.titles.get(in: store).values.map(\.title) }
    try attempt("reading a library") { _ = try library.leaves.count(in: store) }
    try attempt("reading a library") {
      try requireNoSecret(try library.cover?.get(in: store).value)
    }
    try attempt("streaming from a library") {
      try blocking {
        for try await leaf in try library.leaves.createAsyncStream() { _ = leaf.name }
      }
    }
  }

  private func requireNoSecret(_ data: Data?) throws {
    guard data.map({ Array($0) }) != RunDirectory.secret else {
      throw Finding("an asset was read from a file outside of its folder")
    }
  }

  func query() throws {
    try attempt("a query") {
      _ = try store.query(Scalar.self).where(\.$small > 1 && \.$text != "x").order(by: \.$born)
        .all()
    }
    try attempt("a query") { _ = try store.query(Scalar.self).sum(\.$small) }
    try attempt("a query of JSON") {
      _ = try store.query(Scalar.self).where {
        $0.$tags.contains { $0.hasPrefix("t") } || $0.$lines.count { $0.isEmpty } > 1
          || $0.$scores.values.allSatisfy { $0 * 2 > 3 }
      }.count()
    }
    try attempt("a query") { _ = try store.query(Scalar.self).select(\.$text, \.$huge).all() }
    try attempt("a query") {
      _ = try store.query(Root.self).where { $0.$list.contains { $0.$name == "oak" } }.count()
    }
    try attempt("a query") { _ = try store.query(Root.self).where(\.$one.$name == "birch").first() }
    try attempt("SQL") { _ = try store.sql("SELECT * FROM Leaf").rows() }
    try attempt("a plan") { _ = try store.migrationPlan(for: Self.types) }
  }

  func maintain() throws {
    try attempt("verifying") {
      for finding in try store.verify().findings { _ = finding.description }
    }
    try attempt("repairing") {
      try store.repair()
      let report = try store.verify()
      let isWhole = !report.findings.contains { $0.kind == .damage || $0.kind == .wrongCatalogue }
      for finding in report.findings where isWhole {
        guard ![.wrongCount, .missingTrigger, .wrongDescription].contains(finding.kind) else {
          throw Finding("a finding remains after a repair: \(finding)")
        }
      }
    }
    try attempt("a backup") {
      try store.backup(to: directory.database.replacingOccurrences(of: "main", with: "copy"))
    }
  }

  func write() throws {
    try attempt("saving a new row") { try store.update(Scalar(number: 9)) }
    try attempt("saving a new graph") {
      let root = Root("third")
      root.one = Leaf("new")
      root.list = [Leaf("newer"), root.one]
      root.names = ["b": root.one]
      try store.update(root)
    }
    try attempt("changing roots") {
      for root in try store.object(of: Root.self) {
        root.list.append(root.one)
        root.group.insert(root.one)
        root.spots[Spot(row: 9, side: "")] = root.one
        root.maybe = nil
        try attempt("saving a changed root") { try store.update(root) }
      }
    }
    try attempt("changing leaves") {
      let leaves = try store.object(of: Leaf.self)
      for leaf in leaves { leaf.name += "." }
      try store.update(contentsOf: leaves)
    }
    try attempt("changing photos") {
      for photo in try store.object(of: Photo.self) {
        photo.image = .init(value: Data([9]))
        try attempt("saving a changed photo") { try store.update(photo) }
      }
    }
    try attempt("changing by query") {
      try store.query(Scalar.self).where(\.$small > 0).update(set: \.$small += 1)
    }
    try attempt("a transaction that commits") {
      try store.transaction { transaction in
        try attempt("a savepoint") {
          try transaction.transaction { try $0.update(Leaf("inside")) }
        }
        try transaction.update(Scalar(number: 10))
      }
    }
    struct Abandoned: Error {}
    do {
      try store.transaction { transaction in
        try attempt("removing all inside") { try transaction.removeAll(of: Leaf.self) }
        throw Abandoned()
      }
    } catch is Abandoned {
    } catch is MagicError {
    } catch { throw Finding("a transaction threw \(error)") }
  }

  func remove() throws {
    try attempt("removing one") {
      if let first = try store.object(of: Photo.self).first { try store.remove(first) }
    }
    try attempt("removing one") {
      if let first = try store.object(of: Root.self).first { try store.remove(first) }
    }
    try attempt("deleting by query") { try store.query(Leaf.self).where(\.$name != "oak").delete() }
    try attempt("removing all") { try store.removeAll(of: Library.self) }
    try attempt("removing all") { try store.removeAll(of: Root.self) }
    try attempt("removing all") { try store.removeAll(of: Photo.self) }
  }

  /// Uses the tables with the types of a later version.
  func migrate() throws {
    try attempt("a later plan") {
      _ = try store.migrationPlan(for: Later.Leaf.self, Later.Scalar.self)
    }
    try attempt("a later type") {
      for leaf in try store.object(of: Later.Leaf.self) { leaf.title += "!" }
    }
    try attempt("a later type") { _ = try store.object(of: Later.Scalar.self) }
    try attempt("a later row") {
      let leaf = Later.Leaf()
      leaf.title = "later"
      try store.update(leaf)
    }
  }
}
