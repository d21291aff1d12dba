import Foundation
import MagicData
import MagicTestSupport

/// One of the tasks. Its crates are its own, with a known state; it shares all other objects.
final class Worker {
  let task: Int
  let magic: MagicData
  let ledger: Ledger
  let mode: Mode
  let bank: Bank
  var random: SeededRandom
  /// The acknowledged states.
  var crates: [Int: CrateState] = [:]
  /// An instance of a crate that is changed and saved repeatedly.
  var held: Crate?
  var labels: [Label] = []
  var tags: [Tag] = []
  /// Parcels without a crate, which are to be deleted.
  var dropped: Set<Int> = []
  private var lastNumber: Int
  private let beat: Beat

  static let crateLimit = 12

  init(_ task: Int, _ magic: MagicData, _ ledger: Ledger, _ settings: Settings) {
    self.task = task
    self.magic = magic
    self.ledger = ledger
    mode = settings.mode
    bank = Bank(magic, ledger, settings.mode)
    random = SeededRandom(settings.seed &* 1_000 &+ UInt64(task))
    // Each task has its own range of numbers.
    lastNumber = (task + 1) * 1_000_000_000
    beat = Beat(task)
  }

  func random(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

  func newNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  func randomCrate() -> CrateState? {
    crates.keys.sorted().randomElement(using: &random).flatMap { crates[$0] }
  }

  /// Makes calls until the time is over.
  ///
  /// - Returns: The states that must be stored then.
  func run() async -> [CrateState] {
    var call = "begin"
    do {
      try await begin()
      while !ledger.isDone {
        call = try await step()
        if mode == .leaksObjects {
          LeakedObjects.shared.add(try await magic.object(of: Crate.self))
        }
        ledger.count(call)
        if dropped.count > 50 { try await removeDropped() }
      }
      call = "end"
      try await removeDropped()
      _ = try await compareAll()
    } catch {
      ledger.note("task \(task), after \(call): \(error)")
    }
    return Array(crates.values)
  }

  private func begin() async throws {
    labels = (0..<4).map { _ in Label(newNumber()) }
    tags = (0..<8).map { _ in Tag(newNumber()) }
    let (labels, tags, beat) = (labels, tags, beat)
    try await magic.transaction { transaction in
      try transaction.update(contentsOf: labels)
      try transaction.update(contentsOf: tags)
      try transaction.update(beat)
    }
  }

  /// Makes one call, or a few that form a unit.
  ///
  /// - Returns: The kind of call.
  private func step() async throws -> String {
    guard let crate = randomCrate() else { return try await insert() }
    if crates.count >= Self.crateLimit { return try await remove(crate) }
    return switch random(0...99) {
    case ..<10: try await insert()
    case ..<28: try await change(crate)
    case ..<30: try await insertSeveral()
    case ..<35: try await remove(crate)
    case ..<37: try await removeByQuery(crate)
    case ..<39: try await removeTag()
    case ..<43: try await refuse(crate)
    case ..<47: try await nest(crate)
    case ..<50: try await violate(crate)
    case ..<52: try await raiseByQuery()
    case ..<54: try await raiseBySQL(crate)
    case ..<56: try await deny(crate)
    case ..<62: try await bank.transfer(using: &random)
    case ..<72: try await raiseBeat()
    case ..<80: try await look(crate)
    case ..<83: try await compareAll()
    case ..<86: try await stream()
    case ..<90: try await lazy(crate)
    case ..<93: try await reverse(crate)
    case ..<96: try await bank.checkSum()
    case ..<98: try await readFiles(crate)
    default: try await streamFile(crate)
    }
  }

  private func raiseBeat() async throws -> String {
    beat.count += 1
    ledger.begin(beat: task, beat.count)
    try await magic.update(beat)
    ledger.acknowledge(beat: task, beat.count)
    return "beat"
  }

  /// Runs a call, sometimes in a task that is cancelled while it runs.
  ///
  /// - Returns: Whether the call succeeded.
  func attempt(_ body: @escaping @Sendable () async throws -> Void) async throws -> Bool {
    guard random(0...6) == 0 else {
      try await body()
      return true
    }
    let yields = random(0...4)
    let task = Task { try await body() }
    for _ in 0..<yields { await Task.yield() }
    task.cancel()
    do {
      try await task.value
      ledger.count("cancelled too late")
      return true
    } catch is CancellationError {
      ledger.count("cancelled")
      return false
    }
  }
}
