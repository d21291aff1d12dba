import CMagicSQLite
import MagicRuntime

/// A tokenizer of SQLite's full-text search, which divides texts as the index does.
///
/// It belongs to a connection of its own to a database in memory, because SQLite gives access to
/// tokenizers only through a connection.
package final class TextTokenizer: @unchecked Sendable {
  /// A word of a text.
  package struct Word: Sendable, Equatable {
    /// The form in the index, in UTF-8: in lower case, and stemmed if the tokenizer stems.
    package let term: [UInt8]
    /// The bytes of the text.
    package let range: Range<Int>
  }

  private let lock = Lock()
  private let connection: SQLiteConnection
  private let functions: fts5_tokenizer
  private let instance: OpaquePointer

  /// - Parameter arguments: the name of the tokenizer, and its arguments.
  /// - Throws: ``SQLiteError`` if this SQLite lacks full-text search or the tokenizer.
  package init(_ arguments: [String]) throws(SQLiteError) {
    connection = try SQLiteConnection(inMemory: SQLiteConfiguration())
    let api = try connection.fullTextInterface()
    var functions = fts5_tokenizer()
    var context: UnsafeMutableRawPointer?
    let code = api.pointee.xFindTokenizer?(api, arguments.first ?? "", &context, &functions)
    guard code == SQLITE_OK else {
      throw SQLiteError.misuse("no such tokenizer: \(arguments.first ?? "")")
    }
    self.functions = functions
    var created: OpaquePointer?
    // The tokenizer copies the arguments.
    let copies = arguments.dropFirst().map { argument in
      let text = argument.utf8CString
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.count)
      for (index, character) in text.enumerated() { copy[index] = character }
      return copy
    }
    defer { for copy in copies { copy.deallocate() } }
    var pointers = copies.map { Optional(UnsafePointer($0)) }
    let result = functions.xCreate?(context, &pointers, Int32(pointers.count), &created)
    guard result == SQLITE_OK, let created else {
      throw SQLiteError.misuse("the tokenizer \(arguments.first ?? "") cannot be created")
    }
    instance = created
  }

  deinit {
    functions.xDelete?(instance)
    connection.close()
  }

  /// Divides a text into words, in their order.
  package func words(of text: UnsafeRawBufferPointer) -> [Word] {
    var found = Words()
    lock.withLock {
      guard let start = text.baseAddress else { return }
      withUnsafeMutablePointer(to: &found) { found in
        _ = functions.xTokenize?(
          instance, found, FTS5_TOKENIZE_DOCUMENT,
          start.assumingMemoryBound(to: CChar.self), Int32(clamping: text.count)
        ) { context, _, term, count, start, end in
          guard let context, let term else { return SQLITE_OK }
          let words = context.assumingMemoryBound(to: Words.self)
          let bytes = UnsafeRawBufferPointer(start: term, count: Int(count))
          words.pointee.all.append(
            Word(term: Array(bytes), range: Int(start)..<Int(max(start, end))))
          return SQLITE_OK
        }
      }
    }
    return found.all
  }

  private struct Words {
    var all: [Word] = []
  }
}

extension SQLiteConnection {
  /// The C interface of full-text search.
  fileprivate func fullTextInterface() throws(SQLiteError) -> UnsafeMutablePointer<fts5_api> {
    let statement = try prepare("SELECT fts5(?1)")
    defer { statement.reset() }
    let result = UnsafeMutablePointer<UnsafeMutablePointer<fts5_api>?>.allocate(capacity: 1)
    result.initialize(to: nil)
    defer { result.deallocate() }
    let code = magic_sqlite3_bind_fts5_api(statement.pointer, result)
    guard code == SQLITE_OK else {
      throw SQLiteError(handle: handle.pointer, resultCode: code)
    }
    _ = try statement.step()
    guard let api = result.pointee else { throw SQLiteError.misuse("no such module: fts5") }
    return api
  }

  /// Defines a function that returns the text that a closure returns for a text; NULL if that is
  /// nil.
  ///
  /// A schema must not use it.
  package func defineTextFunction(
    _ name: String, _ body: @escaping (String) -> [UInt8]?
  ) throws(SQLiteError) {
    let function = Unmanaged.passRetained(TextFunction(body))
    let code = sqlite3_create_function_v2(
      try pointer(), name, 1, SQLITE_UTF8 | SQLITE_DIRECTONLY, function.toOpaque(),
      { context, count, values in
        guard let call = SQLiteFunctionCall(context, count, values, 1),
          let data = sqlite3_user_data(context)
        else { return }
        let function = Unmanaged<TextFunction>.fromOpaque(data).takeUnretainedValue()
        guard let text = function.body(String(decoding: call.text, as: UTF8.self)) else { return }
        text.withUnsafeBytes { call.result.returnText($0) }
      }, nil, nil,
      { data in
        if let data { Unmanaged<TextFunction>.fromOpaque(data).release() }
      })
    guard code == SQLITE_OK else { throw SQLiteError(handle: handle.pointer, resultCode: code) }
  }
}

private final class TextFunction {
  let body: (String) -> [UInt8]?

  init(_ body: @escaping (String) -> [UInt8]?) { self.body = body }
}
