import MagicSchema

/// A promise that was broken.
public struct Finding: Error, CustomStringConvertible {
  /// A sentence for people.
  public let description: String

  /// A finding that a sentence tells of.
  public init(_ description: String) { self.description = description }
}

/// Runs what may fail, but only in a way that callers are told of.
///
/// - Returns: nil where it failed.
/// - Throws: `Finding` where it failed in another way.
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
