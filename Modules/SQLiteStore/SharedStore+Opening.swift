import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteFiles
import SQLiteTables

extension SharedStore {
  /// Returns the store of a database, and opens it if this process does not have it open.
  static func open(
    _ location: MagicStoreLocation, options: MagicOptions
  ) throws -> SharedStore {
    try check(options, for: location)
    return try translatingErrors {
      // Checked before a directory or file is created.
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
          return try translatingErrors { try open(file, options: options, directory: nil) }
        } catch let error as MagicError {
          throw (file.explanation(of: error) ?? error).naming(file.path)
        }
      }
    }
  }

  private static func check(_ options: MagicOptions, for location: MagicStoreLocation) throws {
    if options.durability == .off, location != .temporary, options.directory == nil {
      throw MagicError(
        .invalidOption,
        "Durability .off is only for temporary databases. Other databases would lose data.")
    }
    if options.readOnly {
      guard case .file = location else {
        throw MagicError(
          .invalidOption,
          "A temporary database or a database in memory is empty, so it cannot be read-only.")
      }
    }
    if options.mustExist {
      guard case .file = location else {
        throw MagicError(
          .invalidOption,
          "A temporary database or a database in memory is always new, so mustExist is invalid.")
      }
    }
    guard options.readers >= 1 else {
      throw MagicError(.invalidOption, "The number of readers must be at least 1.")
    }
    guard options.busyTimeout >= 0, options.busyTimeout.isFinite else {
      throw MagicError(.invalidOption, "The busy timeout must be 0 or more seconds, and finite.")
    }
    guard options.snapshotLimit > 0 else {
      throw MagicError(.invalidOption, "The snapshot limit must be more than 0 bytes.")
    }
    guard 0...3_600 ~= options.heldSnapshotTime else {
      throw MagicError(
        .invalidOption, "The time that snapshots are held must be 0 to 3,600 seconds.")
    }
    guard options.rowCacheSize >= 0 else {
      throw MagicError(.invalidOption, "The size of the row cache must be 0 or more bytes.")
    }
  }

  private static func open(
    _ file: DatabaseFile, options: MagicOptions, directory: PrivateDirectory?
  ) throws -> SharedStore {
    var isNew = false
    if options.readOnly || options.mustExist {
      guard file.exists else {
        throw MagicError(
          .cannotOpen,
          "The database file does not exist. To create it, open it without readOnly and mustExist.")
      }
    } else {
      isNew = try file.create(options.fileDurability, on: options.makeFileSystem)
    }
    do {
      try file.checkNotLost()
      let entry = DatabaseRegistry.shared.entry(for: try file.identity())
      return try entry.store(readOnly: options.readOnly) {
        try options.readOnly
          ? openForReading(file, entry, options)
          : openForWriting(file, entry, options, directory)
      }
    } catch {
      if isNew { file.removeIfEmpty() }
      throw error
    }
  }

  private static func openForWriting(
    _ file: DatabaseFile, _ entry: DatabaseEntry, _ options: MagicOptions,
    _ directory: PrivateDirectory?
  ) throws -> SharedStore {
    let (writer, hasLostCommits) = try makeWriter(of: file, entry, options)
    let token = try token(entry, Catalogue(connection: writer))
    try writer.prepareForWriting()
    let areOutdated = try !rebuildOutdatedIndexes(on: writer)
    writer.mayHaveOutdatedIndexes = areOutdated
    let files = StoreFiles(at: file.path + StoreFiles.suffix, options)
    files.sweep(on: writer, hasLostCommits: hasLostCommits)
    let record = directory == nil ? LogRecord(of: file.path) : nil
    if hasLostCommits { record?.remove() }
    let reading = configuration(options, .readOnly)
    return try SharedStore(
      writer: writer,
      readers: {
        let connection = try reader(of: file, entry, reading)
        connection.mayHaveOutdatedIndexes = areOutdated
        return connection
      },
      options: options, files: files, directory: directory, file: entry, token: token,
      record: record
    ) {
      let writer = try reopenWriter(of: file, entry, options)
      writer.mayHaveOutdatedIndexes = areOutdated
      return writer
    }
  }

  /// - Returns: a loss that the options accept.
  /// - Throws: `MagicError` with `.lostDatabase` if the options do not accept the loss, and if the
  ///   log would have to be deleted but the database is only read. No file is changed.
  private static func accepted(
    _ loss: LogRecord.Loss?, _ options: MagicOptions
  ) throws -> LogRecord.Loss? {
    guard loss == nil || options.acceptsLostLog else {
      throw MagicError(
        .lostDatabase,
        "The write-ahead log of the database is missing or damaged, and the last saves were lost "
          + "with it. Restore the -wal file of the database, or open the database with "
          + "acceptsLostLog to continue without these saves.")
    }
    guard loss != .ofEntireLog || !options.readOnly else {
      throw MagicError(
        .lostDatabase,
        "The write-ahead log of the database is damaged or belongs to another database. Open the "
          + "database for writing, with acceptsLostLog, to continue without the log.")
    }
    return loss
  }

  /// Returns the connection that writes, when a database is opened, and when it is opened again
  /// after a suspension. Meanwhile the path may name another file, and a newer version of the
  /// library may have written to it.
  ///
  /// - Returns: the connection, and whether commits were lost with the log, which the options
  ///   accept.
  private static func makeWriter(
    of file: DatabaseFile, _ entry: DatabaseEntry, _ options: MagicOptions
  ) throws -> (SQLiteConnection, hasLostCommits: Bool) {
    try file.checkNotSingleByte()
    try file.checkNoHardLinks()
    try file.checkLogIsWritable()
    let earlyLoss = try accepted(LogRecord.lossBeforeReading(of: file.path), options)
    if earlyLoss != nil { file.removeLog() }
    let configuration = configuration(options, .readWriteExisting)
    func open() throws -> SQLiteConnection {
      try identified(file, entry) { () throws(SQLiteError) in
        try SQLiteConnection(reading: file.path, configuration: configuration)
      }
    }
    var writer = try open()
    let loss = try accepted(LogRecord.loss(of: file.path, writer), options)
    if loss == .ofEntireLog {
      // The log that exists would damage the database.
      writer.close()
      file.removeLog()
      writer = try open()
    }
    try Catalogue(connection: writer).checkFormat()
    try file.checkNotTruncated(writer)
    return (writer, earlyLoss != nil || loss != nil)
  }

  /// Builds the indexes again whose collation has another order in this system than in the file.
  ///
  /// If rows of a unique index are equal, or the disk is full, the database is opened with the indexes
  /// and the recorded order as they are, so that the rows can be changed. The next opening and `repair()`
  /// try again. Meanwhile statements that read these indexes are refused.
  ///
  /// - Returns: whether no index is outdated any more.
  private static func rebuildOutdatedIndexes(on writer: SQLiteConnection) throws -> Bool {
    let catalogue = Catalogue(connection: writer)
    var areBuilt = true
    for name in try catalogue.changedCollations() {
      do {
        try writer.transaction {
          // Another process may have done it meanwhile.
          guard try catalogue.changedCollations().contains(name) else { return }
          try catalogue.rebuildIndexes(withCollation: name)
        }
      } catch let error as SQLiteError
        where [.notUnique, .diskFull].contains(MagicError(error).code)
      {
        areBuilt = false
      }
    }
    return areBuilt
  }

  private static func reopenWriter(
    of file: DatabaseFile, _ entry: DatabaseEntry, _ options: MagicOptions
  ) throws -> SQLiteConnection {
    let (writer, hasLostCommits) = try makeWriter(of: file, entry, options)
    try writer.prepareForWriting()
    if hasLostCommits { LogRecord(of: file.path).remove() }
    return writer
  }

  private static func openForReading(
    _ file: DatabaseFile, _ entry: DatabaseEntry, _ options: MagicOptions
  ) throws -> SharedStore {
    try file.checkNotSingleByte()
    try file.checkNoHardLinks()
    _ = try accepted(LogRecord.lossBeforeReading(of: file.path), options)
    let (first, settings) = try openReader(file, configuration(options, .readOnly))
    let catalogue = Catalogue(connection: first)
    _ = try accepted(LogRecord.loss(of: file.path, first), options)
    try catalogue.checkFormat()
    try file.checkNotTruncated(first)
    let token = try token(entry, catalogue)
    let isEmpty = file.isEmpty
    let outdated = try catalogue.changedCollations()
    first.close()
    return try SharedStore(
      writer: nil,
      readers: {
        let connection = try reader(of: file, entry, settings, mayBeEmpty: isEmpty)
        connection.withholdLocalizedCollations(outdated)
        return connection
      },
      options: options, files: StoreFiles(at: file.path + StoreFiles.suffix, options),
      directory: nil, file: entry, token: token)
  }

  /// Returns another reader of an open database. Meanwhile the path may name another file.
  ///
  /// - Parameter mayBeEmpty: whether the file was empty when the database was opened.
  private static func reader(
    of file: DatabaseFile, _ entry: DatabaseEntry, _ configuration: SQLiteConfiguration,
    mayBeEmpty: Bool = false
  ) throws -> SQLiteConnection {
    guard mayBeEmpty || !file.isEmpty else { throw MagicError.fileMoved() }
    return try identified(file, entry) { () throws(SQLiteError) in
      try SQLiteConnection(path: file.path, configuration: configuration)
    }
  }

  private static func identified(
    _ file: DatabaseFile, _ entry: DatabaseEntry,
    open: () throws(SQLiteError) -> SQLiteConnection
  ) throws -> SQLiteConnection {
    func check() throws {
      guard (try? file.identity()) == entry.identity else { throw MagicError.fileMoved() }
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
      // The database may be in a read-only directory, for example an app's bundle. No program can
      // change it there, so that SQLite needs no log index. The log must be empty, because it is
      // not read.
      guard error.code == .cannotOpen || error.code == .readOnly,
        try DatabaseFile(path: file.path + "-wal").isEmpty
      else { throw error }
      var immutable = configuration
      immutable.access = .immutable
      return (try SQLiteConnection(path: file.path, configuration: immutable), immutable)
    }
  }

  private static func token(_ entry: DatabaseEntry, _ catalogue: Catalogue) throws -> StoreToken {
    try catalogue.databaseIdentifier().map {
      DatabaseRegistry.shared.token(of: entry.identity, database: $0)
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
