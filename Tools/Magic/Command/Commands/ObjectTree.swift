import MagicInspection

/// Reads an object, the objects that it refers to, and so on to a depth. Each object is expanded
/// once, so that cycles end.
final class ObjectTree {
  private let reader: any DatabaseReading
  private let database: InspectedDatabase
  private let memberLimit: Int
  private var expanded: Set<String> = []
  /// How many more objects are expanded.
  private var remaining = 2_000

  init(reader: any DatabaseReading, database: InspectedDatabase, memberLimit: Int) {
    self.reader = reader
    self.database = database
    self.memberLimit = memberLimit
  }

  /// An object as a node of the tree.
  struct Node {
    let reference: InspectedReference
    let typeName: String
    /// Nil for an object that is only named.
    let content: Content?

    struct Content {
      let values: [(name: String, value: InspectedValue, form: InspectedForm)]
      let links: [Link]
    }
  }

  /// A relationship, with some of its members.
  struct Link {
    let name: String
    let form: InspectedForm
    let keyForm: InspectedForm?
    let count: Int
    let members: [Node]
    /// Whether the objects have the relationship, and this one is a member.
    let isReferrer: Bool
  }

  func node(_ rowID: Int64, of type: InspectedType, depth: Int) throws -> Node {
    let reference = try reader.reference(to: rowID, of: type, key: nil)
    return try node(reference, type, depth: depth, isRoot: true)
  }

  private func node(
    _ reference: InspectedReference, _ type: InspectedType, depth: Int, isRoot: Bool = false
  ) throws -> Node {
    let isNew = expanded.insert("\(reference.rowID) \(reference.table)").inserted
    guard depth > 0, reference.exists, isNew, remaining > 0 else {
      return Node(reference: reference, typeName: type.name, content: nil)
    }
    remaining -= 1
    let object = try InspectedObject(reference.rowID, of: type, in: database, reader)
    let values = zip(type.columns, object.row.values).filter { $0.0.form != .one }
      .map { ($0.0.property, $0.1, $0.0.form) }
    var links: [Link] = []
    for column in type.columns where column.form == .one {
      let target = object.toOnes[column.property]
      let members = try target.map { [try child($0, depth: depth)] } ?? []
      links.append(
        Link(
          name: column.property, form: .one, keyForm: nil, count: members.count, members: members,
          isReferrer: false))
    }
    for collection in object.collections {
      let relationship = collection.relationship
      guard let target = database.type(ofTable: relationship.target) else { continue }
      let page = try reader.page(
        .members(of: relationship), reference.rowID, of: target, offset: 0,
        limit: max(1, memberLimit))
      links.append(try link(collection, page, depth: depth, isReferrer: false))
    }
    for referrer in isRoot ? object.referrers : [] where !hasInverse(type, referrer.relationship) {
      guard let owner = database.type(ofTable: referrer.relationship.owner) else { continue }
      let page = try reader.page(
        .owners(of: referrer.relationship), reference.rowID, of: owner, offset: 0,
        limit: max(1, memberLimit))
      // What refers to the object is named, and not expanded.
      links.append(try link(referrer, page, depth: 1, isReferrer: true))
    }
    return Node(
      reference: reference, typeName: type.name, content: .init(values: values, links: links))
  }

  /// Whether the type has an inverse relationship, which shows the same objects.
  private func hasInverse(_ type: InspectedType, _ relationship: InspectedRelationship) -> Bool {
    type.relationships.contains { inverse in
      guard case .inverse(let table, let property, _) = inverse.source else { return false }
      return table == relationship.owner && property == relationship.property
    }
  }

  private func link(
    _ collection: InspectedCollection, _ page: MemberPage, depth: Int, isReferrer: Bool
  ) throws -> Link {
    let relationship = collection.relationship
    let owner = database.type(ofTable: relationship.owner)?.name ?? relationship.owner
    return Link(
      name: isReferrer ? "\(owner).\(relationship.property)" : relationship.property,
      form: relationship.form, keyForm: relationship.keyForm, count: collection.count,
      members: try page.members.prefix(memberLimit).map { try child($0, depth: depth) },
      isReferrer: isReferrer)
  }

  private func child(_ reference: InspectedReference, depth: Int) throws -> Node {
    guard let type = database.type(ofTable: reference.table) else {
      return Node(reference: reference, typeName: reference.table, content: nil)
    }
    return try node(reference, type, depth: depth - 1)
  }
}

extension ObjectTree.Node {
  /// The type and the name of the object.
  private var title: String {
    let name = InspectedText.line(typeName)
    guard reference.exists else { return "\(name) #\(reference.rowID) (missing)" }
    guard let label = reference.label else { return "\(name) #\(reference.rowID)" }
    return "\(name) #\(reference.rowID)  \(label)"
  }

  func write(to output: Output) {
    output.line(output.bold(output.width.map { title.shortened(to: $0) } ?? title))
    writeContent(to: output, prefix: "")
  }

  private func writeContent(to output: Output, prefix: String) {
    guard let content else { return }
    let names = content.values.map(\.name) + content.links.map(\.name)
    let width = min(names.map { InspectedText.line($0, limit: 30).terminalWidth }.max() ?? 0, 30)
    for (name, value, form) in content.values {
      let text = Self.text(value, form).map { InspectedText.line($0, limit: 400) }
      writeLine(
        prefix + InspectedText.line(name, limit: 30).padded(to: width) + "  ",
        text ?? output.faint("–"), to: output)
    }
    let referrers = content.links.filter(\.isReferrer)
    for link in content.links where !link.isReferrer {
      write(link, width: width, to: output, prefix: prefix)
    }
    guard !referrers.isEmpty else { return }
    output.line(output.faint("referred to by"))
    for link in referrers { write(link, width: width, to: output, prefix: prefix) }
  }

  /// The value as text; of an asset, its size before the name of its file.
  private static func text(_ value: InspectedValue, _ form: InspectedForm) -> String? {
    guard form == .asset, let name = value.text else { return value.text(as: form) }
    guard let asset = AssetName(name) else { return name.isEmpty ? nil : name }
    return "\(asset.size.bytes)  \(name)"
  }

  private func write(_ link: ObjectTree.Link, width: Int, to output: Output, prefix: String) {
    let name = prefix + InspectedText.line(link.name, limit: 30).padded(to: width) + "  "
    if link.form == .one, !link.isReferrer {
      guard let member = link.members.first else {
        return writeLine(name, output.faint("–"), to: output)
      }
      writeLine(name, "→ " + member.title, to: output)
      member.writeContent(to: output, prefix: prefix + "  ")
      return
    }
    writeLine(
      name, link.count == 0 ? output.faint("empty") : link.count.counted("object"), to: output)
    for member in link.members {
      let key = member.reference.key.map {
        InspectedText.line($0.text(as: link.keyForm ?? .text) ?? "", limit: 40) + ": "
      }
      writeLine(prefix + "  " + (key ?? "• "), member.title, to: output)
      member.writeContent(to: output, prefix: prefix + "    ")
    }
    let rest = link.count - link.members.count
    if rest > 0, !link.members.isEmpty { output.line(prefix + "  … and \(rest.grouped) more") }
  }

  private func writeLine(_ start: String, _ text: String, to output: Output) {
    guard let width = output.width else { return output.line(start + text) }
    // Text with colours is short.
    output.line(text.contains("\u{1B}") ? start + text : (start + text).shortened(to: width))
  }

  var json: JSONNode {
    var members: [JSONNode.Member] = [
      .init("type", .string(typeName)), .init("table", .string(reference.table)),
      .init("row", .integer(reference.rowID)), .init("label", .string(orNull: reference.label)),
    ]
    if !reference.exists { members.append(.init("isMissing", .bool(true))) }
    guard let content else { return .object(members) }
    members.append(
      .init(
        "values",
        .object(content.values.map { JSONNode.Member($0.name, $0.value.json(as: $0.form)) })))
    func list(_ isReferrer: Bool) -> JSONNode {
      .object(
        content.links.filter { $0.isReferrer == isReferrer }.map { .init($0.name, $0.json) })
    }
    members.append(.init("relationships", list(false)))
    if content.links.contains(where: \.isReferrer) {
      members.append(.init("referredToBy", list(true)))
    }
    return .object(members)
  }
}

extension ObjectTree.Link {
  fileprivate var json: JSONNode {
    if form == .one, !isReferrer { return members.first?.json ?? .null }
    return .members([
      "count": .integer(Int64(count)),
      "members": .array(
        members.map { member in
          guard let key = member.reference.key else { return member.json }
          return .members(["key": key.json(as: keyForm ?? .text), "object": member.json])
        }),
    ])
  }
}
