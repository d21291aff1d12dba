import Foundation
import MagicStore

enum Mood: String, Magical, CaseIterable {
  case merry
  case sad = "sad as can be"
}

enum Rank: Int, Magical, CaseIterable {
  case last = -1
  case first = 1
}

struct Job: MagicalCodable, Equatable {
  let title: String
  let days: [Int]
}

/// An object with a property of every value type.
struct Scalar: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue(.indexed) var text: String
  @OptionMagicValue var note: String?
  @MagicValue var small: Int8
  @MagicValue var natural: UInt32
  @MagicValue var huge: UInt64
  @MagicValue var isTrue: Bool
  @OptionMagicValue var isSure: Bool?
  @MagicValue var ratio: Float
  @OptionMagicValue var real: Double?
  @MagicValue var born: Date
  @MagicValue(.unique) var token: UUID
  @MagicValue var link: URL
  @MagicValue var amount: Decimal
  @MagicValue var data: Data
  @OptionMagicValue var bytes: [UInt8]?
  @MagicValue var mood: Mood
  @OptionMagicValue var rank: Rank?
  @OptionMagicValue var job: Job?
  @MagicValue var tags: Set<String> = []
  @MagicValue var lines: [String] = []
  @MagicValue var scores: [String: Int] = [:]

  init() {}

  init(number: Int) {
    text = "text \(number)"
    note = number.isMultiple(of: 2) ? nil : "nöte"
    small = Int8(truncatingIfNeeded: number)
    natural = UInt32(number)
    huge = UInt64(number) << 40
    isTrue = number.isMultiple(of: 2)
    isSure = true
    ratio = Float(number) / 2
    real = number.isMultiple(of: 3) ? nil : Double(number) / 3
    born = Date(timeIntervalSinceReferenceDate: Double(number))
    token = Self.token(number)
    link = Self.link(number)
    amount = Decimal(number) / 4
    data = Data([0, 1, UInt8(truncatingIfNeeded: number)])
    bytes = number.isMultiple(of: 2) ? nil : [UInt8(truncatingIfNeeded: number)]
    mood = .merry
    rank = .first
    job = Job(title: "job", days: [number])
    tags = ["a", "b"]
    lines = ["line"]
    scores = ["score": number]
  }

  static func token(_ number: Int) -> UUID {
    var bytes = UUID(uuidString: "00000000-0000-4000-8000-000000000000")?.uuid
    bytes?.15 = UInt8(truncatingIfNeeded: number)
    return bytes.map { UUID(uuid: $0) } ?? UUID()
  }

  private static func link(_ number: Int) -> URL {
    URL(string: "https://example.org/\(number)") ?? URL(fileURLWithPath: "/")
  }
}
