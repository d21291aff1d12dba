/// The positions of the parts of a chart, in pixels.
struct ChartLayout {
  static let width = 1000.0
  static let margin = 28.0
  /// The start of the titles of workloads, after their names.
  static let titles = 76.0
  static let plot = 420.0...890.0
  /// The end of the figures.
  static let figures = width - margin
  static let barHeight = 12.0
  static let barGap = 4.0
  static let lineHeight = 15.0
  static let charactersPerTitleLine = 50
  /// The start of the first row.
  static let top = 138.0

  let rows: [Row]
  /// The end of the last row.
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

  /// The start of an engine's bar in a row.
  static func bar(_ index: Int, of count: Int, in row: Row) -> Double {
    let all = Double(count) * (barHeight + barGap) - barGap
    return row.middle - all / 2 + Double(index) * (barHeight + barGap)
  }
}

/// Wraps a text to the smallest number of lines, with lines of similar lengths.
func evenlyWrapped(_ text: String, at width: Int) -> [String] {
  let count = wrapped(text, at: width).count
  let narrowest = (1...max(1, width)).first { wrapped(text, at: $0).count <= count }
  return wrapped(text, at: narrowest ?? width)
}

/// Wraps a text to lines of a maximum length; longer words have lines of their own.
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
