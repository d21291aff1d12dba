import EngineConformance
import MagicData
import MagicTestSupport
import Testing

extension MagicData {
  /// Opens a database that reports its statements.
  static func open(_ path: String, _ recorder: Recorder<String>) async throws -> MagicData {
    try await MagicData.onTestedEngine(
      path: path, options: MagicOptions(logger: recorder.logger()))
  }
}

/// Expects an error with a code.
func expect(
  _ code: MagicError.Code, at location: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async {
  do {
    try await body()
    Issue.record("Nothing was thrown.", sourceLocation: location)
  } catch let error as MagicError {
    #expect(error.code == code, "\(error)", sourceLocation: location)
  } catch {
    Issue.record("\(error)", sourceLocation: location)
  }
}

// MARK: Models

struct Track: MagicObject {
  @MagicValue var title: String
  @MagicValue var seconds: Int = 0
  @ReverseMagicValue(\Album.$tracks) var albums: AsyncReverseMagicSet<Album>
  @ReverseMagicValue(\Album.$bonus) var bonusOf: AsyncReverseMagicSet<Album>
  @ReverseMagicValue(\Album.$named) var namedIn: AsyncReverseMagicSet<Album>

  init() {}

  init(_ title: String, seconds: Int = 0) {
    self.title = title
    self.seconds = seconds
  }
}

struct Artist: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var age: Int = 0
  @ReverseMagicValue(\Album.$artist) var albums: AsyncReverseMagicSet<Album>
  @ReverseMagicValue(\Album.$producer) var produced: AsyncReverseMagicSet<Album>

  init() {}

  init(_ name: String, age: Int = 0) {
    self.name = name
    self.age = age
  }
}

struct Album: MagicObject {
  @MagicValue var title: String
  @MagicValue var artist: AsyncMagical<Artist>
  @OptionMagicValue var producer: AsyncMagical<Artist>?
  @MagicValue var tracks: AsyncMagical<[Track]> = .init(value: [])
  @MagicValue var bonus: AsyncMagical<MagicalSet<Track>> = .init(value: [])
  @MagicValue var named: AsyncMagical<[String: Track]> = .init(value: [:])

  init() {}

  init(_ title: String, by artist: Artist, tracks: [Track] = []) {
    self.title = title
    self.artist = .init(value: artist)
    self.tracks = .init(value: tracks)
  }
}

extension [Track] {
  var titles: [String] { map(\.title) }
}
