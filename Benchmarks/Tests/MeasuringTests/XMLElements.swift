import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The attributes of all elements of a document.
final class XMLElements: NSObject, XMLParserDelegate {
  private(set) var isWellFormed = false
  private var attributes: [[String: String]] = []

  init(_ text: String) {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    isWellFormed = parser.parse()
  }

  func count(where matches: ([String: String]) -> Bool) -> Int { attributes.count(where: matches) }

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    self.attributes.append(attributes)
  }
}
