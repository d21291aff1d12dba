import DatabaseTransfer
import Foundation
import MagicExchange
import Magical

extension MagicImportDates {
  /// Converts a date of JSON that is a text, or a number of another unit, to that of documents.
  func json(_ json: [UInt8]) throws -> [UInt8] {
    let text = json.withUnsafeBytes { JSONText.quoted($0).flatMap(JSONText.decoded) }
    if text == nil {
      guard case .seconds = kind, json.first != UInt8(ascii: "n") else { return json }
      guard json.withUnsafeBytes(JSONText.isNumber) else { throw Self.fault }
    }
    var bytes: [UInt8] = []
    JSONScalar.write(.real(try seconds((text ?? json)[...])), to: &bytes)
    return bytes
  }

  /// The dates of objects in records, and of values that are stored as JSON.
  var read: ReadDates { ReadDates(converted: json, decoder: decoder) }

  private var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      do {
        if let text = try? container.decode(String.self) {
          return Date(timeIntervalSinceReferenceDate: try seconds(Array(text.utf8)[...]))
        }
        return Date(timeIntervalSinceReferenceDate: try seconds(container.decode(Double.self)))
      } catch let fault as ConversionFault {
        throw MagicalError.cannotDecode(fault.reason)
      }
    }
    return decoder
  }

  /// Returns the seconds since 2001 of a number of JSON, which is one if the form is not that of numbers.
  private func seconds(_ number: Double) throws -> Double {
    guard case .seconds = kind else { return number }
    return try seconds(Array(number.description.utf8)[...])
  }

  /// Returns the seconds since 2001 of a date.
  func seconds(_ text: ArraySlice<UInt8>) throws -> Double {
    let seconds: Double? =
      switch kind {
      case .detected: DateFormat.detected(text)
      case .format(let format): format.seconds(text)
      case .seconds(let since1970, let perUnit):
        (try? ImportedNumber.real(text)).map {
          $0 / perUnit - (since1970 ? DateFormat.from1970To2001 : 0)
        }
      }
    guard let seconds, seconds.isFinite else { throw Self.fault }
    return seconds
  }

  private static var fault: ConversionFault {
    ConversionFault(reason: "the value is not a date of the form that the import expects")
  }
}
