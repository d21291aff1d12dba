import DatabaseTransfer
import Foundation

/// The members of a collection, as the original library stores them: the JSON of their numbers.
struct MemberNumbers {
  /// The members with their keys; the keys are nil for a list or a set.
  let members: [(key: TransferredValue?, number: Int64)]

  init(list json: Data) throws {
    do {
      members = try JSONDecoder().decode([Int64].self, from: json).map { (nil, $0) }
    } catch { throw Self.fault }
  }

  /// - Parameter hasIntegers: whether the keys are integers, and not texts.
  init(dictionary json: Data, hasIntegers: Bool) throws {
    do {
      if hasIntegers {
        members = try JSONDecoder().decode([Int: Int64].self, from: json)
          .sorted { $0.key < $1.key }.map { (.integer(Int64($0.key)), $0.value) }
      } else {
        members = try JSONDecoder().decode([String: Int64].self, from: json)
          .sorted { $0.key < $1.key }.map { (.text(Array($0.key.utf8)), $0.value) }
      }
    } catch { throw Self.fault }
  }

  private static let fault = ValueFault(reason: "it is not the JSON of the numbers of objects")
}
