import EngineConformance
import MagicData
import MagicTestSupport
import Testing

/// Saving collections whose join rows are objects.
@Suite(.everyEngine) struct ThroughSavingTests {
  let scratch = Scratch()

  private typealias Exercise = Through.Exercise
  private typealias Workout = Through.Workout
  private typealias Step = Through.Step
  private typealias Person = Through.Person

  private func exercises(_ names: String...) -> [Exercise] { names.map(Exercise.init) }

  private func names(_ title: String, in magic: MagicData) async throws -> [String] {
    try await magic.object(of: Workout.self, primary: title).exercises.map(\.name)
  }

  /// The join objects of a workout in their order: row ID, exercise and position.
  private func steps(_ title: String, in magic: MagicData) async throws -> [String] {
    try await magic.query(Step.self).where { $0.$workout.$title == title }
      .order(by: \.$position).all()
      .map { "\($0.zIndex?.rawValue ?? 0):\($0.exercise.name)@\($0.position)" }
  }

  @Test func membersOfANewOwnerAreInsertedInOrder() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let workout = Workout("w", exercises("a", "b", "c"))
    try await magic.update(workout)
    #expect(try await steps("w", in: magic) == ["1:a@0", "2:b@1", "3:c@2"])
    #expect(try await names("w", in: magic) == ["a", "b", "c"])
    let ids = try await magic.object(of: Step.self).map(\.id)
    #expect(Set(ids).count == 3)
    try scratch.expectWhole()
  }

  @Test func onlyDifferencesAreWritten() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let workout = Workout("w", exercises("a", "b", "c", "d"))
    try await magic.update(workout)
    workout.exercises.append(Exercise("e"))
    try await magic.update(workout)
    #expect(try await steps("w", in: magic) == ["1:a@0", "2:b@1", "3:c@2", "4:d@3", "5:e@4"])
    workout.exercises.remove(at: 1)
    try await magic.update(workout)
    #expect(try await steps("w", in: magic) == ["1:a@0", "3:c@2", "4:d@3", "5:e@4"])
    // There is room for one member between the first two.
    workout.exercises.insert(Exercise("f"), at: 1)
    try await magic.update(workout)
    #expect(
      try await steps("w", in: magic) == ["1:a@0", "6:f@1", "3:c@2", "4:d@3", "5:e@4"])
    // The last one moves to the front, and only its join object changes.
    let versions = try await magic.query(Step.self).all().map(\.version)
    workout.exercises.insert(workout.exercises.removeLast(), at: 0)
    try await magic.update(workout)
    #expect(
      try await steps("w", in: magic) == ["5:e@-1", "1:a@0", "6:f@1", "3:c@2", "4:d@3"])
    let changed = zip(versions, try await magic.query(Step.self).all().map(\.version))
    #expect(changed.filter { $0 != $1 }.count == 1)
    // The following ones make room.
    workout.exercises.insert(Exercise("g"), at: 2)
    try await magic.update(workout)
    #expect(
      try await steps("w", in: magic)
        == ["5:e@-1", "1:a@0", "7:g@1", "6:f@2", "3:c@3", "4:d@4"])
    #expect(try await names("w", in: magic) == ["e", "a", "g", "f", "c", "d"])
    workout.exercises = []
    try await magic.update(workout)
    #expect(try await steps("w", in: magic) == [])
    #expect(try await magic.query(Exercise.self).count() == 7)
    try scratch.expectWhole()
  }

  @Test func otherPropertiesOfJoinObjectsAreKept() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Workout("w", exercises("a", "b", "a")))
    for step in try await magic.object(of: Step.self) {
      step.note = "note \(step.position)"
      try await magic.update(step)
    }
    let workout = try await magic.object(of: Workout.self, primary: "w")
    workout.exercises.swapAt(0, 1)
    workout.exercises.removeLast()
    workout.exercises.append(Exercise("c"))
    try await magic.update(workout)
    let steps = try await magic.query(Step.self).order(by: \.$position).all()
    #expect(steps.map { $0.note ?? "none" } == ["note 1", "note 0", "none"])
    #expect(steps.map(\.exercise.name) == ["b", "a", "c"])
  }

  @Test func anUnchangedCollectionWritesNothing() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Workout("w", exercises("a", "b")))
    let fetched = try await magic.object(of: Workout.self, primary: "w")
    // Another instance empties the list.
    let other = try await magic.object(of: Workout.self, primary: "w")
    other.exercises = []
    try await magic.update(other)
    fetched.minutes = 5
    try await magic.update(fetched)
    #expect(try await names("w", in: magic) == [])
    // A new object with the primary of a stored one has not set the collection either.
    other.exercises = exercises("c")
    try await magic.update(other)
    try await magic.update(Workout("w"))
    #expect(try await names("w", in: magic) == ["c"])
    try await magic.update(Workout("w", exercises("d", "c")))
    #expect(try await names("w", in: magic) == ["d", "c"])
    #expect(try await magic.query(Step.self).count() == 2)
    try await magic.update(Workout("w", []))
    #expect(try await names("w", in: magic) == [])
  }

  @Test func twoInstancesChangeTheCollection() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Workout("w", exercises("a", "b", "c")))
    let one = try await magic.object(of: Workout.self, primary: "w")
    let two = try await magic.object(of: Workout.self, primary: "w")
    one.exercises.append(Exercise("d"))
    one.exercises.removeFirst()
    two.exercises.append(Exercise("e"))
    two.exercises.insert(Exercise("f"), at: 1)
    try await magic.update(one)
    try await magic.update(two)
    #expect(try await names("w", in: magic) == ["f", "b", "c", "d", "e"])
    // The join object of a member that both remove is deleted once.
    one.exercises.removeFirst()
    two.exercises.remove(at: 2)
    try await magic.update(one)
    try await magic.update(two)
    #expect(try await names("w", in: magic) == ["f", "c", "d", "e"])
  }

  @Test func aMovedMemberThatAnotherInstanceHasRemovedIsInsertedAgain() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Workout("w", exercises("a", "b", "c")))
    let one = try await magic.object(of: Workout.self, primary: "w")
    let two = try await magic.object(of: Workout.self, primary: "w")
    one.exercises.removeFirst()
    two.exercises.append(two.exercises.removeFirst())
    try await magic.update(one)
    try await magic.update(two)
    #expect(try await names("w", in: magic) == ["b", "c", "a"])
  }

  @Test func aFailedSaveRestoresTheObjects() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let workout = Workout("w", exercises("a"))
    try await magic.update(workout)
    struct Failure: Error {}
    workout.exercises.append(Exercise("b"))
    await #expect(throws: Failure.self) {
      try await magic.transaction { transaction in
        try transaction.update(workout)
        throw Failure()
      }
    }
    #expect(try await names("w", in: magic) == ["a"])
    #expect(workout.exercises[1].zIndex == nil)
    try await magic.update(workout)
    #expect(try await names("w", in: magic) == ["a", "b"])
    #expect(try await magic.query(Step.self).count() == 2)
  }

  @Test func aJoinTypeWithoutDefaultsRefusesMembers() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let poll = Through.Poll()
    try await magic.update(poll)
    poll.voters = [Person("a")]
    let error = await #expect(throws: MagicError.self) { try await magic.update(poll) }
    #expect(error?.code == .missingValue)
    #expect(error?.type == "Vote")
    #expect(error?.property == "answer")
    #expect(try await magic.query(Person.self).count() == 0)
    #expect(try await magic.query(Through.Vote.self).count() == 0)
  }

  @Test func deleteRulesOfTheJoinTypeDecide() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let workout = Workout("w", exercises("a", "b"))
    try await magic.update(workout)
    try await magic.remove(workout.exercises[0])
    #expect(try await names("w", in: magic) == ["b"])
    // A removed member is skipped, and not inserted again.
    workout.minutes = 1
    try await magic.update(workout)
    #expect(try await names("w", in: magic) == ["b"])
    try await magic.remove(workout)
    #expect(try await magic.query(Step.self).count() == 0)
    #expect(try await magic.query(Exercise.self).count() == 1)
    try scratch.expectWhole()
  }

  @Test func aMemberThatAnotherWriterHasDeletedIsDropped() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(contentsOf: exercises("a", "b"))
    let workout = Workout("w")
    try await magic.update(workout)
    workout.exercises = try await magic.object(of: Exercise.self)
    try await magic.query(Exercise.self).where(\.$name == "a").delete()
    try await magic.update(workout)
    #expect(workout.exercises.map(\.name) == ["b"])
    #expect(try await names("w", in: magic) == ["b"])
    workout.exercises.append(Exercise("c"))
    try await magic.update(workout)
    #expect(try await names("w", in: magic) == ["b", "c"])
  }

  @Test func setsHaveEachMemberOnce() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let student = Through.Student("s")
    let courses = ["x", "y"].map(Through.Course.init)
    student.courses.insert(contentsOf: courses)
    try await magic.update(student)
    #expect(try await magic.query(Through.Enrolment.self).count() == 2)
    // Another instance inserts the same member.
    let one = try await magic.object(of: Through.Student.self, primary: "s")
    let two = try await magic.object(of: Through.Student.self, primary: "s")
    let z = Through.Course("z")
    try await magic.update(z)
    one.courses.insert(z)
    two.courses.insert(z)
    try await magic.update(one)
    try await magic.update(two)
    #expect(try await magic.query(Through.Enrolment.self).count() == 3)
    // All join objects of a removed member are deleted.
    let double = Through.Enrolment()
    double.student = AsyncMagical(value: student)
    double.course = z
    try await magic.update(double)
    two.courses.remove(z)
    try await magic.update(two)
    let names = try await magic.object(of: Through.Student.self, primary: "s").courses.map(\.name)
    #expect(names == ["x", "y"])
    #expect(try await magic.query(Through.Enrolment.self).count() == 2)
  }

  @Test func lazyListsAreEditedWithoutLoading() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let people = (0..<5).map { Person("\($0)") }
    try await magic.update(contentsOf: people)
    let queue = Through.Queue("q")
    try await magic.update(queue)
    #expect(try await queue.people.get().isEmpty)
    queue.people.set(Array(people[..<3]))
    try await magic.update(queue)
    let fetched = try await magic.object(of: Through.Queue.self, primary: "q")
    fetched.people.append(people[3])
    fetched.people.remove(people[0])
    fetched.people.append(people[4])
    try await magic.update(fetched)
    #expect(try await fetched.people.get().map(\.name) == ["1", "2", "3", "4"])
    #expect(try await magic.object(of: Through.Seat.self).map(\.number) == [1, 2, 3, 4])
    // The order is unique, also while the members move.
    fetched.people.set([people[3], people[0], people[1], people[2], people[4]])
    try await magic.update(fetched)
    #expect(try await fetched.people.get().map(\.name) == ["3", "0", "1", "2", "4"])
    fetched.people.removeAll { $0.$name < "3" }
    fetched.people.append(people[1])
    try await magic.update(fetched)
    #expect(try await fetched.people.get().map(\.name) == ["3", "4", "1"])
    #expect(try await magic.object(of: Through.Seat.self).count == 3)
    fetched.people.append(people[0])
    fetched.people.removeAll()
    fetched.people.append(people[2])
    #expect(try await fetched.people.get().map(\.name) == ["2"])
    try await magic.update(fetched)
    #expect(try await fetched.people.get().map(\.name) == ["2"])
    #expect(try await magic.object(of: Through.Seat.self).count == 1)
    try scratch.expectWhole()
  }
}
