public import Foundation
public import MagicData
import MagicInspection
import MagicServerInspection

/// A browser of a database: pages that show its types, objects and relationships, served on this
/// computer only. Nothing can be changed, unless it is created with `editing`.
///
/// ```swift
/// #if DEBUG
///   let browser = MagicBrowser(magic)
///   print(try await browser.start())
/// #endif
/// ```
///
/// With `editing`, objects are created, edited and deleted by forms. For these types a form is saved
/// with `update(_:)` of the database and an object of the type, and `remove(_:)` deletes: values are
/// those that the Swift types accept, delete rules hold, versions count, assets are kept or deleted,
/// and observers are notified. Objects of other types that the file describes are edited by
/// statements on their rows, and values are checked by the description in the file only. An object
/// that has changed since its form was shown is not overwritten.
///
/// ```swift
/// let browser = MagicBrowser(magic, editing: [Person.self, Home.self])
/// ```
///
/// The address contains a random token, without which no page is shown. Every program of this
/// computer that has the address can read the whole database, and change it with `editing`, so an app
/// starts a browser only in its debug builds.
public actor MagicBrowser {
  private let source: Source
  private let port: UInt16
  private let limits: HTTPLimits
  private var running: Running?
  /// The start that has not ended, which all callers wait for.
  private var starting: Task<Running, any Error>?
  /// The stop that has not ended, which all callers wait for.
  private var stopping: Task<Void, Never>?

  private enum Source {
    case path(String)
    case database(MagicData, editing: [any MagicObject.Type]?)
  }

  /// A server, with what is closed after it.
  private struct Running: Sendable {
    let address: URL
    let server: LoopbackServer
    let site: Site
  }

  /// Creates a browser of a file. ``start()`` opens the file.
  ///
  /// - Parameter port: the port; 0 for one that is free.
  public init(path: String, port: UInt16 = 0) {
    source = .path(path)
    self.port = port
    limits = HTTPLimits()
  }

  /// - Parameter headTime: how long a client may take for the head of a request.
  package init(path: String, headTime: Duration) {
    source = .path(path)
    port = 0
    var limits = HTTPLimits()
    limits.headTime = headTime
    self.limits = limits
  }

  /// Creates a browser of an open database. Of a file, it reads with connections of its own, and writes
  /// with the open database. Of a server of PostgreSQL, it reads with the open database.
  ///
  /// - Parameters:
  ///   - types: the types whose objects are created and edited by their rules. Values of other types
  ///     are checked as the file describes their properties, and of a type that the file does not
  ///     describe objects can only be deleted. Default: nil, nothing is changed. A database on a server is
  ///     not changed: ``start()`` throws.
  ///   - port: the port; 0 for one that is free.
  public init(_ magic: MagicData, editing types: [any MagicObject.Type]? = nil, port: UInt16 = 0) {
    source = .database(magic, editing: types)
    self.port = port
    limits = HTTPLimits()
  }

  /// Opens the file and starts to serve it. A browser that runs is not started again.
  ///
  /// - Returns: the address for a web browser, with the token. Only this computer reaches it.
  /// - Throws: ``InspectionError``: the errors of ``InspectionReader/init(path:)``, `missingFile`
  ///   for a database in memory, `invalidInput` if the port is in use, and `notReadOnly` for types to
  ///   edit on a server.
  @discardableResult
  public func start() async throws -> URL {
    if let running { return running.address }
    if let starting { return try await starting.value.address }
    let task = Task { try await launched() }
    starting = task
    return try await task.value.address
  }

  private func launched() async throws -> Running {
    defer { starting = nil }
    await stopping?.value
    let site = try await openedSite()
    do {
      let server = try LoopbackServer(port: port, limits: limits)
      let token = AccessToken()
      guard let address = URL(string: "http://127.0.0.1:\(server.port)/?token=\(token.text)") else {
        throw InspectionError(.unreadable, "The address of the server is not valid.")
      }
      server.start(
        BrowserHandler(
          site: site,
          access: RequestGuard(
            token: token, port: server.port, allowsForms: site.editing != nil)))
      let running = Running(address: address, server: server, site: site)
      self.running = running
      return running
    } catch {
      await site.close()
      guard let error = error as? SocketFailure else { throw error }
      throw InspectionError(
        .invalidInput,
        "The port cannot be opened: \(error). Choose another one, or 0 for any.")
    }
  }

  /// Ends when the server ends: after ``stop()``, or with an error.
  ///
  /// - Throws: `CancellationError` in a cancelled task, which ends the server.
  public func wait() async throws {
    guard let running else { return }
    try await withTaskCancellationHandler {
      try await running.server.wait()
    } onCancel: {
      running.server.end()
    }
    try Task.checkCancellation()
  }

  /// Ends the server and closes the file. Connections of the server are closed when this returns.
  public func stop() async {
    // A start that has not ended would serve after this call.
    _ = try? await starting?.value
    if let stopping { return await stopping.value }
    guard let running else { return }
    self.running = nil
    let task = Task {
      await running.server.stop()
      await running.site.close()
    }
    stopping = task
    await task.value
    stopping = nil
  }

  /// Returns a page without a server: the text that a browser would receive.
  ///
  /// - Parameter address: the path and parameters, such as `/type/Person.json?limit=10`.
  /// - Throws: ``InspectionError``: the errors of ``start()``, and `notFound` or `invalidInput` for
  ///   an address without a page.
  public func page(_ address: String) async throws -> Data {
    let site = try await openedSite()
    let result: Result<Data, any Error>
    do {
      guard let link = Link(target: address) else {
        throw InspectionError(.invalidInput, "The address is not valid. It begins with a slash.")
      }
      result = .success(try await site.data(of: link))
    } catch {
      result = .failure(error)
    }
    await site.close()
    return try result.get()
  }

  private func openedSite() async throws -> Site {
    switch source {
    case .path(let path): return try Site(path: path)
    case .database(let magic, let types):
      if let name = try await Self.serverDatabase(magic) {
        guard types == nil else {
          throw InspectionError(
            .notReadOnly, "The database is on a server. A browser edits only databases in files.")
        }
        return Site(
          ServerPool(magic), statements: ServerPool(magic, isSerial: true), name: name)
      }
      let path = try await magic.sql("SELECT file FROM pragma_database_list WHERE name = 'main'")
        .value(String.self)
      guard let path, !path.isEmpty else {
        throw InspectionError(
          .missingFile,
          "The database is in memory. A browser shows databases in files and on servers.")
      }
      return try Site(path: path, editing: types.map { Editing(magic, types: $0) })
    }
  }

  /// The name of a database on a server of PostgreSQL; nil for another one.
  private static func serverDatabase(_ magic: MagicData) async throws -> String? {
    do {
      return try await magic.sql("SELECT current_database()::text").value(String.self)
    } catch let error as MagicError where error.code == .invalidQuery {
      // SQLite has neither the function nor the operator.
      return nil
    }
  }
}
