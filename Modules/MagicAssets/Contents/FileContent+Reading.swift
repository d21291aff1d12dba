import Foundation
import MagicEngine
import MagicFiles
import MagicSchema
import MagicStore

extension FileContent {
  /// Opens the content for reading, wherever it is.
  ///
  /// - Throws: `MagicError`.
  func open() throws -> any ReadableFile {
    guard let source = usableSource else { return try openSaved() }
    return try naming { try source.open() }
  }

  /// Opens the file of a database that it lies in.
  private func openSaved() throws -> any ReadableFile {
    var reason = failure(.assetMissing, "The asset is in no file.", nil)
    for place in places {
      guard let files = OpenDatabases.shared.database(place.store)?.assets else {
        reason = failure(.closed, "The asset's database was closed.", nil)
        continue
      }
      guard let name = AssetName(place.name) else {
        throw failure(.cannotDecode, "The row holds no name of an asset's file.", nil)
      }
      do {
        return try naming { try files.open(name) }
      } catch let error as MagicError {
        reason = error
      }
    }
    throw reason
  }

  /// The whole content.
  func readAll() throws -> Data {
    let file = try open()
    defer { file.close() }
    return try naming { try file.read(from: 0, count: file.size) }
  }

  /// Where the file lies; nil where it lies in no open database.
  var location: URL? {
    for place in places {
      if let files = OpenDatabases.shared.database(place.store)?.assets,
        let name = AssetName(place.name)
      {
        return files.url(of: name)
      }
    }
    return nil
  }

  /// An error that names the property, where it is known.
  func failure(_ code: MagicError.Code, _ message: String, _ cause: (any Error)?) -> MagicError {
    MagicError(
      code, message, type: property?.schema.typeName,
      property: property.map { $0.schema.columns[$0.column].property }, cause: cause)
  }

  /// Runs the body, turning what fails in it into errors that name the property.
  func naming<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as FileError {
      throw MagicError(
        error, schema: property?.schema, column: property.map { $0.schema.columns[$0.column] })
    }
  }
}

extension ReadableFile {
  /// A part of the file; less where the file ends before.
  func read(from offset: Int, count: Int) throws -> Data {
    try piece(from: offset, count: min(count, size - offset))
  }

  /// A part of the file, also of one that has more than it said when it was opened.
  func piece(from offset: Int, count wanted: Int) throws -> Data {
    guard wanted > 0 else { return Data() }
    // Asked for like this, memory that there is not is an error and no end of the process.
    guard let bytes = malloc(wanted) else {
      throw MagicError(.outOfMemory, "There is no memory for the asset: read it piece by piece.")
    }
    do {
      let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: wanted)
      let read = try self.read(at: offset, into: buffer)
      return Data(bytesNoCopy: bytes, count: read, deallocator: .free)
    } catch {
      free(bytes)
      throw error
    }
  }
}
