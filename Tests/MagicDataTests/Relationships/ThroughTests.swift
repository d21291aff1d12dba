import EngineConformance
import MagicData
import MagicTestSupport
import Testing

/// Collections whose join rows are objects: reading and queries.
@Suite(.everyEngine) struct ThroughTests {
  let scratch = Scratch()

  private typealias Exercise = Through.Exercise
  private typealias Workout = Through.Workout
  private typealias Step = Through.Step
  private typealias Person = Through.Person

  /// A database with three exercises and two workouts, whose join objects were inserted.
  private func gym() async throws -> MagicData {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let exercises = ["squat", "bench", "row"].map(Exercise.init)
    let (legs, all) = (Workout("legs"), Workout("all"))
    try await magic.update(contentsOf: exercises)
    try await magic.update(contentsOf: [legs, all, Workout("rest")])
    try await magic.update(contentsOf: [
      Step(legs, exercises[0], at: 1, note: "slow"), Step(all, exercises[2], at: 3),
      Step(all, exercises[0], at: 1), Step(all, exercises[1], at: 2),
      Step(legs, exercises[0], at: 0),
    ])
    return magic
  }

  private func names(_ title: String, in magic: MagicData) async throws -> [String] {
    try await magic.object(of: Workout.self, primary: title).exercises.map(\.name)
  }

  @Test func membersAreFetchedInTheOrderOfTheJoinObjects() async throws {
    let magic = try await gym()
    #expect(try await names("legs", in: magic) == ["squat", "squat"])
    #expect(try await names("all", in: magic) == ["squat", "bench", "row"])
    #expect(try await names("rest", in: magic) == [])
    let workouts = try await magic.object(of: Workout.self)
    #expect(
      workouts.map { $0.exercises.map(\.name) } == [
        ["squat", "squat"], ["squat", "bench", "row"], [],
      ])
    // A join object refers to a workout, which has its exercises.
    let steps = try await magic.query(Step.self).order(by: \.$position).all()
    #expect(steps.last?.workout.exercises.map(\.name) == ["squat", "bench", "row"])
    #expect(steps.last?.workout.exercises[2].isSameRow(as: steps[4].exercise) == true)
    try scratch.expectWhole()
  }

  @Test func aTypeWithoutJoinObjectsHasNoMembers() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Exercise("squat"))
    let exercise = try await magic.object(of: Exercise.self, primary: "squat")
    #expect(try await exercise.workouts.count == 0)
    #expect(try await magic.query(Workout.self).where { $0.$exercises.isEmpty }.count() == 0)
    let workout = Workout("new")
    #expect(workout.exercises.isEmpty)
    try await magic.update(workout)
    #expect(try await names("new", in: magic) == [])
    #expect(try await magic.query(Workout.self).where { $0.$exercises.count == 0 }.count() == 1)
  }

  @Test func queriesReachThroughTheJoinObjects() async throws {
    let magic = try await gym()
    func titles(
      _ condition: (MagicRow<Workout>) -> MagicPredicate<Workout>
    ) async throws -> [String] {
      try await magic.query(Workout.self).where(condition).all().map(\.title)
    }
    #expect(try await titles { $0.$exercises.count == 2 } == ["legs"])
    #expect(try await titles { $0.$exercises.isEmpty } == ["rest"])
    #expect(try await titles { $0.$exercises.contains { $0.$name == "row" } } == ["all"])
    let squat = try await magic.object(of: Exercise.self, primary: "squat")
    #expect(try await titles { $0.$exercises.contains(squat) } == ["legs", "all"])
    #expect(
      try await magic.query(Exercise.self).where { $0.$workouts.count == 2 }.all().map(\.name)
        == ["squat"])
    #expect(
      try await magic.query(Step.self).where { $0.$workout.$exercises.count == 3 }.count() == 3)
  }

  @Test func theInverseIsFound() async throws {
    let magic = try await gym()
    let squat = try await magic.object(of: Exercise.self, primary: "squat")
    var titles: [String] = []
    for try await workout in squat.workouts { titles.append(workout.title) }
    #expect(titles == ["legs", "all"])
    #expect(try await squat.workouts.count == 2)
  }

  @Test func relationshipsOfATypeToItselfAreFetchedCompletely() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let people = (0..<6).map { Person("\($0)") }
    for index in 0..<6 { people[index].friends = [people[(index + 1) % 6], people[0]] }
    try await magic.update(people[0])
    let first = try await magic.object(of: Person.self, primary: "0")
    #expect(first.friends.map(\.name) == ["1", "0"])
    #expect(first.friends[0].friends[0].friends.map(\.name) == ["3", "0"])
    #expect(try await magic.query(Through.Friendship.self).count() == 12)
  }

  @Test func joinObjectsWithoutOwnerOrMemberAreNoMembers() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (student, course) = (Through.Student("a"), Through.Course("x"))
    try await magic.update(student)
    try await magic.update(course)
    for (owner, member) in [(true, true), (true, true), (true, false), (false, true)] {
      let enrolment = Through.Enrolment()
      if owner { enrolment.student = AsyncMagical(value: student) }
      if member { enrolment.course = course }
      try await magic.update(enrolment)
    }
    let fetched = try await magic.object(of: Through.Student.self, primary: "a")
    #expect(fetched.courses.map(\.name) == ["x"])
    #expect(
      try await magic.query(Through.Student.self).where { $0.$courses.count == 1 }.count() == 1)
    // A list has a member for each join object.
    let students = try await magic.object(of: Through.Course.self, primary: "x").students
    #expect(try await students.get().map(\.name) == ["a", "a"])
    #expect(try await students.count == 2)
    #expect(try await students.contains(student))
  }

  @Test func lazyMembersAreStreamedInOrder() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (queue, other) = (Through.Queue("a"), Through.Queue("b"))
    let people = (0..<1100).map { Person("\($0)") }
    queue.people = AsyncMagical(value: people.reversed())
    other.people = AsyncMagical(value: [people[3]])
    try await magic.update(queue)
    try await magic.update(other)
    let fetched = try await magic.object(of: Through.Queue.self, primary: "a")
    var names: [String] = []
    for try await person in try fetched.people.createAsyncStream() { names.append(person.name) }
    #expect(names == (0..<1100).reversed().map(String.init))
    #expect(try await fetched.people.count == 1100)
    let included = try await magic.query(Through.Queue.self).including(\.$people).all()
    #expect(try await included[1].people.get().map(\.name) == ["3"])
  }
}
