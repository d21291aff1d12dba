import Foundation
import MagicData
import MagicInspection
import MagicServerInspection

/// The pages of a database: what belongs to which address. It does not know HTTP.
struct Site: Sendable {
  let pool: any DatabasePool
  /// The reader of the statements of the user: slow ones do not delay the other pages.
  let statements: any DatabasePool
  let watch: CommitWatch
  /// The name of the database, for titles.
  let name: String
  /// What changes objects; nil if the pages only read.
  let editing: Editing?

  init(path: String, editing: Editing? = nil) throws(InspectionError) {
    let pool = try InspectionPool(path: path)
    self.init(
      pool, statements: try InspectionPool(path: path, readers: 1),
      name: URL(fileURLWithPath: path).lastPathComponent, editing: editing)
  }

  init(
    _ pool: any DatabasePool, statements: any DatabasePool, name: String, editing: Editing? = nil
  ) {
    (self.pool, self.statements, self.name) = (pool, statements, name)
    self.editing = editing
    watch = CommitWatch(pool.makeCommitCounter())
  }

  func close() async {
    await watch.close()
    await pool.close()
    await statements.close()
  }

  /// Returns what an address shows. Errors are pages too.
  ///
  /// - Parameter form: what a page has sent to the address; nil for a request that only reads.
  func response(to link: Link, form: SubmittedForm? = nil) async -> SiteResponse {
    do {
      if let target = EditTarget(link.path), let editing {
        return try await FormSite(site: self, editing: editing, target: target, link: link)
          .response(form)
      }
      guard form == nil else {
        throw InspectionError(.notFound, "There is no form at this address.")
      }
      return try await answer(link)
    } catch let error as InspectionError {
      return problem(error, status: error.kind == .notFound ? 404 : 400, of: link)
    } catch let error as MagicError {
      return problem(InspectionError(error), status: 503, of: link)
    } catch {
      let error = InspectionError(.unreadable, "The page cannot be shown. Try again.")
      return problem(error, status: 500, of: link)
    }
  }

  /// Describes an error in the notation of the address.
  private func problem(_ error: InspectionError, status: Int, of link: Link) -> SiteResponse {
    switch PageRequest.notation(of: link.path).notation {
    case .page: .html(Layout.problem(error, name: name), status: status)
    case .json: .json(error.json, status: status)
    case .csv: .text(error.description + "\n", type: "text/plain", status: status)
    }
  }

  /// Returns the content of an address, for a program.
  func data(of link: Link) async throws -> Data {
    switch try await answer(link).body {
    case .data(let data): return data
    case .file(let url, _): return try Data(contentsOf: url)
    case .events:
      throw InspectionError(.invalidInput, "This address has no end. Ask a running server for it.")
    }
  }

  private func answer(_ link: Link) async throws -> SiteResponse {
    if let resource = Resource.response(link.path) { return resource }
    if link.path == ["events"] {
      guard await watch.begin() else {
        return .text("Too many pages are open.\n", type: "text/plain", status: 503)
      }
      return SiteResponse(
        type: "text/event-stream; charset=utf-8", body: .events(CommitEvents(watch: watch)))
    }
    let pool = link.isStatement ? statements : pool
    return try await read(link, pool) { try $0.response() }
  }

  /// Reads what a page needs, from one snapshot.
  func read<Result: Sendable>(
    _ link: Link, _ pool: any DatabasePool,
    _ body: @escaping @Sendable (PageRequest) throws -> Result
  ) async throws -> Result {
    try await pool.read(within: link.isStatement ? .seconds(1) : pool.pageTime) { reader in
      try body(
        PageRequest(
          reader: reader, database: try reader.database(), name: name, link: link,
          editing: editing))
    }
  }
}

extension InspectionError {
  fileprivate var json: JSONNode {
    .object([
      .init("error", .string(description)), .init("kind", .string(kind.rawValue)),
    ])
  }
}

extension Link {
  /// Whether the page has a statement of the user.
  fileprivate var isStatement: Bool { ["sql", "sql.json", "sql.csv"].contains(path.first) }
}
