/// The growth with the number of rows that is still treated as flat.
///
/// The growth of time is that of its ratio, because the time of the C calls grows with the depth of
/// the B-tree.
extension ScalingReport {
  private static let mostGrowth = 1.25
  /// The tolerance for memory, because allocators allocate in large units.
  private static let spareMebibytes = 1.0

  /// The growth of an engine's ratio since the smallest size.
  func ratioGrowth(_ measure: ScalingMeasure, _ result: ScalingResult, _ engine: Int) -> Double {
    guard let first = results.first else { return .nan }
    return result.ratios(measure, engine).median / first.ratios(measure, engine).median
  }

  /// The growth of the peak memory in MiB since the smallest size; nil if it was not measured.
  func memoryGrowth(
    _ measure: ScalingMeasure, _ result: ScalingResult, _ engine: Int
  ) -> Double? {
    guard let first = results.first, let least = mebibytes(measure, first, engine) else {
      return nil
    }
    return mebibytes(measure, result, engine).map { $0 - least }
  }

  /// Whether the growth of a ratio can be noise.
  func isFlat(ratioGrowth: Double) -> Bool { !(ratioGrowth > Self.mostGrowth) }

  /// Whether the memory of a stream does not grow with the rows.
  func isFlat(memoryOf result: ScalingResult, _ engine: Int) -> Bool {
    guard let first = results.first, let least = mebibytes(.stream, first, engine),
      let mebibytes = mebibytes(.stream, result, engine)
    else { return true }
    return mebibytes <= Self.mostGrowth * least + Self.spareMebibytes
  }

  /// One sentence for each measure of an engine that is not flat.
  func excesses(of engine: String) -> [String] {
    guard let index = engines.firstIndex(where: { $0.name == engine }) else {
      return ["\(engine) was not measured"]
    }
    return ScalingMeasure.allCases.flatMap { measure in
      results.compactMap { excess(measure, $0, index) }
    } + results.compactMap { memoryExcess($0, index) }
  }

  private func excess(
    _ measure: ScalingMeasure, _ result: ScalingResult, _ engine: Int
  ) -> String? {
    let growth = ratioGrowth(measure, result, engine)
    guard !isFlat(ratioGrowth: growth) else { return nil }
    return "\(measure.title): with \(result.rows.grouped) rows the ratio is "
      + "\(growth.twoPlaces) of the one with the fewest; \(Self.mostGrowth.twoPlaces) is allowed"
  }

  private func memoryExcess(_ result: ScalingResult, _ engine: Int) -> String? {
    guard !isFlat(memoryOf: result, engine),
      let growth = memoryGrowth(.stream, result, engine)
    else { return nil }
    return "\(ScalingMeasure.stream.title): \(result.rows.grouped) rows take "
      + "\(growth.twoPlaces) MiB more than the fewest"
  }
}
