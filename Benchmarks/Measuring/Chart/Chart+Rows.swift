extension Chart {
  /// The background of every second row.
  var stripes: Markup {
    .all(
      layout.rows.enumerated().filter { $0.offset % 2 == 0 }.map { _, row in
        rectangle(
          ChartLayout.margin - 12, row.y, ChartLayout.width - 2 * ChartLayout.margin + 24,
          row.height, class: "stripe", radius: 4)
      })
  }

  /// The name, the bars and the figures of each workload.
  var rows: [Markup] {
    zip(data.rows, layout.rows).map { row, place in
      let bars = row.ratios.enumerated().map { index, ratios in
        bar(ratios, engine: index, y: ChartLayout.bar(index, of: row.ratios.count, in: place))
      }
      return .all([label(row, place), .all(bars), target(row.target, place)])
    }
  }

  private func label(_ row: ChartData.Row, _ place: ChartLayout.Row) -> Markup {
    let first =
      place.middle - Double(place.titleLines.count - 1) * ChartLayout.lineHeight / 2 + 4
    let lines = place.titleLines.enumerated().map { index, title in
      text(title, ChartLayout.titles, first + Double(index) * ChartLayout.lineHeight)
    }
    return .all([text(row.name, ChartLayout.margin, first, class: "name")] + lines)
  }

  private func bar(_ ratios: Spread?, engine: Int, y: Double) -> Markup {
    let baseline = y + ChartLayout.barHeight - 2
    guard let ratios else {
      return text("–", ChartLayout.figures, baseline, class: "quiet", anchor: "end")
    }
    let (base, median) = (scale(1), scale(ratios.median))
    // A ratio of one is drawn as a line.
    let (start, width) = (min(base, median), max(2, abs(median - base)))
    return .all([
      rectangle(
        start, y, width, ChartLayout.barHeight, class: ChartStyle.colour(engine), radius: 2),
      // An end beyond the scale has no mark.
      whisker(
        from: scale(ratios.lowest), to: scale(ratios.highest), y: y + ChartLayout.barHeight / 2,
        marksStart: scale.contains(ratios.lowest), marksEnd: scale.contains(ratios.highest)),
      text(
        "\(ratios.median.twoPlaces)×", ChartLayout.figures, baseline, class: "figure",
        anchor: "end"),
    ])
  }

  /// The mark of the target, which applies to the first engine.
  private func target(_ ratio: Double?, _ place: ChartLayout.Row) -> Markup {
    guard let ratio else { return .none }
    let y = ChartLayout.bar(0, of: data.engines.count, in: place)
    return line(
      scale(ratio), y - 4, scale(ratio), y + ChartLayout.barHeight + 4, class: "target")
  }
}
