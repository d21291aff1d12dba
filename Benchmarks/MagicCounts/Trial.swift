/// What was counted of a subject on one engine.
struct Trial: Codable, Sendable {
  let subject: String
  let engine: String
  var few: Part
  var many: Part

  /// What was counted of so many operations.
  struct Part: Codable, Sendable {
    let operations: Int
    /// One for each run.
    var readings: [Reading] = []
    /// For each run, where somebody counted them.
    var instructions: [Int] = []
    /// The bytes that are kept alive, where they were weighed.
    var held: Int?
  }

  /// What each operation takes more, by the first run.
  var costs: [Measure: Double] {
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

  /// Whether each run counted the same.
  var isExact: Bool {
    [few, many].allSatisfy { part in
      part.readings.allSatisfy { $0.isSame(as: part.readings[0]) }
    }
  }

  private func perOperation(_ growth: Int) -> Double {
    Double(growth) / Double(many.operations - few.operations)
  }
}
