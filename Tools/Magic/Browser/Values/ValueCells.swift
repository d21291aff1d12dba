import MagicInspection

/// Values as parts of a page, by their forms: short in tables, and complete on an object's page.
struct ValueCells {
  let request: PageRequest
  let type: InspectedType
  /// The objects that were visited before, for links to objects.
  var trail: [Link.Parameter] = []

  /// The longest text that a page contains, in bytes.
  static let textLimit = 16 << 10
  /// The largest JSON document that is unfolded, in bytes.
  private static let documentLimit = 64 << 10

  /// The CSS class of a column.
  static func style(_ form: InspectedForm) -> String {
    switch form {
    case .integer, .real, .decimal, .duration: "number"
    case .date: "date"
    case .uuid, .uuidBytes, .json: "code"
    case .text, .url: "text"
    default: "value"
    }
  }

  static let null = HTML(.span, [.named("null")]) { "null" }

  // MARK: In tables

  func short(_ value: InspectedValue, _ column: InspectedColumn, rowID: Int64) throws -> HTML {
    if value.isNull { return Self.null }
    switch column.form {
    case .one: return try link(to: value, column)
    case .asset: return try asset(value, column, rowID: rowID)
    case .data, .vector:
      guard value.bytes != nil else { break }
      return HTML(.a, [.href(.value(type.table, rowID, column.column))]) {
        value.byteCount.byteText
      }
    default: break
    }
    return Self.plain(value, column.form, limit: 90)
  }

  /// A value without links.
  static func plain(_ value: InspectedValue, _ form: InspectedForm, limit: Int) -> HTML {
    guard let text = value.text(as: form) else { return null }
    switch form {
    case .bool where text == "true" || text == "false":
      return HTML(.span, [.named("bool " + text)]) { text }
    case .date where value.number != nil: return date(text)
    case .enumeration: return HTML(.span, [.named("case")]) { InspectedText.line(text, limit: 40) }
    case .uuid, .uuidBytes, .json:
      return HTML(.code) { InspectedText.line(text, limit: min(limit, form == .json ? 60 : 40)) }
    case .integer: return HTML(value.integer.map { Int($0).grouped } ?? InspectedText.line(text))
    case .real, .decimal, .duration: return HTML(InspectedText.line(text))
    default:
      if text.isEmpty { return HTML(.span, [.named("null")]) { "empty" } }
      return HTML(.span, [HTMLAttribute(.dir, "auto")]) { InspectedText.line(text, limit: limit) }
    }
  }

  /// `2024-05-01T12:30:00Z` as a day and a time.
  private static func date(_ text: String) -> HTML {
    HTML(.time, [HTMLAttribute(.datetime, text), HTMLAttribute(.title, text)]) {
      text.replacing("T", with: " ").replacing("Z", with: "")
    }
  }

  /// The part of a text that a search has found, with its words marked.
  static func snippet(_ snippet: SearchSnippet) -> HTML {
    HTML(.span, [HTMLAttribute(.dir, "auto")]) {
      for part in snippet.parts {
        if part.isFound {
          HTML(.mark) { InspectedText.line(part.text, limit: 80) }
        } else {
          HTML(InspectedText.line(part.text, limit: 160))
        }
      }
    }
  }

  private func link(to value: InspectedValue, _ column: InspectedColumn) throws -> HTML {
    guard let rowID = value.integer,
      let target = column.target.flatMap(request.database.type(ofTable:))
    else { return Self.plain(value, .integer, limit: 90) }
    return reference(try request.reader.reference(to: rowID, of: target))
  }

  /// A link to an object.
  func reference(_ reference: InspectedReference) -> HTML {
    guard reference.exists else { return HTML(.span, [.named("problem")]) { reference.text } }
    return HTML(
      .a,
      [
        .href(.object(reference.table, reference.rowID, trail: trail)), HTMLAttribute(.dir, "auto"),
      ]
    ) { reference.text }
  }

  private func asset(
    _ value: InspectedValue, _ column: InspectedColumn, rowID: Int64
  ) throws -> HTML {
    let link = Link.value(type.table, rowID, column.column)
    let stored = try StoredBytes(value, column, request.reader)
    switch stored {
    case .asset(let asset)?:
      guard case .image? = try stored?.media() else {
        return HTML(.a, [.href(link)]) { asset.size.byteText }
      }
      return HTML(.a, [.href(link), .named("thumb")]) {
        HTML(.img, [.src(link), HTMLAttribute(.alt, ""), HTMLAttribute(.loading, "lazy")])
        asset.size.byteText
      }
    case .missing?: return HTML(.span, [.named("problem")]) { "The asset is missing" }
    default: return Self.plain(value, .other(""), limit: 90)
    }
  }

  // MARK: On an object's page

  func full(_ value: InspectedValue, _ column: InspectedColumn, rowID: Int64) throws -> HTML {
    if value.isNull { return Self.null }
    switch column.form {
    case .one: return try link(to: value, column)
    case .asset, .data, .vector: return try preview(value, column, rowID: rowID)
    case .json: return document(value, column, rowID: rowID)
    case .text, .url, .other:
      guard let text = value.text, text.utf8.count > 90 || text.contains("\n") else { break }
      return longText(text, size: value.byteCount, Link.value(type.table, rowID, column.column))
    default: break
    }
    return Self.plain(value, column.form, limit: 200)
  }

  private func longText(_ text: String, size: Int, _ link: Link) -> HTML {
    let shown = Self.beginning(text)
    return HTML([
      HTML(.div, [.named("long"), HTMLAttribute(.dir, "auto")]) { shown },
      size <= shown.utf8.count
        ? .nothing : HTML(.a, [.href(link)]) { "All \(size.byteText)" },
    ])
  }

  /// The first part of a text, without cutting a character.
  private static func beginning(_ text: String) -> String {
    guard text.utf8.count > textLimit else { return text }
    return String(decoding: text.utf8.prefix(textLimit), as: UTF8.self) + "…"
  }

  private func document(
    _ value: InspectedValue, _ column: InspectedColumn, rowID: Int64
  ) -> HTML {
    let link = Link.value(type.table, rowID, column.column)
    if let bytes = value.bytes, bytes.count <= Self.documentLimit, !value.isTruncated,
      let tree = JSONTree(bytes)
    {
      return HTML(.div, [.named("json")]) { tree.html() }
    }
    let text = value.text(as: .json) ?? ""
    return HTML(.div, [.named("code")]) { longText(text, size: value.byteCount, link) }
  }

  private func preview(
    _ value: InspectedValue, _ column: InspectedColumn, rowID: Int64
  ) throws -> HTML {
    let link = Link.value(type.table, rowID, column.column)
    guard let stored = try StoredBytes(value, column, request.reader) else {
      return Self.plain(value, .other(""), limit: 200)
    }
    let size: Int
    switch stored {
    case .missing:
      return HTML(.span, [.named("problem")]) {
        "The asset is missing. Check it with magic verify."
      }
    case .asset(let asset): size = asset.size
    case .bytes: size = value.byteCount
    }
    let media = try stored.media()
    let (bytes, _) = try stored.beginning(Media.prefixLength)
    return HTML(.div, [.named("preview")]) {
      switch media {
      case .image:
        HTML(
          .img,
          [
            .src(link),
            HTMLAttribute(.alt, "\(InspectedText.line(column.property)), \(size.byteText)"),
          ])
      case .audio:
        HTML(
          .audio, [.src(link), HTMLAttribute(.controls), HTMLAttribute(.label, column.property)])
      case .text:
        HTML(.div, [.named("long"), HTMLAttribute(.dir, "auto")]) {
          String(decoding: bytes, as: UTF8.self) + (size > bytes.count ? "…" : "")
        }
      case .other: HTML.nothing
      }
      HTML(.a, [.href(link)]) { (media.isShown ? "Open, " : "Download, ") + size.byteText }
    }
  }
}
