package import MagicSchema

extension ObjectSchema {
  /// Returns types and all types that their relationships refer to, without duplicates.
  package static func reached(from schemas: [ObjectSchema]) throws -> [ObjectSchema] {
    var reached: [ObjectSchema] = []
    var waiting = Array(schemas.reversed())
    while let next = waiting.popLast() {
      guard !reached.contains(where: { $0 === next }) else { continue }
      reached.append(next)
      waiting += try next.targets.reversed()
    }
    return reached
  }
}
