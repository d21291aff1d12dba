// swift-tools-version: 6.2
import PackageDescription

// Layers, lowest first. A target imports only targets of a lower layer; where it needs one of its own
// layer, the comment says why. `ci/structure` checks this, and `ci/check` builds with
// --explicit-target-dependency-import-check error.
let package = Package(
  name: "MagicData",
  // The oldest systems that have SQLite 3.32.3, see SQLiteLibrary.oldestSupported, and what Swift's
  // concurrency needs.
  platforms: [.macOS(.v12), .iOS(.v14), .tvOS(.v14), .watchOS(.v7)],
  products: [
    .library(name: "MagicData", targets: ["MagicData"]),
    .library(name: "MagicDataTesting", targets: ["MagicDataTesting"]),
    .library(name: "MagicDataPostgres", targets: ["MagicDataPostgres"]),
    .library(name: "MagicAsync", targets: ["MagicAsync"]),
    .library(name: "MagicObservation", targets: ["MagicObservation"]),
    .library(name: "MagicQuery", targets: ["MagicQuery"]),
    .library(name: "MagicQueryText", targets: ["MagicQueryText"]),
    .library(name: "MagicStatements", targets: ["MagicStatements"]),
    .library(name: "MagicJoins", targets: ["MagicJoins"]),
    .library(name: "MagicTextSearch", targets: ["MagicTextSearch"]),
    .library(name: "MagicRelations", targets: ["MagicRelations"]),
    .library(name: "MagicAssets", targets: ["MagicAssets"]),
    .library(name: "MagicRecords", targets: ["MagicRecords"]),
    .library(name: "MagicDocuments", targets: ["MagicDocuments"]),
    .library(name: "MagicStore", targets: ["MagicStore"]),
    .library(name: "SQLiteStore", targets: ["SQLiteStore"]),
    .library(name: "MagicSchema", targets: ["MagicSchema"]),
    .library(name: "Magical", targets: ["Magical"]),
    .library(name: "MagicFiles", targets: ["MagicFiles"]),
    .library(name: "MagicSQLite", targets: ["MagicSQLite"]),
    .library(name: "CMagicSQLite", targets: ["CMagicSQLite"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
  ],
  targets: [
    // Layer 0: C.
    .systemLibrary(
      name: "CMagicSQLite",
      path: "Modules/CMagicSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]
    ),
    // The client library of PostgreSQL, which is loaded when a database is opened: a build needs
    // neither its headers nor the library.
    .target(
      name: "CPostgreSQL", path: "Modules/CPostgreSQL",
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CMagicRuntime", path: "Modules/CMagicRuntime"),
    .target(
      name: "MagicRuntime",
      dependencies: ["CMagicRuntime", .product(name: "DequeModule", package: "swift-collections")],
      path: "Modules/MagicRuntime"),

    // Layer 1: values as columns, files, and the engine.
    .target(name: "Magical", dependencies: ["CMagicRuntime"], path: "Modules/Magical"),
    .target(
      name: "MagicFiles", dependencies: ["MagicRuntime", "CMagicRuntime"],
      path: "Modules/MagicFiles"),
    .target(
      name: "MagicSQLite",
      dependencies: ["CMagicSQLite", "MagicRuntime", "CMagicRuntime"],
      path: "Modules/MagicSQLite"),

    .target(
      name: "MagicPostgreSQL", dependencies: ["CPostgreSQL", "MagicRuntime"],
      path: "Modules/MagicPostgreSQL"),

    // Layer 2: errors, row IDs, migrations as types declare them, and their plans.
    .target(
      name: "MagicBase", dependencies: ["Magical", "CMagicRuntime"], path: "Modules/MagicBase"),

    // Layer 3: the values of objects in memory: fetched rows, changed values, lazy values, links.
    .target(
      name: "MagicStorage",
      dependencies: ["MagicBase", "Magical", "MagicFiles", "MagicRuntime", "CMagicRuntime"],
      path: "Modules/MagicStorage"),

    // Layer 4: types of objects: their wrappers, their reflection, their description.
    .target(
      name: "MagicSchema",
      dependencies: [
        "MagicStorage", "MagicBase", "Magical", "MagicFiles", "MagicRuntime", "CMagicRuntime",
      ],
      path: "Modules/MagicSchema"),

    // Layer 5: queries and statements as values: expressions, descriptions, shapes. No SQL.
    .target(
      name: "MagicRequests",
      dependencies: ["MagicSchema", "Magical", "MagicRuntime"],
      path: "Modules/MagicRequests"),

    // Layer 6: what an engine is asked for and answers, as values, and the protocols that it
    // implements: changesets, changes, members of collections, diagnoses. No SQL.
    .target(
      name: "MagicEngine",
      dependencies: [
        "MagicRequests", "MagicSchema", "Magical", "MagicFiles", "MagicRuntime", "CMagicRuntime",
      ],
      path: "Modules/MagicEngine"),

    // Layer 7: objects as changesets, and rows as objects.
    .target(
      name: "MagicGraph", dependencies: ["MagicEngine", "MagicSchema", "Magical", "MagicRuntime"],
      path: "Modules/MagicGraph"),

    // Layer 7 as well: the tables of types: their description, the catalogue, errors of the engine;
    // and what a migration does to them, as values.
    .target(
      name: "SQLiteTables",
      dependencies: [
        "MagicEngine", "MagicSchema", "Magical", "MagicFiles", "MagicSQLite", "MagicRuntime",
      ],
      path: "Modules/SQLiteTables"),
    // Plans what it reads of the tables, so it imports SQLiteTables.
    .target(
      name: "MagicMigration",
      dependencies: ["SQLiteTables", "MagicEngine", "MagicSchema", "Magical"],
      path: "Modules/MagicMigration"),

    // Layer 7 as well: the text of SQL, and queries in the dialect of PostgreSQL.
    .target(
      name: "MagicSQLText", dependencies: ["MagicRequests", "MagicSchema"],
      path: "Modules/MagicSQLText"),
    .target(
      name: "PostgreSQLQueries",
      dependencies: [
        "MagicSQLText", "MagicRequests", "MagicSchema", "Magical", "MagicPostgreSQL",
        "MagicRuntime",
      ],
      path: "Modules/PostgreSQLQueries"),

    // Layer 8: the files of a database: asset files, the write-ahead log, snapshots' claims on it.
    .target(
      name: "SQLiteFiles",
      dependencies: [
        "SQLiteTables", "MagicSchema", "MagicFiles", "MagicSQLite", "MagicRuntime",
        "CMagicRuntime",
      ],
      path: "Modules/SQLiteFiles"),

    // Layer 8 as well: search indexes: updates of them, tokenizers.
    .target(
      name: "SQLiteSearch",
      dependencies: [
        "SQLiteTables", "MagicEngine", "MagicSchema", "MagicFiles", "MagicSQLite", "MagicRuntime",
      ],
      path: "Modules/SQLiteSearch"),

    // Layer 8 as well: the tables of types in PostgreSQL: their definitions, the catalogue, errors of
    // the server as errors of the library.
    .target(
      name: "PostgreSQLTables",
      dependencies: [
        "PostgreSQLQueries", "MagicPostgreSQL", "MagicEngine", "MagicSchema", "Magical",
        "MagicRuntime",
      ],
      path: "Modules/PostgreSQLTables"),

    // Layer 8 as well: assets in the tables of PostgreSQL.
    .target(
      name: "PostgreSQLFiles",
      dependencies: [
        "PostgreSQLTables", "MagicPostgreSQL", "MagicEngine", "MagicSchema", "MagicFiles",
        "MagicRuntime",
      ],
      path: "Modules/PostgreSQLFiles"),

    // Layer 8 as well: the search indexes of PostgreSQL: words, searches as SQL, tables.
    .target(
      name: "PostgreSQLSearch",
      dependencies: [
        "PostgreSQLTables", "SQLiteSearch", "SQLiteTables", "MagicPostgreSQL", "MagicEngine",
        "MagicRequests", "MagicSchema", "MagicSQLite",
      ],
      path: "Modules/PostgreSQLSearch"),

    // Layer 8 as well: the check of what the server does not enforce.
    .target(
      name: "PostgreSQLMaintenance",
      dependencies: [
        "PostgreSQLSearch", "PostgreSQLTables", "MagicPostgreSQL", "MagicEngine", "MagicSchema",
      ],
      path: "Modules/PostgreSQLMaintenance"),

    // Layer 9: rows in and out on one connection.
    .target(
      name: "SQLiteEngine",
      dependencies: [
        "SQLiteFiles", "SQLiteSearch", "SQLiteTables", "MagicEngine", "MagicSchema", "Magical",
        "MagicFiles", "MagicSQLite", "MagicRuntime",
      ],
      path: "Modules/SQLiteEngine"),

    // Layer 9 as well: the engine of PostgreSQL.
    .target(
      name: "PostgreSQLEngine",
      dependencies: [
        "PostgreSQLMaintenance", "PostgreSQLSearch", "PostgreSQLFiles", "PostgreSQLTables",
        "PostgreSQLQueries", "MagicSQLText", "MagicPostgreSQL", "MagicEngine", "MagicSchema",
        "Magical", "MagicFiles", "MagicRuntime",
      ],
      path: "Modules/PostgreSQLEngine"),

    // Layer 10: what is done beside saving and fetching. None of these knows another.
    .target(
      name: "PostgreSQLMigration",
      dependencies: [
        "PostgreSQLEngine", "PostgreSQLSearch", "PostgreSQLTables", "PostgreSQLQueries",
        "MagicMigration", "MagicEngine", "MagicSchema", "Magical", "MagicPostgreSQL",
      ],
      path: "Modules/PostgreSQLMigration"),
    .target(
      name: "SQLiteChanges",
      dependencies: [
        "SQLiteEngine", "SQLiteSearch", "SQLiteTables", "MagicEngine", "MagicSchema", "MagicSQLite",
        "MagicRuntime",
      ],
      path: "Modules/SQLiteChanges"),
    .target(
      name: "PostgreSQLChanges",
      dependencies: [
        "PostgreSQLEngine", "PostgreSQLTables", "MagicPostgreSQL", "MagicEngine", "MagicSchema",
        "MagicRuntime",
      ],
      path: "Modules/PostgreSQLChanges"),
    .target(
      name: "SQLiteMigration",
      dependencies: [
        "SQLiteEngine", "SQLiteSearch", "SQLiteTables", "MagicMigration", "MagicEngine",
        "MagicSchema", "Magical", "MagicFiles", "MagicSQLite",
      ],
      path: "Modules/SQLiteMigration"),
    .target(
      name: "SQLiteMaintenance",
      dependencies: [
        "SQLiteEngine", "SQLiteFiles", "SQLiteSearch", "SQLiteTables", "MagicEngine", "MagicSchema",
        "MagicFiles", "MagicSQLite", "MagicRuntime",
      ],
      path: "Modules/SQLiteMaintenance"),
    // Queries as SQL, their execution and their plans; raw SQL.
    .target(
      name: "SQLiteQueries",
      dependencies: [
        "SQLiteEngine", "SQLiteSearch", "SQLiteTables", "MagicEngine", "MagicSQLText",
        "MagicSchema", "Magical", "MagicSQLite", "MagicRuntime", "CMagicRuntime",
      ],
      path: "Modules/SQLiteQueries"),

    // Layer 11: the verbs on an open database of any engine.
    .target(
      name: "MagicStore",
      dependencies: [
        "MagicGraph", "MagicEngine", "MagicSchema", "Magical", "MagicRuntime",
      ],
      path: "Modules/MagicStore"),

    // Layer 11 as well: copies of databases, to another file, server or form.
    .target(
      name: "DatabaseTransfer",
      dependencies: [
        "SQLiteMaintenance", "SQLiteFiles", "SQLiteTables", "MagicSchema", "Magical", "MagicFiles",
        "MagicSQLite", "MagicRuntime", "CMagicRuntime",
      ],
      path: "Modules/DatabaseTransfer"),

    // Layer 12: the sides of a copy that are not files of SQLite.
    .target(
      name: "PostgreSQLTransfer",
      dependencies: [
        "DatabaseTransfer", "PostgreSQLEngine", "PostgreSQLFiles", "PostgreSQLTables",
        "PostgreSQLQueries", "MagicRequests", "MagicSchema", "Magical", "MagicFiles",
        "MagicPostgreSQL",
      ],
      path: "Modules/PostgreSQLTransfer"),
    .target(
      name: "MagicExchange",
      dependencies: [
        "DatabaseTransfer", "MagicSchema", "Magical", "MagicFiles", "MagicRuntime",
      ],
      path: "Modules/MagicExchange"),
    .target(
      name: "CoreDataImport",
      dependencies: [
        "DatabaseTransfer", "SQLiteTables", "MagicSchema", "Magical", "MagicFiles", "MagicSQLite",
        "MagicRuntime", "CMagicRuntime",
      ],
      path: "Modules/CoreDataImport"),
    .target(
      name: "OriginalImport",
      dependencies: [
        "DatabaseTransfer", "SQLiteTables", "MagicSchema", "MagicBase", "Magical", "MagicFiles",
        "MagicSQLite", "MagicRuntime",
      ],
      path: "Modules/OriginalImport"),

    // Layer 12 as well: sets of objects.
    .target(
      name: "MagicRelations",
      dependencies: [
        "MagicStore", "MagicGraph", "MagicEngine", "MagicSchema", "Magical", "MagicRuntime",
      ],
      path: "Modules/MagicRelations"),

    .target(
      name: "MagicAssets",
      dependencies: [
        "MagicStore", "MagicEngine", "MagicSchema", "Magical", "MagicFiles",
      ],
      path: "Modules/MagicAssets"),

    // Layer 12 as well: objects as values. A record contains the members of collections, and one for
    // CloudKit assets, so it imports MagicRelations and MagicAssets.
    .target(
      name: "MagicRecords",
      dependencies: [
        "MagicAssets", "MagicRelations", "MagicStore", "MagicGraph", "MagicEngine", "MagicSchema",
        "Magical",
        "MagicRuntime",
      ],
      path: "Modules/MagicRecords"),

    // Layer 12 as well: conditions and computed values reach through collections and back along
    // relationships, so they import MagicRelations; queries are made of them.
    .target(
      name: "MagicExpressions",
      dependencies: [
        "MagicRelations", "MagicStore", "MagicEngine", "MagicSchema", "Magical", "MagicRuntime",
      ],
      path: "Modules/MagicExpressions"),
    .target(
      name: "MagicQuery",
      dependencies: [
        "MagicExpressions", "MagicRelations", "MagicStore", "MagicGraph", "MagicEngine",
        "MagicSchema", "Magical", "MagicRuntime",
      ],
      path: "Modules/MagicQuery"),

    // Layer 12 as well: queries whose rows are combined with other rows; set operations and pages of
    // selections.
    .target(
      name: "MagicJoins",
      dependencies: [
        "MagicQuery", "MagicExpressions", "MagicStore", "MagicEngine", "MagicSchema", "Magical",
      ],
      path: "Modules/MagicJoins"),

    // Layer 12 as well: raw SQL. Its plans are those of MagicQuery.
    .target(
      name: "MagicStatements",
      dependencies: [
        "MagicQuery", "MagicExpressions", "MagicStore", "MagicGraph", "MagicEngine", "MagicSchema",
        "Magical",
      ],
      path: "Modules/MagicStatements"),

    // Layer 13: an open database of SQLite, with its connections, its transactions and its life.
    .target(
      name: "SQLiteStore",
      dependencies: [
        "MagicQuery", "MagicStore", "SQLiteChanges", "SQLiteMigration", "SQLiteMaintenance",
        "SQLiteQueries", "SQLiteEngine", "SQLiteSearch", "SQLiteFiles", "SQLiteTables",
        "MagicMigration",
        "MagicEngine", "MagicSchema", "MagicFiles", "MagicSQLite", "MagicRuntime",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Modules/SQLiteStore"),

    // Layer 13 as well: what is fetched when it is asked for.
    .target(
      name: "MagicAsync",
      dependencies: [
        "MagicJoins", "MagicQuery", "MagicExpressions", "MagicAssets", "MagicRelations",
        "MagicStore", "MagicGraph", "MagicEngine", "MagicSchema", "Magical", "MagicRuntime",
      ],
      path: "Modules/MagicAsync"),

    // Layer 13 as well: predicates and orders of queries as text.
    .target(
      name: "MagicQueryText",
      dependencies: [
        "MagicQuery", "MagicExpressions", "MagicEngine", "MagicSchema", "Magical", "MagicRuntime",
      ],
      path: "Modules/MagicQueryText"),

    // Layer 13 as well: what changes, and results that are kept up to date.
    .target(
      name: "MagicObservation",
      dependencies: [
        "MagicStatements", "MagicQuery", "MagicStore", "MagicEngine", "MagicSchema", "Magical",
        "MagicRuntime",
      ],
      path: "Modules/MagicObservation"),

    // Layer 13 as well: searches of texts. A live search has values as any live result has, so it
    // imports MagicObservation.
    .target(
      name: "MagicTextSearch",
      dependencies: [
        "MagicObservation", "MagicQuery", "MagicExpressions", "MagicAssets", "MagicStore",
        "MagicGraph", "MagicEngine", "MagicSchema", "Magical", "MagicRuntime",
      ],
      path: "Modules/MagicTextSearch"),

    // Layer 13 as well: objects as JSON documents. A lazy relationship is read for a document.
    .target(
      name: "MagicDocuments",
      dependencies: [
        "MagicAsync", "MagicExchange", "DatabaseTransfer", "MagicRecords", "MagicAssets",
        "MagicRelations", "MagicStore", "MagicGraph", "MagicEngine", "MagicSchema", "Magical",
        "MagicFiles", "MagicRuntime",
      ],
      path: "Modules/MagicDocuments"),

    // Layer 14: the facade.
    .target(
      name: "MagicData",
      dependencies: [
        "SQLiteStore", "MagicDocuments", "MagicExchange", "CoreDataImport", "OriginalImport",
        "DatabaseTransfer", "MagicObservation",
        "MagicAsync",
        "MagicQueryText", "MagicTextSearch", "MagicStatements", "MagicJoins", "MagicQuery",
        "MagicAssets", "MagicRecords", "MagicRelations", "MagicStore", "MagicEngine", "MagicSchema",
        "Magical", "MagicFiles", "MagicRuntime",
      ],
      path: "Modules/MagicData"),

    // Layer 15: databases of PostgreSQL behind the facade; what users' tests are made of; tests.
    .target(
      name: "MagicDataPostgres",
      dependencies: [
        "MagicData", "MagicStore", "PostgreSQLTransfer", "PostgreSQLMigration", "MagicRuntime",
        "PostgreSQLChanges", "PostgreSQLEngine", "PostgreSQLTables", "PostgreSQLQueries",
        "MagicSchema",
        "MagicPostgreSQL",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Modules/MagicDataPostgres"),
    .target(
      name: "MagicDataTesting",
      dependencies: [
        "MagicData", "SQLiteStore", "MagicStore", "SQLiteQueries", "SQLiteFiles", "MagicEngine",
        "MagicSchema",
      ],
      path: "Modules/MagicDataTesting"),
    .testTarget(
      name: "MagicDataTestingTests",
      dependencies: ["MagicData", "MagicDataTesting", "MagicTestSupport"],
      path: "Tests/MagicDataTestingTests"),
    .testTarget(
      name: "MagicalTests", dependencies: ["Magical", "MagicTestSupport"],
      path: "Tests/MagicalTests"),
    .testTarget(
      name: "MagicFilesTests", dependencies: ["MagicFiles", "MagicRuntime", "MagicTestSupport"],
      path: "Tests/MagicFilesTests"),
    .testTarget(
      name: "MagicSQLiteTests",
      dependencies: [
        "SQLiteProgram", "CSQLiteVersion", "MagicSQLite", "CMagicSQLite", "MagicRuntime",
        "CMagicRuntime", "MagicTestSupport",
      ],
      path: "Tests/MagicSQLiteTests"),
    // A server of PostgreSQL for the tests of a process.
    .target(
      name: "PostgreSQLTestSupport",
      dependencies: ["MagicPostgreSQL"],
      path: "Tests/PostgreSQLTestSupport"),
    .testTarget(
      name: "MagicPostgreSQLTests",
      dependencies: [
        "MagicPostgreSQL", "MagicRuntime", "PostgreSQLTestSupport", "MagicTestSupport",
      ],
      path: "Tests/MagicPostgreSQLTests"),
    .testTarget(
      name: "PostgreSQLEngineTests",
      dependencies: [
        "MagicDataPostgres", "PostgreSQLChanges", "PostgreSQLEngine", "MagicPostgreSQL",
        "MagicData", "MagicStore", "MagicAssets", "MagicEngine", "MagicSchema", "MagicRuntime",
        "Magical", "PostgreSQLTestSupport", "CopySupport", "CopyProgram", "MagicTestSupport",
      ],
      path: "Tests/PostgreSQLEngineTests"),
    .testTarget(
      name: "MagicSchemaTests", dependencies: ["MagicSchema", "Magical"],
      path: "Tests/MagicSchemaTests"),
    .executableTarget(
      name: "DatabaseProgram", dependencies: ["MagicData"], path: "Tests/Programs/DatabaseProgram"),
    .executableTarget(
      name: "StoreProgram", dependencies: ["SQLiteStore", "MagicStore"],
      path: "Tests/Programs/StoreProgram"),
    .executableTarget(
      name: "SQLiteProgram", dependencies: ["MagicSQLite"], path: "Tests/Programs/SQLiteProgram"),
    .executableTarget(
      name: "WriteProgram", dependencies: ["MagicSQLite"], path: "Tests/Programs/WriteProgram"),
    .executableTarget(
      name: "ValueProgram", dependencies: ["Magical"], path: "Tests/Programs/ValueProgram"),
    .executableTarget(
      name: "CopyProgram", dependencies: ["MagicData", "MagicDataPostgres"],
      path: "Tests/Programs/CopyProgram"),
    .executableTarget(
      name: "KillProgram",
      dependencies: [
        "MagicData", "MagicAssets", "SQLiteStore", "MagicStore", "MagicFiles", "MagicSQLite",
        "MagicRuntime", "MagicExchange", "MagicTestSupport",
      ],
      path: "Tests/Programs/KillProgram"),
    .testTarget(
      name: "KillTests",
      dependencies: [
        "KillProgram", "MagicData", "MagicAssets", "SQLiteStore", "MagicStore", "SQLiteEngine",
        "MagicFiles", "MagicSQLite", "MagicTestSupport",
      ],
      path: "Tests/KillTests"),
    .executableTarget(
      name: "SoakProgram",
      dependencies: [
        "MagicData", "MagicAssets", "MagicStore", "MagicSQLite", "MagicRuntime", "CMemory",
        "MagicTestSupport",
      ],
      path: "Tests/Programs/SoakProgram"),
    .testTarget(
      name: "SoakTests", dependencies: ["SoakProgram", "CMemory", "MagicTestSupport"],
      path: "Tests/SoakTests"),
    .testTarget(
      name: "MemoryTests",
      dependencies: [
        "MagicData", "MagicAssets", "MagicStore", "MagicSQLite", "CMemory", "MagicTestSupport",
      ],
      path: "Tests/MemoryTests"),
    .target(name: "CMemory", dependencies: ["CMagicSQLite"], path: "Tests/CMemory"),
    .target(name: "CLocks", dependencies: ["CMagicSQLite"], path: "Tests/CLocks"),
    .testTarget(
      name: "BadInputTests",
      dependencies: [
        "MagicData", "MagicStore", "SQLiteEngine", "MagicSchema", "MagicSQLite", "CLocks",
        "CMagicSQLite", "MagicFiles", "MagicRuntime", "DiskSimulation", "MagicTestSupport",
        "TestModels",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/BadInputTests"),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "CMagicSQLite", "MagicData", "MagicGraph", "MagicEngine", "MagicAsync", "MagicQueryText",
        "MagicStatements", "MagicQuery", "MagicAssets", "MagicRelations", "PostgreSQLChanges",
        "SQLiteStore", "MagicStore", "SQLiteEngine", "MagicSchema", "Magical", "MagicSQLite",
        "MagicRuntime",
      ],
      path: "Tests/FuzzTargets"),
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "FuzzTargets", "MagicDataPostgres", "MagicPostgreSQL", "MagicStore",
        "PostgreSQLTestSupport",
        "MagicTestSupport",
      ],
      path: "Tests/FuzzTests", resources: [.copy("Corpus")]),
    .testTarget(
      name: "FixtureTests",
      dependencies: [
        "MagicAsync", "MagicStatements", "MagicQuery", "MagicAssets", "MagicRelations",
        "MagicData", "SQLiteStore", "MagicStore", "MagicDataTesting", "MagicTestSupport",
      ],
      path: "Tests/FixtureTests",
      resources: [.copy("Databases")]),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "MagicData", "MagicDataPostgres", "MagicDataTesting", "SQLiteStore", "MagicStore",
        "MagicSQLite", "PostgreSQLTestSupport", "MagicTestSupport", "DatabaseProgram",
        "StoreProgram", "SQLiteProgram", "ValueProgram",
      ],
      path: "Tests/DocumentationTests"),
    // The default isolation of new projects of Xcode.
    .testTarget(
      name: "MainActorTests", dependencies: ["MagicData", "MagicTestSupport"],
      path: "Tests/MainActorTests", swiftSettings: [.defaultIsolation(MainActor.self)]),
    .target(
      name: "EngineConformance",
      dependencies: [
        "MagicData", "MagicDataPostgres", "MagicStore", "SQLiteStore", "MagicSQLite",
        "MemoryEngine", "PostgreSQLTestSupport", "MagicTestSupport",
      ],
      path: "Tests/EngineConformance"),
    .testTarget(
      name: "EngineConformanceTests",
      dependencies: [
        "EngineConformance", "MagicData", "MagicStore", "MagicEngine", "MagicTestSupport",
      ],
      path: "Tests/EngineConformanceTests"),
    .testTarget(
      name: "MagicStoreTests",
      dependencies: [
        "CFork", "CMagicSQLite", "MagicAssets", "MagicAsync", "MagicGraph", "MagicMigration",
        "MagicStatements", "MagicQuery", "MagicRelations", "SQLiteStore", "MagicStore",
        "SQLiteEngine", "SQLiteFiles", "SQLiteTables", "MagicSchema", "Magical",
        "MagicSQLite", "MagicRuntime", "EngineConformance", "MagicTestSupport", "TestModels",
      ],
      path: "Tests/MagicStoreTests"),
    // An engine in memory, which tests run on beside SQLite.
    .target(
      name: "MemoryEngine",
      dependencies: ["MagicEngine", "MagicSchema", "Magical", "MagicFiles", "MagicRuntime"],
      path: "Tests/MemoryEngine"),
    .testTarget(
      name: "MagicGraphTests",
      dependencies: [
        "MagicGraph", "MagicEngine", "MagicRelations", "MagicRuntime", "SQLiteStore", "MagicStore",
        "MagicSchema", "Magical", "MagicTestSupport", "MemoryEngine",
      ],
      path: "Tests/MagicGraphTests"),
    .testTarget(
      name: "MemoryEngineTests",
      dependencies: [
        "MemoryEngine", "MagicEngine", "MagicGraph", "MagicSchema", "Magical", "MagicTestSupport",
      ],
      path: "Tests/MemoryEngineTests"),
    .testTarget(
      name: "MagicAssetsTests",
      dependencies: [
        "MagicAssets", "MagicData", "MagicFiles", "MagicGraph", "SQLiteStore", "MagicStore",
        "SQLiteEngine", "MagicSchema", "Magical", "MagicSQLite", "EngineConformance",
        "MagicTestSupport",
      ],
      path: "Tests/MagicAssetsTests"),
    .testTarget(
      name: "MagicRelationsTests",
      dependencies: [
        "MagicRelations", "SQLiteStore", "MagicStore", "MagicSchema", "Magical",
        "EngineConformance", "MagicTestSupport",
      ],
      path: "Tests/MagicRelationsTests"),
    .testTarget(
      name: "MagicRecordsTests",
      dependencies: [
        "MagicData", "MagicRecords", "MagicStore", "MagicSchema", "Magical", "EngineConformance",
        "MagicTestSupport",
      ],
      path: "Tests/MagicRecordsTests"),
    .testTarget(
      name: "MagicDocumentsTests",
      dependencies: [
        "MagicData", "MagicDocuments", "MagicAssets", "EngineConformance", "MagicTestSupport",
      ],
      path: "Tests/MagicDocumentsTests"),
    .testTarget(
      name: "MagicQueryTests",
      dependencies: [
        "MagicData", "MagicStatements", "MagicQuery", "MagicRelations", "SQLiteStore", "MagicStore",
        "SQLiteEngine", "SQLiteQueries", "MagicEngine", "MagicSchema", "Magical", "MagicSQLite",
        "EngineConformance", "MagicTestSupport",
        "CMagicSQLite",
      ],
      path: "Tests/MagicQueryTests"),
    .testTarget(
      name: "MagicQueryTextTests",
      dependencies: [
        "MagicData", "MagicQueryText", "MagicQuery", "MagicStore", "MagicSchema", "Magical",
        "EngineConformance", "MagicTestSupport", "CMemory",
      ],
      path: "Tests/MagicQueryTextTests"),
    .testTarget(
      name: "MagicTextSearchTests",
      dependencies: [
        "MagicData", "MagicTextSearch", "MagicAssets", "SQLiteStore", "SQLiteTables", "MagicStore",
        "MagicSchema",
        "MagicSQLite", "CMagicSQLite", "EngineConformance", "MagicTestSupport",
      ],
      path: "Tests/MagicTextSearchTests"),
    .testTarget(
      name: "MagicDataTests",
      dependencies: [
        "CSQLiteVersion", "MagicData", "SQLiteStore", "MagicStore", "SQLiteFiles", "MagicSQLite",
        "EngineConformance", "MagicTestSupport", "TestModels",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/MagicDataTests"),
    .testTarget(
      name: "MagicAsyncTests",
      dependencies: [
        "MagicAsync", "MagicData", "MagicStore", "SQLiteEngine", "MagicSQLite", "EngineConformance",
        "MagicTestSupport",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/MagicAsyncTests"),
    .testTarget(
      name: "MagicObservationTests",
      dependencies: [
        "MagicData", "MagicEngine", "SQLiteStore", "MagicStore", "SQLiteEngine", "MagicSQLite",
        "MagicRuntime",
        "EngineConformance", "MagicTestSupport", "WriteProgram",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/MagicObservationTests"),
    // A database that the tests of copies copy.
    .target(
      name: "CopySupport",
      dependencies: [
        "MagicData", "MagicAssets", "DatabaseTransfer", "DiskSimulation", "MagicFiles",
        "MagicTestSupport",
      ],
      path: "Tests/CopySupport"),
    .testTarget(
      name: "MagicExchangeTests",
      dependencies: [
        "CopySupport", "MagicExchange", "DatabaseTransfer", "MagicData", "MagicStore",
        "MagicSQLite",
        "MagicFiles", "MagicTestSupport",
      ],
      path: "Tests/MagicExchangeTests"),
    .testTarget(
      name: "CoreDataImportTests",
      dependencies: [
        "CoreDataImport", "MagicExchange", "DatabaseTransfer", "MagicData", "MagicDataPostgres",
        "MagicSQLite", "MagicFiles", "PostgreSQLTestSupport", "CopySupport", "MagicTestSupport",
      ],
      path: "Tests/CoreDataImportTests"),
    .testTarget(
      name: "OriginalImportTests",
      dependencies: [
        "OriginalImport", "MagicData", "MagicSQLite", "MagicFiles", "CopySupport",
        "MagicTestSupport",
      ],
      path: "Tests/OriginalImportTests"),
    // Types that the tests of several targets save.
    .target(
      name: "TestModels", dependencies: ["MagicSchema", "Magical"], path: "Tests/TestModels"),
    .target(name: "CFork", path: "Tests/CFork"),
    .target(name: "CSQLiteVersion", path: "Tests/CSQLiteVersion"),
    .target(
      name: "MagicTestSupport",
      dependencies: [
        "CFork", "CMagicSQLite", "MagicFiles", "MagicRuntime", "MagicSQLite",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/MagicTestSupport"),
    .testTarget(
      name: "DiskTests",
      dependencies: [
        "DiskSimulation", "MagicData", "MagicFiles", "MagicRuntime", "MagicSQLite", "MagicStore",
        "SQLiteEngine", "MagicTestSupport",
      ],
      path: "Tests/DiskTests"),
    .target(
      name: "DiskSimulation",
      dependencies: ["CMagicSQLite", "MagicFiles", "MagicRuntime", "MagicTestSupport"],
      path: "Tests/DiskSimulation"),
    .testTarget(
      name: "MagicTestSupportTests",
      dependencies: [
        "MagicFiles", "MagicSQLite", "MagicTestSupport",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/MagicTestSupportTests"),
  ],
  swiftLanguageModes: [.v6]
)

// Programs of libFuzzer's, which `ci/fuzz` builds: they need flags that no package may have which
// others depend on.
if Context.environment["MAGIC_FUZZ"] == "1" {
  for name in [
    "FuzzDatabase", "FuzzValues", "FuzzCalls", "FuzzTexts", "FuzzStreams", "FuzzSearches",
    "FuzzImports",
  ] {
    package.targets.append(
      .executableTarget(
        name: name, dependencies: ["FuzzTargets"], path: "Tests/Fuzzing/\(name)",
        swiftSettings: [.unsafeFlags(["-parse-as-library"])]))
  }
}

// `ci/variant` sets this: the test targets to build, or some of their files, such as
// `SoakTests MagicDataTests/World.swift`. What these do not need is left out, which saves most of
// the time that such a build takes.
if let tests = Context.environment["MAGIC_TESTS"], !tests.isEmpty {
  var sources: [String: [String]] = [:]
  for path in tests.split(whereSeparator: \.isWhitespace) {
    let parts = path.split(separator: "/", maxSplits: 1)
    sources[String(parts[0]), default: []] += parts.dropFirst().map(String.init)
  }
  var needed: Set<String> = []
  var waiting = Array(sources.keys)
  while let name = waiting.popLast() {
    guard needed.insert(name).inserted else { continue }
    for target in package.targets where target.name == name {
      if let files = sources[name], !files.isEmpty { target.sources = files }
      for dependency in target.dependencies {
        switch dependency {
        case .byNameItem(let name, _), .targetItem(let name, _): waiting.append(name)
        default: continue
        }
      }
    }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { product in
    !((product as? Product.Library)?.targets.allSatisfy(needed.contains) ?? false)
  }
}

var swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
var cSettings: [CSetting] = []

// `ci/check` and `ci/test` set this: warnings are errors here, and never for packages that depend on this one.
if Context.environment["MAGIC_STRICT"] == "1" {
  swiftSettings.append(.treatAllWarnings(as: .error))
  cSettings.append(.treatAllWarnings(as: .error))
}

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
  target.swiftSettings = (target.swiftSettings ?? []) + swiftSettings
  target.cSettings = (target.cSettings ?? []) + cSettings
}
