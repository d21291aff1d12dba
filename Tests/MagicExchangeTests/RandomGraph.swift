import CopySupport
import Foundation
import MagicAssets
import MagicData
import MagicTestSupport

/// Objects with random values and relationships, in random order.
struct RandomGraph {
  private var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed) }

  /// Saves, changes and removes objects, so that row IDs and positions of lists have gaps.
  mutating func fill(_ magic: MagicData) async throws {
    try await magic.update(contentsOf: (0...random.below(4)).map { _ in sample() })
    let bands = (0..<random.below(6)).map { _ in Band(text()) }
    let songs = (0..<random.below(9)).map { _ in song(bands) }
    try await magic.update(contentsOf: songs)
    try await magic.update(contentsOf: bands)
    connect(bands, songs)
    try await magic.update(contentsOf: bands)
    for song in try await magic.object(of: Song.self) where random.below(5) == 0 {
      try await magic.remove(song)
    }
    for band in try await magic.object(of: Band.self) where random.below(5) == 0 {
      try await magic.remove(band)
    }
    for band in try await magic.object(of: Band.self) where random.below(2) == 0 {
      band.songs.shuffle(using: &random)
      band.tours.shuffle(using: &random)
      try await magic.update(band)
    }
  }

  private mutating func song(_ bands: [Band]) -> Song {
    let song = Song(text())
    song.mood = random.below(2) == 0 ? .calm : .loud
    song.writer = random.below(2) == 0 ? bands.randomElement(using: &random) : nil
    if random.below(3) == 0 {
      let data = random.data(count: random.below(20_000))
      song.sound =
        random.below(2) == 0 ? .init(value: data, pathExtension: "wav") : .init(value: data)
    }
    return song
  }

  private mutating func connect(_ bands: [Band], _ songs: [Song]) {
    // A song is in one list at most, because the lists own their members.
    for song in songs where !bands.isEmpty && random.below(4) > 0 {
      bands[random.below(bands.count)].songs.append(song)
    }
    for band in bands {
      let tours = (0..<random.below(4)).map { _ in tour() }
      // The same tour can be in a list twice.
      band.tours = (0..<tours.count * 2).map { _ in tours[random.below(tours.count)] }
      for other in bands where random.below(2) == 0 { band.rivals.insert(other) }
      for song in songs where random.below(3) == 0 { band.guests[real()] = song }
    }
  }

  private mutating func tour() -> Tour {
    let tour = Tour(isOver: random.below(2) == 0)
    tour.code = random.below(2) == 0 ? uuid() : nil
    return tour
  }

  private mutating func sample() -> Sample {
    let sample = Sample()
    sample.text = text()
    sample.url = URL(fileURLWithPath: "/\(random.next())")
    sample.uuid = uuid()
    sample.int = Int(truncatingIfNeeded: random.next())
    sample.small = Int8(truncatingIfNeeded: random.next())
    sample.unsigned = UInt32(truncatingIfNeeded: random.next())
    sample.flag = random.below(2) == 0
    sample.real = real()
    sample.single = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
    if sample.single.isNaN { sample.single = -0.0 }
    sample.date = Date(timeIntervalSinceReferenceDate: Double(random.below(1 << 40)) / 1_024)
    sample.decimal = Decimal(
      sign: random.below(2) == 0 ? .plus : .minus, exponent: random.below(40) - 20,
      significand: Decimal(random.next()))
    sample.data = random.data(count: random.below(300))
    sample.bytes = Array(random.data(count: random.below(30)))
    sample.list = (0..<random.below(4)).map { _ in text() }
    for _ in 0..<random.below(4) { sample.map[text()] = random.below(100) }
    sample.note = random.below(2) == 0 ? text() : nil
    sample.number = random.below(2) == 0 ? real() : nil
    return sample
  }

  private mutating func uuid() -> UUID {
    let bytes = random.data(count: 16)
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// Any number but NaN, which SQLite cannot store.
  private mutating func real() -> Double {
    let reals = CopiedDatabase.reals
    if random.below(4) == 0 { return reals[random.below(reals.count)] }
    let real = Double(bitPattern: random.next())
    return real.isNaN ? 0.1 : real
  }

  /// Any text, often with characters that formats of text escape.
  private mutating func text() -> String {
    let escaped = Array("\u{0}\u{7f}\"\\\n\r\t,;{}'/\u{2028}\u{feff}".unicodeScalars)
    var text = String.UnicodeScalarView()
    for _ in 0..<random.below(20) {
      let scalar = Unicode.Scalar(UInt32(random.below(0x11_0000)))
      text.append(random.below(3) == 0 ? escaped[random.below(escaped.count)] : scalar ?? "a")
    }
    return String(text)
  }
}

extension DatabaseDump {
  /// The differences of a copy. The identifier of a database is its own, and the search index of a copy is
  /// filled when it is first used.
  func differencesOfCopy(from source: DatabaseDump) -> [String] {
    differences(from: source).filter {
      !$0.contains("magic_search(") && $0 != "table magic_format"
    }
  }
}
