import Workloads

extension Work {
  /// The same work with the first half of its objects; nil for a work on all stored objects.
  var half: Work? {
    switch self {
    case .insertPeople(let people): .insertPeople(people.firstHalf)
    case .savePeople(let people, let tasks): .savePeople(people.firstHalf, tasks: tasks)
    case .lookUpPeople(let ids): .lookUpPeople(ids.firstHalf)
    case .lookUpUnreadPeople(let ids): .lookUpUnreadPeople(ids.firstHalf)
    case .filterResidents(let ages): .filterResidents(ages: ages.firstHalf)
    case .changePeople(let people): .changePeople(people.firstHalf)
    case .replacePeople(let people): .replacePeople(people.firstHalf)
    case .insertTeams(let teams): .insertTeams(teams.firstHalf)
    case .lookUpTeams(let ids): .lookUpTeams(ofMembers: ids.firstHalf)
    case .fetchClosures(let ids): .fetchClosures(ids.firstHalf)
    case .countDependents(let ids): .countDependents(ids.firstHalf)
    default: nil
    }
  }
}

extension Array {
  fileprivate var firstHalf: Array { Array(prefix(count / 2)) }
}

extension Workload {
  /// The works with half of the operations, and with all.
  func halves(people: Int) -> (few: Steps, many: Steps) {
    let many = steps(count: people)
    guard let half = many.measured.half else { return (steps(count: people / 2), many) }
    var few = many
    few.measured = half
    few.operations /= 2
    return (few, many)
  }
}
