import MagicData
import Testing

/// The examples about relationships through a join type.
@Suite struct DocumentedJoinTypes {
  @Test func joinObjectsAreSavedWithTheirOwner() async throws {
    let magic = try await MagicData(type: .temporary)

    let workout = Workout()
    workout.title = "Legs"
    workout.exercises = [Exercise(name: "Squat"), Exercise(name: "Lunge")]
    try await magic.update(workout)  // five rows: two of them are join objects

    let entries = try await magic.query(WorkoutEntry.self).order(by: \.$position).all()
    entries[1].note = "slowly"
    try await magic.update(entries[1])

    workout.exercises.append(Exercise(name: "Step-up"))
    workout.exercises.swapAt(0, 1)
    try await magic.update(workout)  // the note is kept

    let withLunges = try await magic.query(Workout.self)
      .where { $0.$exercises.contains { $0.$name == "Lunge" } }
      .all()

    #expect(withLunges.map { $0.exercises.map(\.name) } == [["Lunge", "Squat", "Step-up"]])
    let notes = try await magic.query(WorkoutEntry.self).order(by: \.$position).all().map(\.note)
    #expect(notes == ["slowly", nil, nil])
    #expect(try await workout.exercises[0].workouts.count == 1)
    await magic.close()
  }
}
