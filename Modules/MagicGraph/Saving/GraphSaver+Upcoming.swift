import MagicSchema

extension GraphSaver {
  /// Adds the objects that are visited next, in their order.
  func addUpcoming(to upcoming: inout UpcomingObjects) throws {
    if let leaves { try upcoming.add(leaves.objects, from: leaves.next) }
    if let owner { try upcoming.addMembers(of: owner.object, from: owner.next) }
    for frame in frames.reversed() {
      if upcoming.isFull { return }
      try upcoming.add(frame.object, frame.holder)
    }
    for case .objects(let objects, let index, _) in queue.reversed() {
      if upcoming.isFull { return }
      try upcoming.add(objects, from: index)
    }
  }
}
