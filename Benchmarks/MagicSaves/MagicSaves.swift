import ArgumentParser
import Foundation
import MagicData

/// Saves people one by one on one thread, for tools that count instructions.
@main
struct MagicSaves: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "magic-saves",
    abstract: "Saves people one by one on one thread, for tools that count instructions.")

  @Option(help: "How many are saved, each in a transaction of its own.")
  var count = 2_000

  @Option(help: "How many observers of other types there are.")
  var others = 0

  @Flag(help: "Whether the people are observed.")
  var observed = false

  func run() throws {
    let store = try ObjectStore.open(.memory)
    defer { store.close() }
    try Observers.saveOthers(in: store)
    var observers = Observers()
    observers.addOthers(others, to: store)
    if observed { observers.add(Person.self, to: store) }
    try withExtendedLifetime(observers) {
      for number in 0..<count { try store.update(Person(number)) }
    }
  }
}

/// Somebody to be saved.
struct Person: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var name: String = ""
  @MagicValue var age: Int = 0
  @MagicValue var height: Double = 0
  @OptionMagicValue var nickname: String?
  @MagicValue var photo: Data = Data()

  init() {}

  init(_ number: Int) {
    id = "person number \(number)"
    name = "a name of thirty characters \(number % 10)"
    age = number % 90
    height = 1.5 + Double(number % 50) / 100
    nickname = number % 3 == 0 ? nil : "nick \(number)"
    photo = Data(repeating: UInt8(truncatingIfNeeded: number), count: 32)
  }
}
