import MagicSchema

/// A violation that a run has found.
public struct Finding: Error, CustomStringConvertible {
  /// A description of the violation.
  public let description: String

  /// Creates a finding.
  public init(_ description: String) { self.description = description }
}

/// Runs a call that may throw errors of the library.
///
/// - Returns: The result, or nil if the call threw.
/// - Throws: `Finding` if the call threw any other error.
@discardableResult
func attempt<Result>(_ name: String, _ body: () throws -> Result) throws -> Result? {
  do {
    return try body()
  } catch let error as Finding {
    throw error
  } catch is MagicError {
    return nil
  } catch is CancellationError {
    return nil
  } catch {
    throw Finding("\(name) threw \(type(of: error)): \(error)")
  }
}
