import MagicInspection

/// The objects that were visited before this one. They are parameters of the address, so that a
/// link contains them, and the page needs no state.
struct Trail {
  /// The parameters for links to other objects.
  let next: [Link.Parameter]
  private let steps: [(type: InspectedType, rowID: Int64)]

  private static let limit = 5

  init(_ request: PageRequest, current: InspectedType, rowID: Int64) {
    steps = request.link.parameters.filter { $0.name == "via" }.suffix(Self.limit).compactMap {
      Self.step($0.value, request.database)
    }
    let all = steps + [(current, rowID)]
    next = all.suffix(Self.limit).map { Link.Parameter("via", "\($0.type.table)/\($0.rowID)") }
  }

  private static func step(
    _ text: String, _ database: InspectedDatabase
  ) -> (type: InspectedType, rowID: Int64)? {
    guard let slash = text.lastIndex(of: "/"), let rowID = Int64(text[text.index(after: slash)...]),
      let type = database.type(ofTable: String(text[..<slash]))
    else { return nil }
    return (type, rowID)
  }

  /// The way to the object: its type, and the objects before it.
  func html(_ request: PageRequest, type: InspectedType) throws -> HTML {
    try HTML(.nav, [.named("trail"), HTMLAttribute(.label, "Where you came from")]) {
      try HTML(.ol) {
        HTML(.li) {
          HTML(.a, [.href(.rows((steps.first?.type ?? type).table))]) {
            InspectedText.line((steps.first?.type ?? type).name)
          }
        }
        for (index, step) in steps.enumerated() {
          let reference = try request.reader.reference(to: step.rowID, of: step.type)
          let trail = steps[..<index].map {
            Link.Parameter("via", "\($0.type.table)/\($0.rowID)")
          }
          HTML(.li) {
            HTML(
              .a,
              [
                .href(.object(step.type.table, step.rowID, trail: trail)),
                HTMLAttribute(.dir, "auto"),
              ]
            ) { InspectedText.line(reference.text, limit: 30) }
          }
        }
      }
    }
  }
}
