import Foundation
import MagicData

extension Worker {
  func look(_ state: CrateState) async throws -> String {
    try await compare(state)
    return "look"
  }

  /// Compares a stored crate with its acknowledged state.
  func compare(_ state: CrateState) async throws {
    let crate = try await magic.object(of: Crate.self, primary: state.number)
    try await compare(crate, state)
  }

  private func compare(_ crate: Crate, _ state: CrateState) async throws {
    let stored = try await CrateState.read(crate)
    try ledger.check("crate", stored == state, "\(stored) instead of \(state)")
  }

  /// Compares all crates of the task.
  func compareAll() async throws -> String {
    let stored = try await magic.query(Crate.self).where(\.$task == task).all()
    try ledger.check(
      "own crates", Set(stored.map(\.number)) == Set(crates.keys),
      "there are \(stored.map(\.number).sorted()), not \(crates.keys.sorted())")
    for crate in stored {
      if let state = crates[crate.number] { try await compare(crate, state) }
    }
    return "compare all"
  }

  func stream() async throws -> String {
    var numbers: [Int] = []
    let endsEarly = random(0...4) == 0
    for try await crate in magic.query(Crate.self).where(\.$task == task).stream() {
      numbers.append(crate.number)
      if endsEarly && numbers.count == 3 { return "stream ended early" }
    }
    try ledger.check(
      "stream", numbers.sorted() == crates.keys.sorted(), "it had \(numbers.count) crates")
    return "stream"
  }

  /// Reads lazy members.
  func lazy(_ state: CrateState) async throws -> String {
    let crate = try await magic.object(of: Crate.self, primary: state.number)
    let count = try await crate.stock.count
    try ledger.check("lazy", count == state.stock.count, "\(count), not \(state.stock.count)")
    let any = try await crate.stock.randomValue()
    try ledger.check("lazy", any.map { state.stock.contains($0.number) } ?? (count == 0), "any")
    var numbers: [Int] = []
    for try await parcel in try crate.stock.createAsyncStream() { numbers.append(parcel.number) }
    try ledger.check("lazy", numbers == state.stock, "\(numbers), not \(state.stock)")
    return "lazy"
  }

  /// Reads the inverse relationship.
  func reverse(_ state: CrateState) async throws -> String {
    guard let label = labels.first(where: { $0.number == state.label }) else {
      throw Finding("a crate has no label")
    }
    let expected = crates.values.filter { $0.label == label.number }.map(\.number).sorted()
    let count = try await label.crates.count
    try ledger.check("reverse", count == expected.count, "\(count), not \(expected.count)")
    var numbers: [Int] = []
    for try await crate in label.crates { numbers.append(crate.number) }
    try ledger.check("reverse", numbers.sorted() == expected, "\(numbers), not \(expected)")
    let members = try await magic.query(Crate.self)
      .where { [task] in $0.$task == task && $0.$parcels.count > 2 }.count()
    let full = crates.values.count { $0.parcels.count > 2 }
    try ledger.check("query", members == full, "\(members) full crates, not \(full)")
    return "reverse"
  }

  /// Reads the file of a crate, in chunks and in part.
  func readFiles(_ state: CrateState) async throws -> String {
    let crate = try await magic.object(of: Crate.self, primary: state.number)
    guard state.version != 0 else { return "no photo" }
    let photo = CrateState.photo(state.version)
    var read = Data()
    for try await chunk in crate.photo.chunks() { read += chunk }
    try ledger.check("asset", read == photo, "\(read.count) bytes, not \(photo.count)")
    let reader = try crate.photo.open()
    let part = try reader.read(0..<min(10, photo.count))
    try ledger.check("asset", part == photo.prefix(10), "another beginning")
    return "read files"
  }

  /// Creates an asset in the folder, and never saves it.
  func streamFile(_ state: CrateState) async throws -> String {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("magic-soak-\(getpid())-\(task)")
    defer { try? FileManager.default.removeItem(at: file) }
    try CrateState.photo(29 * 7 * state.number % 10_000).write(to: file)
    let asset = try await magic.asset(contentsOf: file)
    try ledger.check("asset", asset.hasValue, "the asset has no file")
    return "unsaved file"
  }
}
