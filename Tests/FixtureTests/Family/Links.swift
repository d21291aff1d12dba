/// The targets of relationships, as numbers of rows, computed from the number of the owner.
enum Links {
  static func city(_ home: Int) -> Int { home % 20 + 1 }

  /// The owners of homes whose number is a multiple of four were removed.
  static func owner(_ home: Int) -> Int? { home % 4 == 0 ? nil : home }

  static func parent(_ home: Int) -> Int? { home == 1 ? 20 : home % 5 == 0 ? nil : home - 1 }

  static func keeper(_ home: Int) -> Int? { Sample.isNil(home) ? nil : home + 3 }

  /// The members in order, some of them twice.
  static func residents(_ home: Int) -> [Int] {
    (0..<home % 6 * 2).map { Int(Sample.bits(home * 10 + $0, 20) % 24) + 1 }
      + (home % 6 == 0 ? [] : [home, home])
  }

  static func rooms(_ home: Int) -> [Int] {
    Array((1...40).filter { ($0 - 1) % 20 + 1 == home }.reversed())
  }

  static func neighbours(_ home: Int) -> Set<Int> {
    home % 3 == 0 ? [] : Set([home, home % 20 + 1, (home + 6) % 20 + 1])
  }

  static func landlords(_ home: Int) -> Set<Int> {
    home % 4 == 1 ? [] : Set([home, home + 4])
  }

  static func phones(_ home: Int) -> [String: Int] {
    home % 5 == 0 ? [:] : ["": home, "nul\0 \(home)": home + 1, "\"\(home)\" 📞": home]
  }

  static func floors(_ home: Int) -> [Int: Int] {
    home % 2 == 0 ? [:] : [-1: rooms(home)[0], 0: rooms(home)[1], .max: rooms(home)[0]]
  }

  static func next(_ knot: Int) -> Int { knot % 20 + 1 }

  static func other(_ twin: Int) -> Int { twin % 2 == 1 ? twin + 1 : twin - 1 }

  /// The members, of stamps that were not removed.
  static func content(_ cupboard: Int) -> [Int] {
    (0..<cupboard % 5).map { (cupboard + $0 / 2) % 6 + 1 }
  }

  static func spots(_ cupboard: Int) -> [Spot: Int] {
    cupboard % 3 == 0
      ? [:]
      : [
        Spot(row: cupboard, side: "left \"\(cupboard)\""): cupboard % 6 + 1,
        Spot(row: -1, side: ""): 8,
      ]
  }
}

extension Rows {
  static let cities = 1...20
  static let streets = 1...20
  static let homes = 1...20
  static let rooms = 1...40
  static let knots = 1...20
  static let twins = 1...20
  static let cupboards = 1...20
}
