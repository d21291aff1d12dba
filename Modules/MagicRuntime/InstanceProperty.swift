/// A stored property of an instance: its name and its value.
package struct InstanceProperty {
  package let name: String
  package let value: Any

  /// The name of the wrapped property, if the value is a property wrapper: the stored property has
  /// an underscore before it.
  package var wrappedName: String { String(name.hasPrefix("_") ? name.dropFirst() : name[...]) }

  /// Returns the stored properties of an instance, those of superclasses first.
  ///
  /// `Mirror` is of no use here: for a type that is `CustomReflectable` it contains what the type
  /// chose to show.
  package static func all<Instance>(of instance: Instance) -> [InstanceProperty] {
    var types: [Any.Type] = [Instance.self]
    while let type = types.last as? AnyClass, let superclass = _getSuperclass(type) {
      types.append(superclass)
    }
    return types.reversed().flatMap { declared(in: $0, of: instance) }
  }

  private static func declared<Instance>(
    in type: Any.Type, of instance: Instance
  ) -> [InstanceProperty] {
    (0..<propertyCount(of: instance, type: type)).map { index in
      var name: UnsafePointer<CChar>?
      var free: FreeName?
      let value = property(of: instance, type: type, index: index, name: &name, free: &free)
      defer { free?(name) }
      return InstanceProperty(name: name.map { String(cString: $0) } ?? "", value: value)
    }
  }
}

// The functions of Swift's run time that `Mirror` itself calls.

private typealias FreeName = @convention(c) (UnsafePointer<CChar>?) -> Void

@_silgen_name("swift_reflectionMirror_count")
private func propertyCount<Instance>(of instance: Instance, type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_subscript")
private func property<Instance>(
  of instance: Instance, type: Any.Type, index: Int,
  name: UnsafeMutablePointer<UnsafePointer<CChar>?>, free: UnsafeMutablePointer<FreeName?>
) -> Any
