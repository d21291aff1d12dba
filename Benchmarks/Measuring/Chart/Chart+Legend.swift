extension Chart {
  /// The colours of the engines, and the meaning of the marks.
  var legend: Markup {
    var x = ChartLayout.margin
    var parts: [Markup] = []
    func add(_ mark: Markup, _ label: String) {
      parts += [mark, text(label, x + 22, Self.y)]
      x += 46 + label.estimatedWidth
    }
    for (index, engine) in data.engines.enumerated() {
      add(
        rectangle(x, Self.y - 10, 14, ChartLayout.barHeight, class: ChartStyle.colour(index)),
        engine)
    }
    add(whisker(from: x, to: x + 14, y: Self.y - 4), "lowest to highest")
    if data.rows.contains(where: { $0.target != nil }), let engine = data.judged {
      add(line(x + 7, Self.y - 11, x + 7, Self.y + 3, class: "target"), "target of \(engine)")
    }
    return .all(parts)
  }

  private static let y = 94.0
}

extension String {
  /// An estimate of the width in pixels with a font size of 12; rather too large.
  fileprivate var estimatedWidth: Double { Double(count) * 6.6 }
}
