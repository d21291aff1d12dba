import MagicExchange
import MagicRuntime
import MagicSchema

/// Writes the records of a document as JSON.
extension FlattedDocument {
  /// The number of objects that contain each other, and of arrays.
  private static let nestingLimit = 64

  /// The label of an object in the document.
  private static func label(_ index: Int) -> String { "\"element \(index)\"" }

  /// Appends a record.
  mutating func append(record: Int, to json: inout [UInt8]) throws {
    var containers = [record]
    let form = columnForm
    try appendMembers(of: record, to: &json, &containers, isLabelled: true) { form($0) }
  }

  /// - Parameter containers: the objects and arrays that contain the value.
  private mutating func append(
    _ value: UnsafeRawBufferPointer, of element: Int, as form: FlattedForm, to json: inout [UInt8],
    _ containers: inout [Int]
  ) throws {
    guard json.count <= limit else {
      throw fault(containers[0], "the record is larger than \(limit) bytes")
    }
    if case .none = form {
      // The import does not read the value.
      json += value
      return
    }
    guard value.first == UInt8(ascii: "\"") else {
      json += value
      return
    }
    let index = try target(of: value, in: element)
    guard elements[index].json.first != UInt8(ascii: "\"") else {
      json += elements[index].json
      return
    }
    let isObject = elements[index].json.first == UInt8(ascii: "{")
    if case .primary(let key) = form, isObject {
      let primary = try primary(of: index, key)
      json += "{\"$ref\":".utf8
      try primary.withUnsafeBytes { try append($0, of: index, as: .value, to: &json, &containers) }
      json.append(UInt8(ascii: "}"))
      return
    }
    if case .objects = form, isObject, !known.insert(index).inserted {
      json += "{\"$ref\":\(Self.label(index))}".utf8
      return
    }
    try enter(index, isObject: isObject, containers)
    containers.append(index)
    if isObject {
      try appendObject(index, as: form, to: &json, &containers)
    } else {
      try appendElements(of: index, as: form, to: &json, &containers)
    }
    containers.removeLast()
  }

  private func enter(_ index: Int, isObject: Bool, _ containers: [Int]) throws {
    guard !containers.contains(index) else {
      throw fault(
        containers[0], isObject ? "a value of JSON contains itself" : "an array contains itself")
    }
    guard
      containers.count(where: { isObject == (elements[$0].json.first == UInt8(ascii: "{")) })
        < Self.nestingLimit
    else {
      throw fault(
        containers[0], "more than \(Self.nestingLimit) objects or arrays contain each other")
    }
  }

  private mutating func appendObject(
    _ index: Int, as form: FlattedForm, to json: inout [UInt8], _ containers: inout [Int]
  ) throws {
    switch form {
    case .objects(let schema):
      let forms = forms
      // An object with one owner needs no label.
      try appendMembers(of: index, to: &json, &containers, isLabelled: uses[index] > 1) {
        try forms.form(of: $0, in: schema)
      }
    case .dictionary(let schema):
      try appendMembers(of: index, to: &json, &containers, isLabelled: false) { _ in
        .objects(schema)
      }
    case .value, .primary, .none:
      try appendMembers(of: index, to: &json, &containers, isLabelled: false) { _ in .value }
    }
  }

  private mutating func appendMembers(
    of element: Int, to json: inout [UInt8], _ containers: inout [Int], isLabelled: Bool,
    _ form: (String) throws -> FlattedForm
  ) throws {
    json.append(UInt8(ascii: "{"))
    var isFirst = !isLabelled
    if isLabelled { json += "\"$id\":\(Self.label(element))".utf8 }
    var members: [(key: [UInt8], value: [UInt8])] = []
    try forEachMember(of: element) { members.append((Array($0), Array($1))) }
    for (key, value) in members {
      if !isFirst { json.append(UInt8(ascii: ",")) }
      isFirst = false
      json.append(UInt8(ascii: "\""))
      json += key
      json += "\":".utf8
      // The reader of the record refuses a key that is not valid.
      let name = key.withUnsafeBytes(JSONText.decoded)
      let form = try name.map { try form(String(decoding: $0, as: UTF8.self)) } ?? .none
      try value.withUnsafeBytes { try append($0, of: element, as: form, to: &json, &containers) }
    }
    json.append(UInt8(ascii: "}"))
  }

  private mutating func appendElements(
    of element: Int, as form: FlattedForm, to json: inout [UInt8], _ containers: inout [Int]
  ) throws {
    json.append(UInt8(ascii: "["))
    var values: [[UInt8]] = []
    try forEachElement(of: element) { values.append(Array($0)) }
    for (place, value) in values.enumerated() {
      if place > 0 { json.append(UInt8(ascii: ",")) }
      try value.withUnsafeBytes { try append($0, of: element, as: form, to: &json, &containers) }
    }
    json.append(UInt8(ascii: "]"))
  }

  /// Returns the value of the member of an object that identifies it.
  private mutating func primary(of object: Int, _ key: String) throws -> [UInt8] {
    let place = PrimaryKey(object: object, name: key)
    if let known = primaries[place] { return known }
    let wanted = Array(key.utf8)
    var primary: [UInt8]?
    try forEachMember(of: object) { key, value in
      if JSONText.decoded(key) == wanted { primary = Array(value) }
    }
    guard let primary else { throw fault(object, "an object lacks the value that identifies it") }
    primaries[place] = primary
    return primary
  }
}
