/// Waits until a condition holds, at most a minute.
///
///     #expect(await eventually { openFiles(under: path).isEmpty })
///
/// - Returns: whether it holds.
package func eventually(
  isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async rethrows -> Bool {
  let end = ContinuousClock.now + .seconds(60)
  while ContinuousClock.now < end {
    if try await condition() { return true }
    // A cancelled task does not wait.
    guard (try? await Task.sleep(for: .milliseconds(2))) != nil else { break }
  }
  return try await condition()
}
