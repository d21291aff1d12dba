import MagicEngine
import MagicExchange
import MagicRuntime

/// A document in the form of the JavaScript package flatted, in which Realm Studio exports: an array whose
/// first element is the document. A text inside of an element is the index of another element, which is a
/// text, an array or an object, so that objects can refer to each other.
///
/// The document is an array of records, or an object with an array for each type. Its records become
/// objects of JSON in the form of documents: an object is contained where it occurs first, and is a
/// reference everywhere else. Records are not contained in others. In a value that is stored as JSON, an
/// object is contained each time.
struct FlattedDocument {
  let elements: [(line: Int, json: [UInt8])]
  let limit: Int
  /// Returns the form of a column of the records.
  let columnForm: (String) -> FlattedForm
  let forms = FlattedForms()
  /// The number of values that refer to an element; at least two if an array with several uses contains it.
  private(set) var uses: [Int]
  private var records: [Int] = []
  private var nextRecord = 0
  /// The objects that are records, or that a record contains already.
  var known: Set<Int> = []

  /// The number of bytes of JSON that may still be written. An element that many others refer to is
  /// written each time, so a small document could need any amount of memory.
  private var remainingSize: Int
  /// The primary values of the objects that columns refer to.
  var primaries: [PrimaryKey: [UInt8]] = [:]

  struct PrimaryKey: Hashable {
    let object: Int
    let name: String
  }

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
  ///   - form: returns the form of a column of the records.
  /// - Throws: `RecordFault`; `CancellationError` in a cancelled task.
  init(
    _ elements: [(line: Int, json: [UInt8])], typeName: String, firstRecord: Int, limit: Int,
    form: @escaping (String) -> FlattedForm
  ) throws {
    (self.elements, self.limit, columnForm) = (elements, limit, form)
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
    var cancellation = CancellationCheck()
    for index in elements.indices {
      try cancellation.count()
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

  /// The part of the records that were returned, from 0 to 1.
  var progress: Double {
    records.isEmpty ? 1 : Double(nextRecord) / Double(records.count)
  }

  /// Returns the next record; nil after the last one.
  mutating func next() throws -> (line: Int, json: [UInt8])? {
    guard nextRecord < records.count else { return nil }
    let record = records[nextRecord]
    nextRecord += 1
    var json: [UInt8] = []
    // The records before the first one are left out.
    guard known.contains(record) else { return (elements[record].line, Array("{}".utf8)) }
    try append(record: record, to: &json)
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

  func fault(_ index: Int, _ reason: String) -> RecordFault {
    RecordFault(line: elements[index].line, reason: reason)
  }

  /// Returns the index of the element that a value represents.
  func target(of value: UnsafeRawBufferPointer, in element: Int) throws -> Int {
    guard let digits = JSONText.quoted(value), digits.first != UInt8(ascii: "0"),
      digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let index = Int(String(decoding: digits, as: UTF8.self)), index < elements.count
    else { throw fault(element, "a text is not the index of an element of the document") }
    return index
  }

  func forEachMember(
    of element: Int, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let isObject = try elements[element].json.withUnsafeBytes {
      try JSONScanner.forEachMember(of: $0, body)
    }
    guard isObject else { throw fault(element, "an element is not JSON") }
  }

  func forEachElement(
    of element: Int, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let isArray = try elements[element].json.withUnsafeBytes {
      try JSONScanner.forEachElement(of: $0, body)
    }
    guard isArray else { throw fault(element, "an element is not JSON") }
  }

  /// Whether an element is one text. Its content becomes a part of several values, of which not all are read.
  private static func isText(_ json: UnsafeRawBufferPointer) -> Bool {
    guard let content = JSONText.quoted(json), JSONText.decoded(content) != nil else {
      return false
    }
    var isEscaped = false
    return content.allSatisfy { byte in
      defer { isEscaped = !isEscaped && byte == UInt8(ascii: "\\") }
      return isEscaped || byte != UInt8(ascii: "\"")
    }
  }

  /// Returns the elements to which an element refers, and checks the element.
  private func references(in element: Int) throws -> [Int] {
    var found: [Int] = []
    func add(_ value: UnsafeRawBufferPointer) throws {
      switch value.first {
      case UInt8(ascii: "\""): found.append(try target(of: value, in: element))
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        throw fault(element, "an element contains another one instead of its index")
      default:
        guard JSONText.isValue(value) else { throw fault(element, "an element is not JSON") }
      }
    }
    switch elements[element].json.first {
    case UInt8(ascii: "{"): try forEachMember(of: element) { try add($1) }
    case UInt8(ascii: "["): try forEachElement(of: element, add)
    case UInt8(ascii: "\""):
      guard elements[element].json.withUnsafeBytes(Self.isText) else {
        throw fault(element, "an element is not JSON")
      }
    default: throw fault(element, "an element is neither a text, nor an array, nor an object")
    }
    return found
  }
}
