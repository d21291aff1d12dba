import EngineConformance
import MagicData
import MagicTestSupport
import Testing

/// Declarations of relationships through a join type.
@Suite(.everyEngine) struct ThroughSchemaTests {
  let scratch = Scratch()

  enum Wrong {
    struct Label: MagicObject {
      @MagicValue var text: String = ""
      init() {}
    }

    struct Link: MagicObject {
      @MagicValue var box: Box
      @MagicValue var label: Label
      @MagicValue var count: Int = 0
      @MagicVersion var version: Int
      init() {}
    }

    struct Box: MagicObject {
      @MagicValue var name: String = ""
      init() {}
    }

    struct NoToOne: MagicObject {
      @MagicThrough(\Link.$count, \Link.$label) var labels: [Label]
      init() {}
    }

    struct NoMember: MagicObject {
      @MagicThrough(\Link.$box, \Link.$count) var labels: [Label]
      init() {}
    }

    struct OtherOwner: MagicObject {
      @MagicThrough(\Link.$box, \Link.$label) var labels: [Label]
      init() {}
    }

    struct OtherMember: MagicObject {
      @MagicThrough(\Arc.$from, \Arc.$label) var boxes: [Box]
      init() {}
    }

    struct Arc: MagicObject {
      @MagicValue var from: OtherMember
      @MagicValue var label: Label
      init() {}
    }

    struct SameToOne: MagicObject {
      @MagicThrough(\Loop.$owner, \Loop.$owner) var all: [SameToOne]
      init() {}
    }

    struct Loop: MagicObject {
      @MagicValue var owner: SameToOne
      init() {}
    }

    struct VersionOrder: MagicObject {
      @MagicThrough(\Tie.$owner, \Tie.$label, orderedBy: \.$version) var labels: [Label]
      init() {}
    }

    struct Tie: MagicObject {
      @MagicValue var owner: VersionOrder
      @MagicValue var label: Label
      @MagicVersion var version: Int
      init() {}
    }
  }

  private func refusal<Model: MagicObject>(of type: Model.Type) async throws -> String {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let error = await #expect(throws: MagicError.self) { try await magic.update(Model()) }
    #expect(error?.code == .invalidSchema)
    await magic.close()
    return error?.message ?? ""
  }

  @Test func unsuitableKeyPathsAreRefused() async throws {
    #expect(try await refusal(of: Wrong.NoToOne.self).contains("first key path"))
    #expect(try await refusal(of: Wrong.NoMember.self).contains("second key path"))
    #expect(try await refusal(of: Wrong.OtherOwner.self).contains("objects of Box"))
    #expect(try await refusal(of: Wrong.OtherMember.self).contains("objects of Label"))
    #expect(try await refusal(of: Wrong.SameToOne.self).contains("same to-one"))
    #expect(try await refusal(of: Wrong.VersionOrder.self).contains("order"))
  }

  enum First {
    struct Album: MagicObject {
      @PrimaryMagicValue var name: String
      init() {}
    }

    struct Credit: MagicObject {
      @MagicValue(.onDelete(.cascade)) var album: Album
      @MagicValue(.onDelete(.cascade)) var artist: Artist
      init() {}
    }

    struct Artist: MagicObject {
      @PrimaryMagicValue var name: String
      init() {}
    }
  }

  /// The same tables with a relationship, and an order that the table does not have yet.
  enum Second {
    struct Album: MagicObject {
      @PrimaryMagicValue var name: String
      @MagicThrough(\Credit.$album, \Credit.$artist, orderedBy: \.$place) var artists: [Artist]
      init() {}
    }

    struct Credit: MagicObject {
      @MagicValue(.onDelete(.cascade)) var album: Album
      @MagicValue(.onDelete(.cascade)) var artist: Artist
      @MagicValue var place: Int = 7
      init() {}
    }

    struct Artist: MagicObject {
      @PrimaryMagicValue var name: String
      init() {}
    }
  }

  @Test(.requires(.files)) func theRelationshipIsAddedAndRemovedWithoutAMigration() async throws {
    var magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (album, artist) = (First.Album(), First.Artist())
    (album.name, artist.name) = ("a", "x")
    let credit = First.Credit()
    (credit.album, credit.artist) = (album, artist)
    try await magic.update(credit)
    await magic.close()

    magic = try await MagicData.onTestedEngine(path: scratch.file())
    // The table of the join type gets its new column when the relationship is first read.
    let later = try await magic.object(of: Second.Album.self, primary: "a")
    #expect(later.artists.map(\.name) == ["x"])
    let other = Second.Artist()
    other.name = "y"
    later.artists.append(other)
    try await magic.update(later)
    #expect(try await magic.object(of: Second.Credit.self).map(\.place) == [7, 8])
    #expect(try await magic.verify().findings == [])
    await magic.close()

    magic = try await MagicData.onTestedEngine(path: scratch.file())
    #expect(try await magic.object(of: First.Album.self).count == 1)
    await magic.close()
    try scratch.expectWhole()
  }

  @Test(.requires(.files)) func aReadOnlyFileWithoutTheJoinTypeHasNoMembers() async throws {
    var magic = try await MagicData.onTestedEngine(path: scratch.file())
    let album = First.Album()
    album.name = "a"
    try await magic.update(album)
    await magic.close()
    let options = MagicOptions(readOnly: true)
    magic = try await MagicData.onTestedEngine(path: scratch.file(), options: options)
    let later = try await magic.object(of: Second.Album.self, primary: "a")
    #expect(later.artists.isEmpty)
    #expect(
      try await magic.query(Second.Album.self).where { $0.$artists.isEmpty }.count() == 1)
    #expect(later.debugDescription.contains("artists: 0 Artist"))
    await magic.close()
  }

  @Test(.requires(.files)) func aReadOnlyFileWithoutTheOrderIsRefused() async throws {
    var magic = try await MagicData.onTestedEngine(path: scratch.file())
    let credit = First.Credit()
    (credit.album, credit.artist) = (First.Album(), First.Artist())
    (credit.album.name, credit.artist.name) = ("a", "x")
    try await magic.update(credit)
    await magic.close()
    magic = try await MagicData.onTestedEngine(
      path: scratch.file(), options: MagicOptions(readOnly: true))
    let database = magic
    let error = await #expect(throws: MagicError.self) {
      try await database.object(of: Second.Album.self)
    }
    #expect(error?.code == .needsMigration)
    #expect(error?.property == "place")
    await magic.close()
    magic = try await MagicData.onTestedEngine(path: scratch.file())
    let plan = try await magic.migrate(Second.Album.self)
    #expect(plan.description.contains("place"))
    #expect(try await magic.object(of: Second.Album.self)[0].artists.map(\.name) == ["x"])
    await magic.close()
  }

  @Test func aCopyHasJoinObjectsOfItsOwn() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let workout = Through.Workout("w", ["a", "b"].map(Through.Exercise.init))
    try await magic.update(workout)
    let copy = workout.copy()
    copy.title = "v"
    try await magic.update(copy)
    #expect(try await magic.query(Through.Step.self).count() == 4)
    let fetched = try await magic.object(of: Through.Workout.self, primary: "v")
    #expect(fetched.exercises.map(\.name) == ["a", "b"])
  }

  @Test func anObjectIsSavedToAnotherDatabaseWithItsMembers() async throws {
    let (one, two) = (
      try await MagicData.onTestedEngine(type: .temporary),
      try await MagicData.onTestedEngine(type: .temporary)
    )
    try await one.update(Through.Workout("w", ["a", "b"].map(Through.Exercise.init)))
    let fetched = try await one.object(of: Through.Workout.self, primary: "w")
    try await two.update(fetched)
    #expect(
      try await two.object(of: Through.Workout.self, primary: "w").exercises.map(\.name)
        == ["a", "b"])
    #expect(try await two.query(Through.Step.self).count() == 2)
  }

  @Test func aRefreshReadsTheMembersAgain() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Through.Workout("w", ["a", "b"].map(Through.Exercise.init)))
    let one = try await magic.object(of: Through.Workout.self, primary: "w")
    let two = try await magic.object(of: Through.Workout.self, primary: "w")
    two.exercises.removeFirst()
    try await magic.update(two)
    try await magic.refresh(one)
    #expect(one.exercises.map(\.name) == ["b"])
    one.exercises.insert(Through.Exercise("c"), at: 0)
    try await magic.update(one)
    one.exercises.removeLast()
    one.revert()
    #expect(one.exercises.map(\.name) == ["c", "b"])
    try await magic.update(one)
    #expect(try await magic.query(Through.Step.self).count() == 2)
  }

  @Test func rolledBackRemovalsAreMadeAgain() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let workout = Through.Workout("w", ["a", "b"].map(Through.Exercise.init))
    try await magic.update(workout)
    workout.exercises.removeFirst()
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await magic.transaction { transaction in
        try transaction.update(workout)
        workout.exercises.append(Through.Exercise("c"))
        try transaction.update(workout)
        throw Failure()
      }
    }
    try await magic.update(workout)
    let steps = try await magic.query(Through.Step.self).order(by: \.$position).all()
    #expect(steps.map(\.exercise.name) == ["b", "c"])
  }
}
