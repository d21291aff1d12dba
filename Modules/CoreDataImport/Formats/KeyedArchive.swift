/// The objects of an `NSKeyedArchiver`, by their keys. No class is instantiated.
struct KeyedArchive {
  typealias Fault = BinaryPropertyList.Fault

  /// A value in an archived object.
  struct Value {
    fileprivate let object: BinaryPropertyList.Object
  }

  /// An archived object: its class and its keys.
  struct Instance {
    let className: String
    fileprivate let values: [String: Int]
  }

  private let list: BinaryPropertyList
  /// The numbers of the archived objects in the list.
  private let objects: [Int]
  private let rootReference: Value

  init(_ bytes: [UInt8]) throws {
    list = try BinaryPropertyList(bytes)
    guard let archive = try Self.members(of: list.object(list.top), in: list),
      let objects = archive["$objects"], case .array(let numbers) = try list.object(objects),
      let top = archive["$top"], let names = try Self.members(of: list.object(top), in: list),
      let root = names["root"]
    else { throw Fault(reason: "it is not a keyed archive") }
    self.objects = numbers
    rootReference = Value(object: try list.object(root))
  }

  /// The archived object with the key `root`.
  func root() throws -> Instance {
    guard let root = try instance(rootReference) else {
      throw Fault(reason: "the archive has no object")
    }
    return root
  }

  private static func members(
    of object: BinaryPropertyList.Object, in list: BinaryPropertyList
  ) throws -> [String: Int]? {
    guard case .dictionary(let pairs) = object else { return nil }
    var members: [String: Int] = [:]
    for (key, value) in pairs {
      guard let name = try list.key(key) else { return nil }
      members[name] = value
    }
    return members
  }

  /// Returns what a value refers to; the value itself if it is no reference.
  func resolved(_ value: Value) throws -> BinaryPropertyList.Object {
    guard case .uid(let number) = value.object else { return value.object }
    guard objects.indices.contains(number) else {
      throw Fault(reason: "it refers to an object that does not exist")
    }
    return try list.object(objects[number])
  }

  // MARK: Values

  /// Returns the value of a key; nil if the object has none, or has the archive's null.
  func value(_ key: String, of instance: Instance) throws -> Value? {
    guard let number = instance.values[key] else { return nil }
    let value = Value(object: try list.object(number))
    if case .uid(0) = value.object { return nil }
    return value
  }

  /// Returns an archived object; nil if the value is no object with a class.
  func instance(_ value: Value) throws -> Instance? {
    guard let members = try Self.members(of: resolved(value), in: list),
      let reference = members["$class"]
    else { return nil }
    let type = try resolved(Value(object: list.object(reference)))
    guard let names = try Self.members(of: type, in: list), let name = names["$classname"],
      case .string(let className) = try list.object(name)
    else { return nil }
    return Instance(className: className, values: members)
  }

  func instance(_ key: String, of owner: Instance) throws -> Instance? {
    try value(key, of: owner).flatMap(instance)
  }

  func string(_ key: String, of instance: Instance) throws -> String? {
    try value(key, of: instance).flatMap(string)
  }

  func string(_ value: Value) throws -> String? {
    if case .string(let text) = try resolved(value) { return text }
    guard let text = try instance(value), let content = try self.value("NS.string", of: text) else {
      return nil
    }
    if case .string(let text) = try resolved(content) { return text }
    return nil
  }

  func integer(_ key: String, of instance: Instance) throws -> Int64? {
    guard let value = try value(key, of: instance) else { return nil }
    switch try resolved(value) {
    case .integer(let integer): return integer
    case .bool(let bool): return bool ? 1 : 0
    case .real(let real): return Int64(exactly: real.rounded())
    default: return nil
    }
  }

  func bool(_ key: String, of instance: Instance) throws -> Bool {
    try integer(key, of: instance) ?? 0 != 0
  }

  func real(_ key: String, of instance: Instance) throws -> Double? {
    guard let value = try value(key, of: instance) else { return nil }
    switch try resolved(value) {
    case .integer(let integer): return Double(integer)
    case .real(let real), .date(let real): return real
    default: return nil
    }
  }

  /// Returns the elements of an array or a set.
  func elements(_ value: Value) throws -> [Value] {
    guard let array = try instance(value) else { return [] }
    return try elements("NS.objects", of: array)
  }

  /// Returns the pairs of a dictionary whose keys are texts.
  func pairs(_ value: Value) throws -> [(key: String, value: Value)] {
    guard let dictionary = try instance(value) else { return [] }
    let (keys, values) = (
      try elements("NS.keys", of: dictionary), try elements("NS.objects", of: dictionary)
    )
    guard keys.count == values.count else {
      throw Fault(reason: "a dictionary has more keys than values, or fewer")
    }
    return try zip(keys, values).compactMap { key, value in
      try string(key).map { (key: $0, value: value) }
    }
  }

  private func elements(_ key: String, of instance: Instance) throws -> [Value] {
    guard let value = try value(key, of: instance), case .array(let numbers) = try resolved(value)
    else { return [] }
    return try numbers.map { Value(object: try list.object($0)) }
  }
}
