package import Foundation
import MagicEngine
import MagicFiles
import MagicSchema
import MagicStore

extension FileContent {
  /// Creates the content of the user's file, which is copied when it is saved.
  ///
  /// - Parameter pathExtension: nil for that of the file, if it is valid.
  package convenience init(copying file: URL, pathExtension: String?) {
    self.init(CopySource(of: file, pathExtension: pathExtension))
  }

  /// Opens the content for reading, from its source or from the file in a database.
  ///
  /// - Throws: `MagicError`.
  func open() throws -> any ReadableFile {
    guard let source = usableSource else { return try openSaved() }
    return try translatingErrors { try source.open() }
  }

  /// Opens the file in a database.
  private func openSaved() throws -> any ReadableFile {
    var reason = failure(.assetMissing, "The asset has no file.", nil)
    for place in places {
      guard let files = OpenDatabases.shared.database(place.store)?.assets else {
        reason = failure(.closed, "The database of the asset was closed.", nil)
        continue
      }
      guard let name = AssetName(place.name) else {
        throw failure(.cannotDecode, "The row does not contain the name of an asset file.", nil)
      }
      do {
        return try translatingErrors { try files.open(name) }
      } catch let error as MagicError {
        reason = error
      }
    }
    throw reason
  }

  /// Reads the entire content.
  ///
  /// - Throws: `MagicError`.
  package func readAll() throws -> Data {
    let file = try open()
    defer { file.close() }
    return try translatingErrors { try file.read(from: 0, count: file.size) }
  }

  /// The extension of the file name; nil for none.
  package var pathExtension: String? {
    if let source { return source.pathExtension }
    return places.first.flatMap { AssetName($0.name)?.pathExtension }
  }

  /// The URL of the file; nil if no open database contains it.
  package var location: URL? {
    for place in places {
      if let files = OpenDatabases.shared.database(place.store)?.assets,
        let name = AssetName(place.name)
      {
        return files.location(of: name)
      }
    }
    return nil
  }

  /// Returns an error that names the property, if it is known.
  func failure(_ code: MagicError.Code, _ message: String, _ cause: (any Error)?) -> MagicError {
    MagicError(
      code, message, type: property?.schema.typeName,
      property: property.map { $0.schema.columns[$0.column].property }, cause: cause)
  }

  /// Runs the body and converts file errors to errors that name the property.
  func translatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as FileError where error.number == ECANCELED {
      throw CancellationError()
    } catch let error as FileError {
      throw MagicError(
        error, schema: property?.schema, column: property.map { $0.schema.columns[$0.column] })
    }
  }
}

extension ReadableFile {
  /// Reads a part of the file. Returns fewer bytes if the file ends before the end of the part.
  func read(from offset: Int, count: Int) throws -> Data {
    try piece(from: offset, count: min(count, size - offset))
  }

  /// Reads a part of the file. It may be beyond the size that the file had when it was opened.
  func piece(from offset: Int, count wanted: Int) throws -> Data {
    guard wanted > 0 else { return Data() }
    // With `malloc`, a failed allocation is an error. An allocation by Swift would end the process.
    guard let bytes = malloc(wanted) else {
      throw MagicError(.outOfMemory, "There is not enough memory for the asset. Read it in pieces.")
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
