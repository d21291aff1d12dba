import DatabaseTransfer
import Foundation
import MagicRuntime
import MagicSchema
import Magical

/// How the values of a column are written as fields of CSV, so that an import of the file reads them.
enum CSVField {
  /// As text, a number, `true` or `false`, or bytes in Base64.
  case plain
  /// As a date of ISO 8601 in UTC.
  case date
  /// As the JSON that a blob contains.
  case json
  /// As the text of the UUID that a blob contains.
  case uuid

  /// The names of the columns of rows. A column with row IDs of other objects has the name of no property:
  /// imports expect the primary values of these objects, and would read row IDs as such.
  static func names(of rows: TransferredRows) -> [String] {
    guard case .objects = rows.content else { return rows.names }
    return rows.names.map { name in
      let isReference = rows.table.columns.contains { $0.name == name && $0.target != nil }
      return isReference ? "\(name).\(TransferredTable.rowID)" : name
    }
  }

  /// The fields of rows.
  static func all(of rows: TransferredRows) -> [CSVField] {
    guard case .objects = rows.content else { return rows.names.map { _ in .plain } }
    return rows.names.map { name in
      let property = rows.table.properties.first { $0.column?.isName(name) ?? false }
      switch property?.form?.value {
      case .date: return .date
      case .json: return .json
      case .uuidBytes: return .uuid
      default: return .plain
      }
    }
  }

  /// Appends a value.
  ///
  /// - Returns: whether CSV can contain the value.
  func write(_ value: TransferredValue, to bytes: inout [UInt8]) -> Bool {
    switch value {
    case .null: break
    case .integer(let integer): bytes += integer.description.utf8
    case .boolean(let boolean): bytes += (boolean ? "true" : "false").utf8
    case .real(let real):
      if case .date = self, let date = Self.date(real) {
        bytes += date.utf8
      } else {
        bytes += real.description.utf8
      }
    case .text(let text):
      guard text.withUnsafeBytes({ UTF8Validation.isValid($0) }) else { return false }
      Self.write(text: text, to: &bytes)
    case .uuid(let uuid): bytes += TransferredValue.uuidText(uuid)
    case .blob(let blob):
      switch self {
      case .json where blob.withUnsafeBytes({ UTF8Validation.isValid($0) }):
        Self.write(text: blob, to: &bytes)
      case .uuid where blob.count == 16: bytes += TransferredValue.uuidText(blob)
      // NULL has no quotes.
      case _ where blob.isEmpty: Self.write(text: [], to: &bytes)
      default: Base64.append(blob, to: &bytes)
      }
    }
    return true
  }

  /// Appends a text, with quotes where it needs them: an empty text has quotes, and NULL has none.
  static func write(text: [UInt8], to bytes: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    // A semicolon, a tab and a vertical line separate fields in files of other programs.
    let special = Array(",;|\"\r\n\t".utf8)
    let isPlain =
      !text.isEmpty && text.first != UInt8(ascii: " ") && text.last != UInt8(ascii: " ")
      && !text.contains(where: special.contains)
    guard !isPlain else {
      bytes += text
      return
    }
    bytes.append(quote)
    for byte in text {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    bytes.append(quote)
  }

  /// Returns a date, rounded to whole microseconds; nil for a date whose year does not have four digits.
  private static func date(_ exact: Double) -> String? {
    guard exact.isFinite else { return nil }
    var seconds = exact.rounded(.down)
    // A date of this century is exact to some tenths of a microsecond.
    var micros = Int(((exact - seconds) * 1e6).rounded())
    if micros == 1_000_000 {
      seconds += 1
      micros = 0
    }
    // Without periods the zone is UTC.
    let dates = DateComputation(ZoneOffsets(UnsafeRawBufferPointer(start: nil, count: 0)))
    func digits(_ unit: DateUnit, _ count: Int) -> String? {
      dates.component(unit, of: seconds).map {
        let text = $0.description
        return String(repeating: "0", count: max(0, count - text.count)) + text
      }
    }
    guard let years = dates.component(.year, of: seconds), (1...9_999).contains(years),
      let year = digits(.year, 4), let month = digits(.month, 2), let day = digits(.day, 2),
      let hour = digits(.hour, 2), let minute = digits(.minute, 2),
      let second = digits(.second, 2)
    else { return nil }
    var text = ""
    if micros > 0 {
      let all = micros.description
      text = "." + String(repeating: "0", count: 6 - all.count) + all
      while text.last == "0" { text.removeLast() }
    }
    return "\(year)-\(month)-\(day)T\(hour):\(minute):\(second)\(text)Z"
  }
}
