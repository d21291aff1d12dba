import MagicExchange
import MagicRuntime

/// A document in the form of the JavaScript package flatted, in which Realm Studio exports: an array whose
/// first element is the document. A text inside of an element is the index of another element, which is a
/// text, an array or an object, so that objects can refer to each other.
///
/// The document is an array of records, or an object with an array for each type. Its records become
/// objects of JSON in the form of documents: an object is contained where it occurs first, and is a
/// reference everywhere else. Records are not contained in others.
struct FlattedDocument {
  private let elements: [(line: Int, json: [UInt8])]
  private let limit: Int
  private let referenceKey: (String) -> String?
  /// The number of values that refer to an element; at least two if an array with several uses contains it.
  private var uses: [Int]
  private var records: [Int] = []
  private var nextRecord = 0
  /// The objects that are records, or that a record contains already.
  private var known: Set<Int> = []

  /// The number of bytes of JSON that may still be written. An element that many others refer to is
  /// written each time, so a small document could need any amount of memory.
  private var remainingSize: Int
  /// The primary values of the objects that columns refer to.
  private var primaries: [PrimaryKey: [UInt8]] = [:]

  private struct PrimaryKey: Hashable {
    let object: Int
    let name: String
  }

  /// The number of objects that contain each other.
  private static let nestingLimit = 64
  /// How many times larger than the document its records may become.
  private static let growthLimit = 64

  /// Whether an array of JSON has this form, by the beginnings of its first two elements. The elements of
  /// other arrays are objects.
  static func isFlatted(first: UInt8?, second: UInt8?) -> Bool {
    first == UInt8(ascii: "[")
      || first == UInt8(ascii: "{")
        && (second == UInt8(ascii: "[") || second == UInt8(ascii: "\""))
  }

  /// - Parameters:
  ///   - elements: the elements of the array, with their lines.
  ///   - typeName: the name of the type of the records.
  ///   - firstRecord: the number of the first record that is needed, from 1.
  ///   - limit: the size of the largest record, in bytes.
  ///   - referenceKey: returns the key of the primary that references of a column contain; nil if its
  ///     objects are nested.
  /// - Throws: `RecordFault`.
  init(
    _ elements: [(line: Int, json: [UInt8])], typeName: String, firstRecord: Int, limit: Int,
    referenceKey: @escaping (String) -> String?
  ) throws {
    (self.elements, self.limit, self.referenceKey) = (elements, limit, referenceKey)
    remainingSize = limit + Self.growthLimit * elements.reduce(0) { $0 + $1.json.count }
    uses = Array(repeating: 0, count: elements.count)
    let lists = try lists()
    let list = try list(of: typeName, in: lists)
    try forEachElement(of: list) { value in
      guard value.first == UInt8(ascii: "\"") else {
        throw fault(list, "a record is not an object")
      }
    }
    records = try references(in: list)
    for record in records where elements[record].json.first != UInt8(ascii: "{") {
      throw fault(record, "a record is not an object")
    }
    // The records before the first one are contained in others, as all other objects.
    known = Set(records.dropFirst(firstRecord - 1))
    guard Set(records).count == records.count else {
      throw fault(0, "a list contains an object twice")
    }
    try countUses()
  }

  private mutating func countUses() throws {
    for index in elements.indices {
      for target in try references(in: index) { uses[target] += 1 }
    }
    func isShared(_ index: Int) -> Bool {
      uses[index] > 1 && elements[index].json.first == UInt8(ascii: "[")
    }
    var shared = elements.indices.filter(isShared)
    while let array = shared.popLast() {
      for target in try references(in: array) where uses[target] == 1 {
        uses[target] = 2
        if isShared(target) { shared.append(target) }
      }
    }
  }

  /// Returns the next record; nil after the last one.
  mutating func next() throws -> (line: Int, json: [UInt8])? {
    guard nextRecord < records.count else { return nil }
    let record = records[nextRecord]
    nextRecord += 1
    var json: [UInt8] = []
    // The records before the first one are left out.
    guard known.contains(record) else { return (elements[record].line, Array("{}".utf8)) }
    var containers = [record]
    try appendMembers(of: record, to: &json, &containers)
    remainingSize -= json.count
    guard remainingSize >= 0 else {
      throw fault(
        record, "the records are more than \(Self.growthLimit) times larger than the document")
    }
    return (elements[record].line, json)
  }

  // MARK: Lists

  /// The lists of records, with the names of their types as JSON without quotes; the name of the only list
  /// of an array is nil.
  private func lists() throws -> [(name: [UInt8]?, index: Int)] {
    guard elements[0].json.first == UInt8(ascii: "{") else { return [(nil, 0)] }
    var lists: [(name: [UInt8]?, index: Int)] = []
    try forEachMember(of: 0) { key, value in
      let index = try target(of: value, in: 0)
      guard elements[index].json.first == UInt8(ascii: "[") else {
        throw fault(0, "the document is not an array of records, or an object with such arrays")
      }
      lists.append((JSONText.decoded(key), index))
    }
    return lists
  }

  private func list(
    of typeName: String, in lists: [(name: [UInt8]?, index: Int)]
  ) throws -> Int {
    if let list = lists.first(where: { $0.name == nil || $0.name == Array(typeName.utf8) }) {
      return list.index
    }
    throw fault(0, "the document has no list with the name of the type")
  }

  // MARK: Elements

  private func fault(_ index: Int, _ reason: String) -> RecordFault {
    RecordFault(line: elements[index].line, reason: reason)
  }

  /// Returns the index of the element that a value represents.
  private func target(of value: UnsafeRawBufferPointer, in element: Int) throws -> Int {
    guard let digits = JSONText.quoted(value), digits.first != UInt8(ascii: "0"),
      digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let index = Int(String(decoding: digits, as: UTF8.self)), index < elements.count
    else { throw fault(element, "a text is not the index of an element of the document") }
    return index
  }

  private func forEachMember(
    of element: Int, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let isObject = try elements[element].json.withUnsafeBytes {
      try JSONScanner.forEachMember(of: $0, body)
    }
    guard isObject else { throw fault(element, "an element is not JSON") }
  }

  private func forEachElement(
    of element: Int, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let isArray = try elements[element].json.withUnsafeBytes {
      try JSONScanner.forEachElement(of: $0, body)
    }
    guard isArray else { throw fault(element, "an element is not JSON") }
  }

  /// Returns the elements to which an element refers.
  private func references(in element: Int) throws -> [Int] {
    var found: [Int] = []
    func add(_ value: UnsafeRawBufferPointer) throws {
      switch value.first {
      case UInt8(ascii: "\""): found.append(try target(of: value, in: element))
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        throw fault(element, "an element contains another one instead of its index")
      default: break
      }
    }
    switch elements[element].json.first {
    case UInt8(ascii: "{"): try forEachMember(of: element) { try add($1) }
    case UInt8(ascii: "["): try forEachElement(of: element, add)
    case UInt8(ascii: "\""): break
    default: throw fault(element, "an element is neither a text, nor an array, nor an object")
    }
    return found
  }

  // MARK: Writing

  /// The label of an object in the document.
  private static func label(_ index: Int) -> String { "\"element \(index)\"" }

  /// - Parameter containers: the objects and arrays that contain the value.
  private mutating func append(
    _ value: UnsafeRawBufferPointer, of element: Int, to json: inout [UInt8],
    _ containers: inout [Int]
  ) throws {
    guard json.count <= limit else {
      throw fault(containers[0], "the record is larger than \(limit) bytes")
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
    if isObject, !known.insert(index).inserted {
      json += "{\"$ref\":\(Self.label(index))}".utf8
      return
    }
    guard !containers.contains(index) else {
      throw fault(containers[0], "an array contains itself")
    }
    guard
      containers.count(where: { isObject == (elements[$0].json.first == UInt8(ascii: "{")) })
        < Self.nestingLimit
    else {
      throw fault(
        containers[0], "more than \(Self.nestingLimit) objects or arrays contain each other")
    }
    containers.append(index)
    if isObject {
      try appendMembers(of: index, to: &json, &containers)
    } else {
      try appendElements(of: index, to: &json, &containers)
    }
    containers.removeLast()
  }

  private mutating func appendMembers(
    of element: Int, to json: inout [UInt8], _ containers: inout [Int]
  ) throws {
    json.append(UInt8(ascii: "{"))
    let isRecord = containers.count == 1
    // An object with one owner needs no label; it may be the value of a property.
    var isFirst = !isRecord && uses[element] < 2
    if !isFirst { json += "\"$id\":\(Self.label(element))".utf8 }
    var members: [(key: [UInt8], value: [UInt8])] = []
    try forEachMember(of: element) { members.append((Array($0), Array($1))) }
    for (key, value) in members {
      if !isFirst { json.append(UInt8(ascii: ",")) }
      isFirst = false
      json.append(UInt8(ascii: "\""))
      json += key
      json += "\":".utf8
      if isRecord, let primary = try primary(of: value, key, in: element) {
        json += "{\"$ref\":".utf8
        try primary.value.withUnsafeBytes {
          try append($0, of: primary.object, to: &json, &containers)
        }
        json.append(UInt8(ascii: "}"))
        continue
      }
      try value.withUnsafeBytes { try append($0, of: element, to: &json, &containers) }
    }
    json.append(UInt8(ascii: "}"))
  }

  /// Returns the primary value of the object that a member of a record refers to; nil if the column
  /// contains no references.
  private mutating func primary(
    of value: [UInt8], _ key: [UInt8], in element: Int
  ) throws -> (object: Int, value: [UInt8])? {
    guard value.first == UInt8(ascii: "\""),
      let name = key.withUnsafeBytes(JSONText.decoded),
      let wanted = referenceKey(String(decoding: name, as: UTF8.self))
    else { return nil }
    let object = try value.withUnsafeBytes { try target(of: $0, in: element) }
    guard elements[object].json.first == UInt8(ascii: "{") else { return nil }
    let place = PrimaryKey(object: object, name: wanted)
    if let known = primaries[place] { return (object, known) }
    let wantedName = Array(wanted.utf8)
    var primary: [UInt8]?
    try forEachMember(of: object) { key, value in
      if JSONText.decoded(key) == wantedName { primary = Array(value) }
    }
    guard let primary else { throw fault(object, "an object lacks the value that identifies it") }
    primaries[place] = primary
    return (object, primary)
  }

  private mutating func appendElements(
    of element: Int, to json: inout [UInt8], _ containers: inout [Int]
  ) throws {
    json.append(UInt8(ascii: "["))
    var values: [[UInt8]] = []
    try forEachElement(of: element) { values.append(Array($0)) }
    for (place, value) in values.enumerated() {
      if place > 0 { json.append(UInt8(ascii: ",")) }
      try value.withUnsafeBytes { try append($0, of: element, to: &json, &containers) }
    }
    json.append(UInt8(ascii: "]"))
  }
}
