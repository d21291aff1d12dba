extension Chart {
  /// The lines of the scale with their figures, and the meaning of both sides.
  var axis: Markup {
    let top = ChartLayout.top
    let lines = scale.ticks.map { ratio in
      let x = scale(ratio)
      return Markup.all([
        line(x, top - 4, x, layout.bottom, class: ratio == 1 ? "base" : "grid"),
        text(label(ratio), x, top - 10, class: ratio == 1 ? "name" : "quiet", anchor: "middle"),
      ])
    }
    return .all(
      lines + [
        text(
          "← faster", scale.pixels.lowerBound, layout.bottom + 18, class: "quiet small"),
        text(
          "slower →", scale.pixels.upperBound, layout.bottom + 18, class: "quiet small",
          anchor: "end"),
      ])
  }

  private func label(_ ratio: Double) -> String {
    if ratio == 1 { return data.base }
    return ratio > 1 ? "\(ratio.whole)×" : "1/\((1 / ratio).whole)"
  }
}
