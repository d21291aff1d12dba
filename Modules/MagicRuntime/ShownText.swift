/// What a mirror shows in place of a value.
package struct ShownText: CustomStringConvertible, CustomReflectable {
  package let description: String

  package init(_ text: String) { description = text }

  package var customMirror: Mirror { Mirror(self, children: []) }
}
