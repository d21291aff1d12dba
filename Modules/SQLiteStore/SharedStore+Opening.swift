import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteFiles
import SQLiteTables

extension SharedStore {
  /// The store of a database, opened where this process does not have it open.
  static func open(
    _ location: MagicStoreLocation, options: MagicOptions
  ) throws -> SharedStore {
    try check(options, for: location)
    return try mapping {
      // Before a directory or file is created.
      try SQLiteLibrary.current.requireSupported()
      switch location {
      case .memory:
        let writer = try SQLiteConnection(inMemory: configuration(options, .readWrite))
        let directory = try PrivateDirectory(isMade: false)
        let store = try SharedStore(
          writer: writer, readers: nil, options: options,
          files: StoreFiles(at: directory.path, options, in: directory), directory: directory,
          file: nil, token: OpenDatabases.shared.newToken())
        store.leases.addHandle()
        return store
      case .temporary:
        let directory = try PrivateDirectory()
        let file = try DatabaseFile(path: directory.path)
        return try open(file, options: options, directory: directory)
      case .file(let path):
        let file = try DatabaseFile(path: path)
        do {
          return try mapping { try open(file, options: options, directory: nil) }
        } catch let error as MagicError {
          throw (file.explanation(of: error) ?? error).naming(file.path)
        }
      }
    }
  }

  private static func check(_ options: MagicOptions, for location: MagicStoreLocation) throws {
    if options.durability == .off, location != .temporary, options.directory == nil {
      throw MagicError(
        .invalidOption, "Durability .off is for temporary databases: others would lose data.")
    }
    if options.readOnly {
      guard case .file = location else {
        throw MagicError(
          .invalidOption, "A new database has nothing to read: it cannot be read-only.")
      }
    }
    guard options.readers >= 1 else {
      throw MagicError(.invalidOption, "A database needs at least one reader.")
    }
    guard options.busyTimeout >= 0, options.busyTimeout.isFinite else {
      throw MagicError(.invalidOption, "The busy timeout is a number of seconds, 0 or more.")
    }
    guard options.snapshotLimit > 0 else {
      throw MagicError(.invalidOption, "The snapshot limit is a number of bytes, more than 0.")
    }
  }

  private static func open(
    _ file: DatabaseFile, options: MagicOptions, directory: PrivateDirectory?
  ) throws -> SharedStore {
    var isNew = false
    if options.readOnly {
      guard file.exists else { throw MagicError(.cannotOpen, "There is no database file.") }
    } else {
      isNew = try file.create(options.fileDurability, on: options.makeFileSystem)
    }
    do {
      try file.refuseLost()
      let known = DatabaseRegistry.shared.entry(for: try file.identity())
      return try known.store(readOnly: options.readOnly) {
        try options.readOnly
          ? openForReading(file, known, options)
          : openForWriting(file, known, options, directory)
      }
    } catch {
      if isNew { file.removeIfEmpty() }
      throw error
    }
  }

  private static func openForWriting(
    _ file: DatabaseFile, _ known: DatabaseEntry, _ options: MagicOptions,
    _ directory: PrivateDirectory?
  ) throws -> SharedStore {
    let (writer, hasLostCommits) = try makeWriter(of: file, known, options)
    let token = try token(known, Catalogue(connection: writer))
    try writer.prepareForWriting()
    let files = StoreFiles(at: file.path + StoreFiles.suffix, options)
    files.sweep(on: writer, hasLostCommits: hasLostCommits)
    let record = directory == nil ? LogRecord(of: file.path) : nil
    if hasLostCommits { record?.remove() }
    let reading = configuration(options, .readOnly)
    return try SharedStore(
      writer: writer,
      readers: { try reader(of: file, known, reading) },
      options: options, files: files, directory: directory, file: known, token: token,
      record: record
    ) { try reopenWriter(of: file, known, options) }
  }

  /// - Returns: a loss that the options accept.
  /// - Throws: `MagicError` with `.lostDatabase` where they do not, and where the log would have to be
  ///   removed and the database is only read. All files stay as they are.
  private static func accepted(
    _ loss: LogRecord.Loss?, _ options: MagicOptions
  ) throws -> LogRecord.Loss? {
    guard loss == nil || options.acceptsLostLog else {
      throw MagicError(
        .lostDatabase,
        "The write-ahead log beside the database is missing or damaged, and with it the last saves. "
          + "Restore the file that ends with -wal, or open the database with acceptsLostLog to go on "
          + "without them.")
    }
    guard loss != .ofWholeLog || !options.readOnly else {
      throw MagicError(
        .lostDatabase,
        "The write-ahead log beside the database is damaged or belongs to another one. Open the "
          + "database for writing, with acceptsLostLog, to go on without it.")
    }
    return loss
  }

  /// The connection that writes, when a database is opened, and when it is opened again after a
  /// suspension. Another file may lie under its path by then, and a newer version of the library may
  /// have written to it.
  ///
  /// - Returns: the connection, and whether commits were lost with the log, which the options accept.
  private static func makeWriter(
    of file: DatabaseFile, _ known: DatabaseEntry, _ options: MagicOptions
  ) throws -> (SQLiteConnection, hasLostCommits: Bool) {
    try file.refuseSingleByte()
    try file.refuseSecondName()
    try file.refuseUnwritableLog()
    let foreignLog = try accepted(LogRecord.lossBeforeReading(of: file.path), options)
    if foreignLog != nil { file.removeLog() }
    let configuration = configuration(options, .readWriteExisting)
    func open() throws -> SQLiteConnection {
      try identified(file, known) { () throws(SQLiteError) in
        try SQLiteConnection(reading: file.path, configuration: configuration)
      }
    }
    var writer = try open()
    let loss = try accepted(LogRecord.loss(of: file.path, writer), options)
    if loss == .ofWholeLog {
      // What is there in its place damages the database.
      writer.close()
      file.removeLog()
      writer = try open()
    }
    try Catalogue(connection: writer).refuseNewerFormat()
    try file.refuseCutOff(writer)
    return (writer, foreignLog != nil || loss != nil)
  }

  private static func reopenWriter(
    of file: DatabaseFile, _ known: DatabaseEntry, _ options: MagicOptions
  ) throws -> SQLiteConnection {
    let (writer, hasLostCommits) = try makeWriter(of: file, known, options)
    try writer.prepareForWriting()
    if hasLostCommits { LogRecord(of: file.path).remove() }
    return writer
  }

  private static func openForReading(
    _ file: DatabaseFile, _ known: DatabaseEntry, _ options: MagicOptions
  ) throws -> SharedStore {
    try file.refuseSingleByte()
    try file.refuseSecondName()
    _ = try accepted(LogRecord.lossBeforeReading(of: file.path), options)
    let (first, settings) = try openReader(file, configuration(options, .readOnly))
    let catalogue = Catalogue(connection: first)
    _ = try accepted(LogRecord.loss(of: file.path, first), options)
    try catalogue.refuseNewerFormat()
    try file.refuseCutOff(first)
    let token = try token(known, catalogue)
    let isEmpty = file.isEmpty
    first.close()
    return try SharedStore(
      writer: nil,
      readers: { try reader(of: file, known, settings, mayBeEmpty: isEmpty) },
      options: options, files: StoreFiles(at: file.path + StoreFiles.suffix, options),
      directory: nil, file: known, token: token)
  }

  /// A further reader of an open database. Another file may lie under its path by now.
  ///
  /// - Parameter mayBeEmpty: whether it was empty when it was opened.
  private static func reader(
    of file: DatabaseFile, _ known: DatabaseEntry, _ configuration: SQLiteConfiguration,
    mayBeEmpty: Bool = false
  ) throws -> SQLiteConnection {
    guard mayBeEmpty || !file.isEmpty else { throw MagicError.fileMoved() }
    return try identified(file, known) { () throws(SQLiteError) in
      try SQLiteConnection(path: file.path, configuration: configuration)
    }
  }

  private static func identified(
    _ file: DatabaseFile, _ known: DatabaseEntry,
    open: () throws(SQLiteError) -> SQLiteConnection
  ) throws -> SQLiteConnection {
    func check() throws {
      guard (try? file.identity()) == known.identity else { throw MagicError.fileMoved() }
    }
    try check()
    let connection = try open()
    try check()
    return connection
  }

  private static func openReader(
    _ file: DatabaseFile, _ configuration: SQLiteConfiguration
  ) throws -> (SQLiteConnection, SQLiteConfiguration) {
    do {
      return (try SQLiteConnection(path: file.path, configuration: configuration), configuration)
    } catch {
      // A write-ahead database in a directory that cannot be written, such as an app's bundle:
      // no program can change it there, so that no side file is needed. An empty log holds nothing.
      guard error.code == .cannotOpen || error.code == .readOnly,
        try DatabaseFile(path: file.path + "-wal").isEmpty
      else { throw error }
      var immutable = configuration
      immutable.access = .immutable
      return (try SQLiteConnection(path: file.path, configuration: immutable), immutable)
    }
  }

  private static func token(_ known: DatabaseEntry, _ catalogue: Catalogue) throws -> StoreToken {
    try catalogue.databaseIdentifier().map {
      DatabaseRegistry.shared.token(of: known.identity, database: $0)
    } ?? OpenDatabases.shared.newToken()
  }

  private static func configuration(
    _ options: MagicOptions, _ access: SQLiteConfiguration.Access
  ) -> SQLiteConfiguration {
    SQLiteConfiguration(
      access: access, durability: SQLiteConfiguration.Durability(options.durability),
      busyTimeout: options.busyTimeout, trace: options.statementTrace,
      tracesValues: options.logsValues)
  }
}

extension SQLiteConfiguration.Durability {
  init(_ durability: MagicOptions.Durability) {
    self =
      switch durability {
      case .off: .off
      case .normal: .normal
      case .full: .full
      }
  }
}
