/// Where the parts of a chart are, in pixels.
struct ChartLayout {
  static let width = 1000.0
  static let margin = 28.0
  /// Where titles of workloads begin, behind their names.
  static let titles = 76.0
  static let plot = 420.0...890.0
  /// Where the figures end.
  static let figures = width - margin
  static let barHeight = 12.0
  static let barGap = 4.0
  static let lineHeight = 15.0
  static let charactersPerTitleLine = 50
  /// Where the first row begins.
  static let top = 138.0

  let rows: [Row]
  /// Where the last row ends.
  let bottom: Double

  struct Row {
    let y: Double
    let height: Double
    let titleLines: [String]

    var middle: Double { y + height / 2 }
  }

  init(_ data: ChartData) {
    var y = Self.top
    let bars = Double(max(1, data.engines.count))
    rows = data.rows.map { row in
      let lines = evenlyWrapped(row.title, at: Self.charactersPerTitleLine)
      let text = Double(lines.count) * Self.lineHeight
      let height = max(text, bars * (Self.barHeight + Self.barGap) - Self.barGap) + 14
      defer { y += height }
      return Row(y: y, height: height, titleLines: lines)
    }
    bottom = y
  }

  var height: Double { bottom + 52 }

  /// Where an engine's bar begins in a row.
  static func bar(_ index: Int, of count: Int, in row: Row) -> Double {
    let all = Double(count) * (barHeight + barGap) - barGap
    return row.middle - all / 2 + Double(index) * (barHeight + barGap)
  }
}

/// The words of a text in as few lines of so many characters as hold it, none much shorter than the
/// others.
func evenlyWrapped(_ text: String, at width: Int) -> [String] {
  let count = wrapped(text, at: width).count
  let narrowest = (1...max(1, width)).first { wrapped(text, at: $0).count <= count }
  return wrapped(text, at: narrowest ?? width)
}

/// The words of a text in lines of at most so many characters, where no word is longer.
func wrapped(_ text: String, at width: Int) -> [String] {
  var lines: [String] = []
  for word in text.split(separator: " ") {
    if let last = lines.last, last.count + 1 + word.count <= width {
      lines[lines.count - 1] = last + " " + word
    } else {
      lines.append(String(word))
    }
  }
  return lines
}
