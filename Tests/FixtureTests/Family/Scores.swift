import MagicQuery
import MagicStatements

/// A type whose rows queries and raw SQL have changed.
struct Score: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue(.indexed) var total: Int
  @OptionMagicValue var remark: String?

  init() {}
  init(total: Int) { self.total = total }
}

extension Rows {
  static let scores = 1...40
  static let scoresRemoved = [3, 36, 37, 38, 39, 40]
  /// The primary of a row that raw SQL inserted.
  static let insertedScore = 100
}

/// Writes rows, and changes them by queries and raw SQL.
enum ScoresWriting {
  static func write(_ store: MagicObjectStore) throws {
    try store.update(contentsOf: Rows.scores.map { Score(total: $0) })
    try store.query(Score.self).where { $0.$number > 35 || $0.$number == 3 }.delete()
    try store.query(Score.self).where { $0.$number > 20 }
      .update(set: \.$total += 1000, .set(\.$remark, to: Sample.text(2)))
    let remark = Sample.text(1)
    try store.sql(
      "UPDATE \(table: Score.self) SET \(column: \Score.$remark) = \(remark) WHERE number <= \(10)"
    ).run()
    try store.sql(
      "INSERT INTO Score (number, total) VALUES (\(Rows.insertedScore), \(Sample.integer(0)))"
    ).run()
  }

  static func total(_ number: Int) -> Int {
    number == Rows.insertedScore ? Sample.integer(0) : number > 20 ? number + 1000 : number
  }

  static func remark(_ number: Int) -> String? {
    switch number {
    case ...10: Sample.text(1)
    case 21...40: Sample.text(2)
    default: nil
    }
  }
}
