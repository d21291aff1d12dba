import ArgumentParser
import Foundation
import MagicBrowser
import MagicData
import MagicInspection

/// `magic serve`: pages of a database for a web browser.
struct ServeCommand<Tool: MagicTool>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "serve", abstract: "Show the database in a web browser, until Ctrl-C.",
      discussion: """
        The pages show types, objects, relationships and the results of SELECTs, and are updated when \
        a program commits. They change nothing without --write, which is for files. Only this computer reaches them, and \
        only with the address that the command prints: it contains a random token.
        """)
  }

  @OptionGroup var database: DatabaseArgument
  @Option(help: "The port; 0 for one that is free.") var port: UInt16 = 0
  @Flag(
    help: """
      Open the address in the web browser of this computer. The address is in a file that only you can \
      read, because other users of this computer can read the arguments of a process.
      """)
  var open = false
  @Flag(
    help: """
      Permit changes by forms: objects are created, edited and deleted. Values of types that this \
      program does not have are checked as the file describes them.
      """)
  var write = false
  @Option(
    help: ArgumentHelp(
      "Write one page and end, such as /type/Person.json.", valueName: "address"))
  var get: String?

  func validate() throws {
    guard !write || !database.isOnServer else {
      throw ValidationError(
        "--write is for files, and the argument is an address of a server: its objects are only shown."
      )
    }
  }

  func run() async throws {
    guard !database.isOnServer else {
      return try await database.opening(readers: 4, reconnectTimeout: 2) { magic in
        try await show(MagicBrowser(magic, port: port))
      }
    }
    let file = database.file
    // Names a directory without a database better than the browser does.
    try file.reader().close()
    guard write, get == nil else {
      return try await show(MagicBrowser(path: file.path, port: port))
    }
    try await file.opening(readOnly: false) { magic in
      try await serve(MagicBrowser(magic, editing: Tool.types, port: port))
    }
  }

  /// Serves the pages, or writes one.
  private func show(_ browser: MagicBrowser) async throws {
    if let get { try await write(get, of: browser) } else { try await serve(browser) }
  }

  private func serve(_ browser: MagicBrowser) async throws {
    let address = try await browser.start().absoluteString
    let page = open ? try AddressPage(address) : nil
    defer { page?.remove() }
    Output.current.line(address)
    Output.current.message("Ctrl-C ends the command.")
    do {
      try page?.open()
      try await browser.wait()
      await browser.stop()
    } catch {
      await browser.stop()
      throw error
    }
  }

  private func write(_ address: String, of browser: MagicBrowser) async throws {
    let page = try await browser.page(address)
    guard let text = String(validating: page, as: UTF8.self) else {
      throw CommandError(
        ExitStatus.usage, "The value at this address is not text. Open it in a web browser.")
    }
    Output.current.writeDocument(text)
  }
}
