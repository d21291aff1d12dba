package import Foundation
import MagicAssets
package import MagicData
import Testing

/// What a database contains before it is copied, and must contain afterwards.
package enum CopiedDatabase {
  package static let sound = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

  /// Texts and numbers that an engine could change.
  package static let texts = [
    "", "\u{0}", "a\u{0}b\u{1}\u{2}\u{3}", "\u{202E}שלום", "e\u{301}", "👩‍👩‍👧", "\\.", "\t\n\\N",
    String(repeating: "long ", count: 210_000),
  ]
  package static let reals: [Double] = [
    0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1,
  ]

  /// Fills a database with values of each type, relationships and assets.
  package static func fill(_ magic: MagicData) async throws {
    for (index, text) in Self.texts.enumerated() {
      let sample = Sample()
      sample.text = text
      sample.note = index % 2 == 0 ? text : nil
      sample.real = Self.reals[index % Self.reals.count]
      sample.number = Self.reals[(index + 1) % Self.reals.count]
      sample.int = [Int.min, Int.max, 0][index % 3]
      sample.flag = index % 2 == 0
      sample.decimal = Decimal(string: "-12345678901234567890.123456789")!
      sample.data = Data(text.utf8.reversed())
      sample.map = [text: index]
      try await magic.update(sample)
    }
    let bands = ["One", "Two", "Three"].map(Band.init)
    let songs = (0..<5).map { Song("Song \($0)") }
    for (index, song) in songs.enumerated() {
      song.writer = index < 3 ? bands[index] : nil
      song.mood = index % 2 == 0 ? .calm : .loud
    }
    songs[0].sound = .init(value: Self.sound, pathExtension: "wav")
    songs[1].sound = .init(value: Data())
    bands[0].songs = [songs[2], songs[0], songs[1]]
    bands[1].songs = [songs[4]]
    bands[0].tours = [Tour(isOver: true), Tour(isOver: false)]
    bands[0].tours.append(bands[0].tours[0])
    bands[0].tours[1].code = UUID()
    bands[0].rivals = [bands[1], bands[2]]
    bands[1].guests = [-0.5: songs[3], .infinity: songs[0]]
    try await magic.update(contentsOf: bands)
    // Their row IDs and primaries are not assigned again.
    try await magic.remove(bands[2])
    let tour = Tour(isOver: false)
    try await magic.update(tour)
    try await magic.remove(tour)
  }

  /// Checks a database with the types of the app.
  package static func check(_ magic: MagicData) async throws {
    let samples = try await magic.object(of: Sample.self)
    #expect(samples.map { Array($0.text.utf8) } == Self.texts.map { Array($0.utf8) })
    for (index, sample) in samples.enumerated() {
      #expect(sample.real.bitPattern == Self.reals[index % Self.reals.count].bitPattern)
    }
    let bands = try await magic.object(of: Band.self)
    #expect(bands.map(\.id) == [1, 2])
    #expect(bands[0].songs.map(\.title) == ["Song 2", "Song 0", "Song 1"])
    #expect(bands[0].tours.map(\.number) == [1, 2, 1])
    #expect(bands[0].rivals.map(\.name) == ["Two"])
    #expect(bands[1].guests[.infinity]?.title == "Song 0")
    #expect(bands[1].guests[-0.5]?.writer == nil)
    var written: [String] = []
    for try await song in bands[0].written { written.append(song.title) }
    #expect(written == ["Song 0"])
    #expect(try bands[0].songs[1].sound?.load() == Self.sound)
    #expect(try bands[0].songs[2].sound?.load() == Data())
    #expect(try await magic.verify().isSound)
    // No row ID or primary is used again.
    let (band, tour) = (Band("Four"), Tour(isOver: false))
    band.tours = [tour]
    try await magic.update(band)
    #expect(band.id == 4)
    #expect(tour.number == 4)
  }
}
