package import MagicSchema
package import Testing

/// Expects the row IDs of new rows. An engine that reserves row IDs in blocks may leave some out: there
/// the first one is at least the expected one, and each is higher than the one before.
package func expectRowIDs(
  _ found: [ZIndex], _ expected: [Int64], sourceLocation: SourceLocation = #_sourceLocation
) {
  let found = found.map(\.rawValue)
  guard !TestedEngine.current.has(.singleRuns) else {
    #expect(found == expected, sourceLocation: sourceLocation)
    return
  }
  #expect(found.count == expected.count, sourceLocation: sourceLocation)
  #expect(found.first ?? 0 >= expected.first ?? 0, sourceLocation: sourceLocation)
  #expect(zip(found, found.dropFirst()).allSatisfy(<), sourceLocation: sourceLocation)
}
