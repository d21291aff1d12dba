import MagicData

/// The results of queries after the database was opened again.
struct Findings {
  let survey: Survey
  /// The biggest package, fetched by its primary.
  let byPrimary: DebianPackage?
  let essential: DebianPackage?
  let descriptions: Descriptions
  let seconds: Double

  init(in magic: MagicData) async throws {
    let stopwatch = Stopwatch()
    let packages = try await magic.object(of: DebianPackage.self)
    survey = Survey(packages)
    if let biggest = survey.biggest.first {
      byPrimary = try await magic.object(of: DebianPackage.self, primary: biggest.id)
    } else {
      byPrimary = nil
    }
    essential = try await Self.firstEssential(in: magic)
    seconds = stopwatch.seconds
    descriptions = try Descriptions(of: packages, reading: survey.biggest)
  }

  private static func firstEssential(in magic: MagicData) async throws -> DebianPackage? {
    do {
      return try await magic.object(of: DebianPackage.self).where { $0.isEssential }
    } catch let error as MagicError where error.code == .notFound {
      return nil
    }
  }
}
