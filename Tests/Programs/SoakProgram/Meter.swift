import CMemory
import MagicRuntime

/// Measures at intervals, and reports growth.
///
/// The median of the last quarter is compared with that of the second: the resources of a program
/// that works on a bounded amount of data become stable, while a leak grows from quarter to
/// quarter.
final class Meter: Locked, @unchecked Sendable {
  private var measurements: [Measurement] = []
  private let path: String

  init(_ path: String) {
    self.path = path
    super.init()
  }

  func measure() {
    let measurement = Measurement(of: path)
    withLock { measurements.append(measurement) }
  }

  /// A measured quantity, and its limit of growth from the second quarter to the last.
  private struct Quantity: Sendable {
    let name: String
    let unit: Int
    let value: @Sendable (Measurement) -> Int
    /// The limit: a part of the earlier value, plus a number of units.
    let bound: (part: Double, units: Int)
    var isOfMemory = false
  }

  // Caches of pages, of statements and of the allocator continue to fill for a while. Reads, copies
  // and observers that happen to run add some descriptors or threads.
  private static let quantities = [
    Quantity(
      name: "resident", unit: 1 << 20, value: { $0.resident }, bound: (0.15, 16),
      isOfMemory: true),
    Quantity(
      name: "allocated", unit: 1 << 20, value: { $0.allocated }, bound: (0.1, 4),
      isOfMemory: true),
    Quantity(name: "descriptors", unit: 1, value: { $0.descriptors }, bound: (0, 12)),
    Quantity(name: "threads", unit: 1, value: { $0.threads }, bound: (0, 6)),
    Quantity(name: "log", unit: 1 << 20, value: { $0.log }, bound: (0.5, 32)),
    Quantity(name: "files", unit: 1 << 20, value: { $0.directory }, bound: (0.25, 32)),
  ]

  /// The quantities that have grown beyond their limits.
  var growth: [String] {
    withLock {
      guard measurements.count >= 8 else { return ["too few measurements: \(measurements.count)"] }
      return Self.quantities.compactMap { quantity in
        if quantity.isOfMemory, cmemory_is_sanitized() { return nil }
        let (before, after) = (median(quantity, quarter: 1), median(quantity, quarter: 3))
        let bound =
          Int(Double(before) * (1 + quantity.bound.part)) + quantity.bound.units * quantity.unit
        guard after > bound else { return nil }
        return "grown: \(quantity.name) from \(text(before, quantity)) to \(text(after, quantity))"
      }
    }
  }

  /// The medians of the quarters, and the maximum.
  var figures: String {
    withLock {
      guard measurements.count >= 4 else { return "too few measurements" }
      return Self.quantities.map { quantity in
        let quarters = (0..<4).map { text(median(quantity, quarter: $0), quantity) }
        let most = text(measurements.map(quantity.value).max() ?? 0, quantity)
        return "  \(quantity.name): \(quarters.joined(separator: ", ")); at most \(most)"
      }.joined(separator: "\n")
    }
  }

  private func median(_ quantity: Quantity, quarter: Int) -> Int {
    let count = measurements.count
    let some = measurements[quarter * count / 4..<(quarter + 1) * count / 4]
    return some.map(quantity.value).sorted()[some.count / 2]
  }

  private func text(_ value: Int, _ quantity: Quantity) -> String {
    guard quantity.unit > 1 else { return "\(value)" }
    let tenths = value * 10 / quantity.unit
    return "\(tenths / 10).\(tenths % 10) MiB"
  }
}
