import MagicData

/// Streams of changes without a reader.
struct Observers {
  /// The streams, which end when they are released.
  private var streams: [any Sendable] = []

  /// The kinds of observers during saves.
  enum Kind: String, CaseIterable, Sendable {
    case none = "O0"
    case others = "O1000"
    case one = "O1"

    var title: String {
      switch self {
      case .none: "saves one by one in memory, no observer"
      case .others: "the same with 1,000 observers of ten other types"
      case .one: "the same with one observer of the type without a reader"
      }
    }
  }

  init(_ kind: Kind, of store: MagicObjectStore) {
    switch kind {
    case .none: break
    case .others: addOthers(1_000, to: store)
    case .one: add(Observed.self, to: store)
    }
  }

  /// Adds observers of ten types that have tables, in turn.
  private mutating func addOthers(_ count: Int, to store: MagicObjectStore) {
    for number in 0..<count {
      switch number % 10 {
      case 0: add(Other<Int8>.self, to: store)
      case 1: add(Other<Int16>.self, to: store)
      case 2: add(Other<Int32>.self, to: store)
      case 3: add(Other<Int64>.self, to: store)
      case 4: add(Other<UInt8>.self, to: store)
      case 5: add(Other<UInt16>.self, to: store)
      case 6: add(Other<UInt32>.self, to: store)
      case 7: add(Other<UInt64>.self, to: store)
      case 8: add(Other<Float>.self, to: store)
      default: add(Other<Double>.self, to: store)
      }
    }
  }

  private mutating func add<Model: MagicObject>(_ type: Model.Type, to store: MagicObjectStore) {
    streams.append(store.changes(of: type))
  }
}
