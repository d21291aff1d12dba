/// The counts of a subject on one engine.
package struct Trial: Codable, Sendable {
  package let subject: String
  package let engine: String
  package var few: Part
  package var many: Part

  package init(subject: String, engine: String, few: Part, many: Part) {
    self.subject = subject
    self.engine = engine
    self.few = few
    self.many = many
  }

  /// The counts of a number of operations.
  package struct Part: Codable, Sendable {
    let operations: Int
    /// The readings of each run.
    package var readings: [Reading] = []
    /// The instructions of each run, if they were counted.
    package var instructions: [Int] = []
    /// The bytes of kept objects, if they were measured.
    package var held: Int?

    package init(operations: Int) { self.operations = operations }
  }

  /// The costs of each additional operation, from the first run.
  package var costs: [Measure: Double] {
    var costs: [Measure: Double] = [:]
    if let few = few.readings.first, let many = many.readings.first {
      let growth = many - few
      costs[.statements] = perOperation(growth.statements)
      costs[.rows] = perOperation(growth.rows)
      costs[.allocations] = perOperation(growth.allocations)
      costs[.allocated] = perOperation(growth.allocated)
    }
    if let few = few.held, let many = many.held { costs[.held] = perOperation(many - few) }
    if let few = few.instructions.first, let many = many.instructions.first {
      costs[.instructions] = perOperation(many - few)
    }
    return costs
  }

  /// Whether all runs have the same counts, except for rare allocations that are independent of
  /// operations, such as a page of a cache.
  package var isExact: Bool {
    [few, many].allSatisfy { part in
      let allocations = part.readings.map(\.allocations)
      let spread = (allocations.max() ?? 0) - (allocations.min() ?? 0)
      return Set(part.readings.map(\.statements)).count <= 1
        && Set(part.readings.map(\.rows)).count <= 1 && spread * 100 < part.operations
    }
  }

  private func perOperation(_ growth: Int) -> Double {
    Double(growth) / Double(many.operations - few.operations)
  }
}
