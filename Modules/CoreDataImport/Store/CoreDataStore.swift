import DatabaseTransfer
import MagicSQLite
import MagicSchema
import SQLiteTables

/// A store of Core Data or SwiftData that is read, on one snapshot. The file and its log are not
/// changed.
final class CoreDataStore {
  private let database: ForeignDatabase
  let model: CoreDataModel
  /// The numbers of the entities, and the highest row numbers of their tables.
  private let entities: [String: (number: Int64, highest: Int64)]
  /// The columns of the tables, by the names of both in capitals.
  private let columns: [String: Set<String>]

  /// - Parameters:
  ///   - path: the path of the file.
  ///   - modelPath: the path of a model; nil to read the model that the store contains.
  /// - Throws: `MagicError`: `.cannotOpen`, `.notADatabase`, `.corrupt`, `.busy`.
  init(path: String, model modelPath: String?) throws {
    let database = try ForeignDatabase(path: path)
    let connection = database.connection
    do {
      let (found, columns) = try translatingErrors { () throws -> (Entities, Columns) in
        let columns = try Self.columns(connection)
        guard columns["0TABLE_INFO"] == nil else {
          throw MagicError(
            .notADatabase,
            "The file is a database of the original MagicData. A program imports it with "
              + "MagicData.copy(from: .originalMagicData(path, as: types), to: .file(newPath)).")
        }
        guard columns["MAGIC_FORMAT"] == nil else { throw ForeignDatabase.ownDatabase() }
        guard columns["Z_PRIMARYKEY"]?.isSuperset(of: ["Z_ENT", "Z_NAME", "Z_MAX"]) ?? false else {
          throw MagicError(.notADatabase, "The file is not a store of Core Data or SwiftData.")
        }
        return (try Self.entities(connection), columns)
      }
      model = try modelPath.map(ModelFile.model) ?? Self.storedModel(connection, columns)
      (entities, self.columns) = (found, columns)
    } catch {
      database.close()
      throw error
    }
    self.database = database
  }

  var path: String { database.path }
  var connection: SQLiteConnection { database.connection }

  /// Throws if a program has opened the store since it was opened here without locks.
  func checkNotInUse() throws { try database.checkNotInUse() }

  func close() { database.close() }

  // MARK: Opening

  private typealias Entities = [String: (number: Int64, highest: Int64)]
  private typealias Columns = [String: Set<String>]

  private static func columns(_ connection: SQLiteConnection) throws -> Columns {
    let statement = try connection.prepare(
      """
      SELECT upper(t."name"), upper(c."name") FROM sqlite_master AS t, pragma_table_info(t."name") AS c \
      WHERE t."type" = 'table'
      """)
    var columns: Columns = [:]
    while try statement.step() {
      columns[statement.column(0).text, default: []].insert(statement.column(1).text)
    }
    return columns
  }

  private static func entities(_ connection: SQLiteConnection) throws -> Entities {
    let statement = try connection.prepare(
      "SELECT \"Z_NAME\", \"Z_ENT\", ifnull(\"Z_MAX\", 0) FROM \"Z_PRIMARYKEY\"")
    var entities: Entities = [:]
    while try statement.step() {
      entities[statement.column(0).text] = (
        statement.column(1).integer, statement.column(2).integer
      )
    }
    return entities
  }

  private static func storedModel(
    _ connection: SQLiteConnection, _ columns: Columns
  ) throws -> CoreDataModel {
    let hasModel = columns["Z_MODELCACHE"]?.contains("Z_CONTENT") ?? false
    let content = try translatingErrors { () throws -> [UInt8]? in
      guard hasModel else { return nil }
      let statement = try connection.prepare("SELECT \"Z_CONTENT\" FROM \"Z_MODELCACHE\" LIMIT 1")
      guard try statement.step(), statement.column(0).type == .blob else { return nil }
      return Array(statement.column(0).blobBytes)
    }
    guard let content else {
      throw MagicError(
        .notADatabase,
        "The store does not contain its model. Name the model of the app: a folder with the extension "
          + "xcdatamodeld or momd.")
    }
    do {
      return try ModelArchive.model(compressed: content)
    } catch let fault as ModelFault {
      throw MagicError(
        .corrupt, "The model that the store contains is not valid: \(fault.reason).")
    }
  }

  // MARK: Names

  /// The number of an entity, with which its rows are marked; nil if the store does not have the
  /// entity.
  func number(_ entity: CoreDataModel.Entity) -> Int64? { entities[entity.name]?.number }

  /// The highest row number that was assigned in the table of an entity.
  func highestRow(_ entity: CoreDataModel.Entity) -> Int64 {
    entities[model.root(entity).name]?.highest ?? 0
  }

  func hasTable(_ name: String) -> Bool { columns[name.uppercased()] != nil }

  func columns(_ table: String) -> Set<String> { columns[table.uppercased()] ?? [] }

  func hasColumn(_ name: String, in table: String) -> Bool { columns(table).contains(name) }

  /// The name of the table with the rows of an entity.
  func table(_ entity: CoreDataModel.Entity) -> String {
    "Z" + model.root(entity).name.uppercased()
  }
}
