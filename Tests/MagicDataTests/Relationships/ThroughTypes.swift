import Foundation
import MagicData

/// Types with relationships through a join type. Each has its own table.
enum Through {
  struct Exercise: MagicObject {
    @PrimaryMagicValue var name: String
    @ReverseMagicValue(\Workout.$exercises) var workouts: AsyncReverseMagicSet<Workout>

    init() {}
    init(_ name: String) { self.name = name }
  }

  struct Workout: MagicObject {
    @PrimaryMagicValue var title: String
    @MagicThrough(\Step.$workout, \Step.$exercise, orderedBy: \.$position)
    var exercises: [Exercise]
    @MagicValue var minutes: Int = 0

    init() {}
    init(_ title: String, _ exercises: [Exercise]? = nil) {
      self.title = title
      if let exercises { self.exercises = exercises }
    }
  }

  struct Step: MagicObject {
    @PrimaryMagicValue var id: UUID = UUID()
    @MagicValue(.onDelete(.cascade)) var workout: Workout
    @MagicValue(.onDelete(.cascade)) var exercise: Exercise
    @MagicValue var position: Int = 0
    @OptionMagicValue var note: String?
    @MagicVersion var version: Int

    init() {}
    init(_ workout: Workout, _ exercise: Exercise, at position: Int, note: String? = nil) {
      self.workout = workout
      self.exercise = exercise
      self.position = position
      self.note = note
    }
  }

  /// Both sides declare the relationship, one of them lazily. The to-ones are lazy and optional.
  struct Student: MagicObject {
    @PrimaryMagicValue var name: String
    @MagicThrough(\Enrolment.$student, \Enrolment.$course) var courses: MagicalSet<Course>

    init() {}
    init(_ name: String) { self.name = name }
  }

  struct Course: MagicObject {
    @PrimaryMagicValue var name: String
    @MagicThrough(\Enrolment.$course, \Enrolment.$student) var students: AsyncMagical<[Student]>

    init() {}
    init(_ name: String) { self.name = name }
  }

  struct Enrolment: MagicObject {
    @OptionMagicValue(.onDelete(.cascade)) var student: AsyncMagical<Student>?
    @OptionMagicValue(.onDelete(.cascade)) var course: Course?
    @MagicValue var grade: Int = 0

    init() {}
  }

  /// A relationship of a type to itself, whose members are fetched with their owner.
  struct Person: MagicObject {
    @PrimaryMagicValue var name: String
    @MagicThrough(\Friendship.$from, \Friendship.$to) var friends: [Person]

    init() {}
    init(_ name: String) { self.name = name }
  }

  struct Friendship: MagicObject {
    @MagicValue(.onDelete(.cascade)) var from: Person
    @MagicValue(.onDelete(.cascade)) var to: Person

    init() {}
  }

  /// A join type whose objects cannot be created with default values.
  struct Poll: MagicObject {
    @MagicThrough(\Vote.$poll, \Vote.$person) var voters: [Person]

    init() {}
  }

  struct Vote: MagicObject {
    @MagicValue(.onDelete(.cascade)) var poll: Poll
    @MagicValue(.onDelete(.cascade)) var person: Person
    @MagicValue var answer: String

    init() {}
  }

  /// A lazy list with an order, whose join objects are unique.
  struct Queue: MagicObject {
    @PrimaryMagicValue var name: String
    @MagicThrough(\Seat.$queue, \Seat.$person, orderedBy: \.$number)
    var people: AsyncMagical<[Person]>

    init() {}
    init(_ name: String) { self.name = name }
  }

  struct Seat: MagicObject {
    static var indexes: [MagicIndex<Self>] { [MagicIndex(\.$queue, \.$number, isUnique: true)] }

    @MagicValue(.onDelete(.cascade)) var queue: Queue
    @MagicValue(.onDelete(.cascade)) var person: Person
    @MagicValue var number: Int = 0

    init() {}
  }
}
