import Foundation
import MagicSQLite
import MagicSchema
import MagicTestSupport
import Magical

// Each enumeration is a version of a program: a later `Item` reads the table of `Old`.

enum Old {
  struct Item: MagicObject {
    static var tableName: String { "Item" }
    @MagicValue var name: String
    @OptionMagicValue var size: Int?

    init() {}
    init(name: String) { (self.name, size) = (name, 1) }
  }
}

enum Added {
  struct Item: MagicObject {
    static var tableName: String { "Item" }
    @MagicValue var name: String
    @OptionMagicValue var size: Int?
    @OptionMagicValue var note: String?
    @MagicValue var count = 7
    @MagicValue var text = "it's"
    @MagicValue var real = 2.5
    @MagicValue var bytes = Data([1, 0xAB])
    @MagicValue var isNew = true

    init() {}
    init(name: String) { self.name = name }
  }
}

enum Indexed {
  struct Item: MagicObject {
    static var tableName: String { "Item" }
    @MagicValue(.indexed) var name: String
    @OptionMagicValue var size: Int?
  }
}

enum Unique {
  struct Item: MagicObject {
    static var tableName: String { "Item" }
    @MagicValue(.unique) var name: String
    @OptionMagicValue var size: Int?
  }
}

enum Renamed {
  struct Item: MagicObject {
    static var tableName: String { "Item" }
    @MagicValue(.wasNamed("name")) var title: String
    @OptionMagicValue var size: Int?
  }
}

/// A number that SQLite does not read back from its shortest text. Newer versions of SQLite read all
/// numbers exactly: then it is one that needs seventeen digits.
let hardToRead: Double = {
  let connection = try? SQLiteConnection(inMemory: .init())
  var random = SeededRandom(3)
  for _ in 0..<10_000 {
    let number = Double(bitPattern: random.next() >> 2)
    guard number.isNormal, let probe = try? connection?.prepare("SELECT \(number)"),
      (try? probe.step()) == true
    else { continue }
    if probe.column(0).real.bitPattern != number.bitPattern { return number }
  }
  return 0.1 + 0.2
}()

enum Precise {
  struct Item: MagicObject {
    static var tableName: String { "Item" }
    @MagicValue var name: String
    @OptionMagicValue var size: Int?
    @MagicValue var real = hardToRead

    init() {}
    init(name: String) { self.name = name }
  }
}

enum Reused {
  struct Item: MagicObject {
    static var tableName: String { "Item" }
    @MagicValue(.wasNamed("name")) var title = "?"
    @MagicValue var name: String
    @OptionMagicValue var size: Int?
  }
}

enum Reordered {
  struct Item: MagicObject {
    static var tableName: String { "Item" }
    @OptionMagicValue var size: Int?
    @MagicValue var name: String

    init() {}
    init(name: String) { (self.name, size) = (name, 2) }
  }
}

enum Required {
  struct Item: MagicObject {
    static var tableName: String { "Item" }
    @MagicValue var name: String
    @OptionMagicValue var size: Int?
    @MagicValue var must: String
  }
}

enum Dropped {
  struct Item: MagicObject {
    static var tableName: String { "Item" }
    @MagicValue var name: String
  }
}

enum Stricter {
  struct Item: MagicObject {
    static var tableName: String { "Item" }
    @MagicValue var name: String
    @MagicValue var size: Int
  }
}

enum Looser {
  struct Item: MagicObject {
    static var tableName: String { "Item" }
    @OptionMagicValue var name: String?
    @OptionMagicValue var size: Int?
  }
}

enum Retyped {
  struct Item: MagicObject {
    static var tableName: String { "Item" }
    @MagicValue var name: Int
    @OptionMagicValue var size: Int?
  }
}
