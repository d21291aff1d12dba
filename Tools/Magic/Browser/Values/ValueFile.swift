import Foundation
import MagicInspection

/// A value of an object alone, with all its bytes: a picture, a sound, a text, or a download.
struct ValueFile {
  let request: PageRequest
  let type: InspectedType
  let rowID: Int64
  let column: String

  /// The largest value that is sent.
  private static let limit = 64 << 20

  func response() throws -> SiteResponse {
    request.reader.valueLimit = Self.limit
    guard let index = type.columns.firstIndex(where: { $0.column == column }) else {
      throw InspectionError(.notFound, "The type has no property with this column.")
    }
    guard let row = try request.reader.rows(of: type, [rowID]).first else {
      throw InspectionError(.notFound, "There is no object with this row ID.")
    }
    guard let bytes = try StoredBytes(row.values[index], type.columns[index], request.reader) else {
      throw InspectionError(.notFound, "The value has no bytes: it is a number, or NULL.")
    }
    let media = try bytes.media()
    var result = SiteResponse(type: media.type, isValue: true, body: .data(Data()))
    if !media.isShown {
      result.isDownload = true
      result.fileName = "\(rowID).bin"
    }
    switch bytes {
    case .missing:
      throw InspectionError(
        .notFound, "The asset does not exist. Check the database with magic verify.")
    case .bytes(let bytes): result.body = .data(Data(bytes))
    case .asset(.file(let url, let size)): result.body = .file(url, 0..<size)
    case .asset(.rows(let size, let beginning)):
      guard size <= Self.limit else {
        throw InspectionError(
          .limit, "The asset is larger than \(Self.limit.byteText). Copy the database to a file.")
      }
      result.body = .data(Data(try beginning(size)))
    }
    return result
  }
}
