/// The positions of the parts of an overview, in pixels. Its width is that of a phone, which shows
/// it almost in its original size.
struct OverviewLayout {
  static let width = 440.0
  static let margin = 16.0
  static let letters = 15.0
  static let lineHeight = 20.0
  /// The space after a bar is for its figure.
  static let plot = margin...(width - margin - 50)
  static let barHeight = 13.0
  static let barStep = 17.0
  /// The position of the first line of the legend.
  static let legend = 92.0
  static let charactersPerTitleLine = 44

  let rows: [Row]
  /// The start and the end of the lines of the scale.
  let top: Double
  let bottom: Double

  struct Row {
    let y: Double
    let titleLines: [String]

    var firstBar: Double { y + Double(titleLines.count) * lineHeight + 2 }
  }

  init(_ titles: [String], engines: Int) {
    top = Self.legend + Double(engines) * Self.lineHeight + 16
    var y = top + 4
    rows = titles.map { title in
      let row = Row(y: y, titleLines: evenlyWrapped(title, at: Self.charactersPerTitleLine))
      y = row.firstBar + Double(engines) * Self.barStep + 10
      return row
    }
    bottom = y - 4
  }

  var height: Double { bottom + 44 }
}
