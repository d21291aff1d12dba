import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport

extension SecrecyTests {
  struct Secret: MagicObject {
    @PrimaryMagicValue var id: String
    @MagicValue(.unique) var code: String
    @MagicValue(.indexed) var text: String = SecrecyTests.marker
    @MagicValue var number: Int = 1
    @MagicValue var tags: [String] = [SecrecyTests.marker]
    @MagicValue var counts: [String: Int] = [SecrecyTests.marker: 1]
    @MagicValue var shares: [String: Double] = [SecrecyTests.marker: 1]
    @MagicValue var colour: Colour = .red
    @MagicValue var link: UUID = UUID()
    @OptionMagicValue var needed: String?
    @MagicValue var report: MagicAsset<[String: Int]>

    init() {
      report = Self.report
    }

    init(_ number: Int) {
      report = Self.report
      id = "\(SecrecyTests.marker) \(number)"
      code = "\(SecrecyTests.marker) code \(number)"
    }

    private static var report: MagicAsset<[String: Int]> {
      .init(value: [SecrecyTests.marker: 1], pathExtension: SecrecyTests.marker)
    }
  }

  enum Colour: String, Magical { case red }

  struct Holder: MagicObject {
    @MagicValue var name: String = SecrecyTests.marker
    @MagicValue var secret: Secret

    init() {}
    init(_ secret: Secret) { self.secret = secret }
  }

  struct Unset: MagicObject {
    @MagicValue var name: String = SecrecyTests.marker
    @MagicValue var other: String
  }

  enum Narrowed {
    struct Secret: MagicObject {
      @MagicValue var id: Int = 0
      @MagicValue var required: Data
    }
  }

  enum Failing {
    struct Holder: MagicObject {
      static var migrations: Migrations {
        Migrations {
          MigrationStep {
            [
              .transformValue(name: "name") { (name: String) -> String in
                throw MagicalError.cannotEncode("this text has no other form")
              }
            ]
          }
        }
      }
      @MagicValue var name: String
      @MagicValue var secret: Secret
    }
  }

  enum Twins {
    struct Holder: MagicObject {
      @MagicValue(.unique) var name: String
      @MagicValue var secret: Secret
    }
  }

  /// A database in which every value contains the marker.
  struct Archive: Sendable {
    let scratch: Scratch
    let magic: MagicData
    let log = Recorder<String>()

    init(_ options: MagicOptions = .init()) async throws {
      scratch = Scratch()
      var options = options
      options.logger = log.logger(withMetadata: true)
      options.busyTimeout = 0.05
      magic = try await MagicData(path: scratch.file(), options: options)
      try await magic.update(contentsOf: [Secret(1), Secret(2)])
      let needed = Secret(3)
      needed.id = "\(SecrecyTests.marker) needed"
      try await magic.update(contentsOf: [Holder(needed), Holder(Secret(1))])
    }

    var secret: Secret {
      get async throws {
        try await magic.object(of: Secret.self, primary: "\(SecrecyTests.marker) 1")
      }
    }

    /// Stores the value of an SQL expression in a column, and fetches the row.
    func fetch(_ column: String, _ expression: String) async throws {
      let raw = try scratch.raw()
      try raw.execute("UPDATE Secret SET \(column) = \(expression)")
      raw.close()
      _ = try await secret
    }
  }
}

extension SecrecyTests.Archive {
  /// Closes the database, and opens it again for the duration of the body.
  func reopened(_ body: (MagicData) async throws -> Void) async throws {
    await magic.close()
    let again = try await MagicData(
      path: scratch.file(), options: MagicOptions(logger: log.logger(withMetadata: true)))
    do {
      try await body(again)
      await again.close()
    } catch {
      await again.close()
      throw error
    }
  }
}
