import Foundation
import MagicData

extension Worker {
  /// Inserts a crate with all objects that it refers to.
  func insert() async throws -> String {
    let state = newState()
    let crate = Crate()
    crate.number = state.number
    crate.task = task
    try await fill(crate, from: CrateState(state.number, of: task, label: 0), to: state)
    try await save(crate, state)
    return "insert"
  }

  /// Inserts several crates in one transaction.
  func insertSeveral() async throws -> String {
    let states = (0..<random(2...3)).map { _ in newState() }
    var some: [Crate] = []
    for state in states {
      let crate = Crate()
      crate.number = state.number
      crate.task = task
      try await fill(crate, from: CrateState(state.number, of: task, label: 0), to: state)
      some.append(crate)
    }
    let all = some
    guard try await attempt({ [magic] in try await magic.update(contentsOf: all) }) else {
      return "insert (cancelled)"
    }
    for state in states { crates[state.number] = state }
    return "insert several"
  }

  /// Changes values and members of an instance that is fetched now, or has been used before.
  func change(_ old: CrateState) async throws -> String {
    let crate = try await instance(of: old)
    let state = changed(old)
    try await fill(crate, from: old, to: state)
    try await save(crate, state)
    if mode == .leaksDescriptors { _ = open("/dev/null", O_RDONLY) }
    return "change"
  }

  func instance(of state: CrateState) async throws -> Crate {
    if let held, held.number == state.number { return held }
    return try await magic.object(of: Crate.self, primary: state.number)
  }

  /// Saves an instance. A cancelled save leaves unstored values in the instance, so it is released.
  private func save(_ crate: Crate, _ state: CrateState) async throws {
    if mode == .losesSave, ledger.injectsFlaw(at: 100) {
      crates[state.number] = state
      return
    }
    let isSaved = try await attempt { [magic] in try await magic.update(crate) }
    held = isSaved ? crate : nil
    guard isSaved else { return }
    dropped.formUnion(Set(crates[state.number]?.allParcels ?? []).subtracting(state.allParcels))
    crates[state.number] = state
  }

  func newState() -> CrateState {
    changed(CrateState(newNumber(), of: task, label: labels[0].number))
  }

  /// Returns a random later state of a crate.
  func changed(_ old: CrateState) -> CrateState {
    var state = old
    state.rank = random(0...9)
    state.label = labels[random(0...labels.count - 1)].number
    state.code = random(0...1) == 0 ? nil : "code \(state.number)"
    change(&state.parcels)
    if random(0...2) == 0 { change(&state.stock) }
    let shelf = "shelf \(random(0...3))"
    state.shelves[shelf] = random(0...2) == 0 ? nil : newNumber()
    state.tags = Set(tags.shuffled(using: &random).prefix(random(0...4)).map(\.number))
    if random(0...2) == 0 { state.version = random(0...5) == 0 ? 0 : random(1...100_000) }
    state.hasNotes = random(0...3) == 0
    return state
  }

  private func change(_ parcels: inout [Int]) {
    if parcels.count > 4 || (!parcels.isEmpty && random(0...2) == 0) {
      parcels.remove(at: random(0...parcels.count - 1))
    }
    if random(0...2) > 0 { parcels.insert(newNumber(), at: random(0...parcels.count)) }
    if random(0...5) == 0 { parcels.shuffle(using: &random) }
  }

  /// Changes an instance from one state to another.
  func fill(_ crate: Crate, from old: CrateState, to state: CrateState) async throws {
    crate.rank = state.rank
    crate.code = state.code
    if state.label != old.label, let label = labels.first(where: { $0.number == state.label }) {
      crate.label = label
    }
    let known = Dictionary(uniqueKeysWithValues: crate.parcels.map { ($0.number, $0) })
    crate.parcels = state.parcels.map { known[$0] ?? Parcel($0) }
    for (shelf, number) in state.shelves where crate.shelves[shelf]?.number != number {
      crate.shelves[shelf] = Parcel(number)
    }
    for shelf in crate.shelves.keys where state.shelves[shelf] == nil {
      crate.shelves[shelf] = nil
    }
    if state.tags != old.tags {
      crate.tags = MagicalSet(tags.filter { state.tags.contains($0.number) })
    }
    if state.stock != old.stock {
      let stored = old.stock.isEmpty ? [] : try await crate.stock.get()
      let known = Dictionary(uniqueKeysWithValues: stored.map { ($0.number, $0) })
      crate.stock.set(state.stock.map { known[$0] ?? Parcel($0) })
    }
    if state.version != old.version {
      crate.version = state.version
      crate.photo = state.version == 0 ? .init() : try await photo(state.version)
    }
    if state.hasNotes != old.hasNotes {
      crate.notes =
        state.hasNotes ? .init(value: CrateState.notes(state.number), pathExtension: "txt") : nil
    }
  }

  /// Creates an asset from memory, or by streaming into the folder before the save.
  private func photo(_ version: Int) async throws -> MagicAsset<Data> {
    let data = CrateState.photo(version)
    guard random(0...3) == 0 else { return .init(value: data, pathExtension: "jpg") }
    let pieces = AsyncStream<Data> { continuation in
      for start in stride(from: 0, to: data.count, by: 20_000) {
        continuation.yield(data[start..<min(start + 20_000, data.count)])
      }
      continuation.finish()
    }
    return try await magic.asset(streaming: pieces, pathExtension: "jpg")
  }
}
