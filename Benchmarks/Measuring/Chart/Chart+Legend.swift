extension Chart {
  /// Whose bars have which colour, and what the marks on them mean.
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
  /// In pixels, in letters of twelve: generous.
  fileprivate var estimatedWidth: Double { Double(count) * 6.6 }
}
