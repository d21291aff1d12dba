/// A drawing, and the shapes that it consists of.
protocol Picture {}

extension Picture {
  func rectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, class name: String,
    radius: Double = 0
  ) -> Markup {
    Markup(
      "rect",
      [
        "x": x.pixel, "y": y.pixel, "width": width.pixel, "height": height.pixel,
        "rx": radius.pixel, "class": name,
      ])
  }

  func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, class name: String) -> Markup {
    Markup(
      "line",
      ["x1": x1.pixel, "y1": y1.pixel, "x2": x2.pixel, "y2": y2.pixel, "class": name])
  }

  /// A line with marks at its ends.
  func whisker(
    from start: Double, to end: Double, y: Double, marksStart: Bool = true, marksEnd: Bool = true
  ) -> Markup {
    .all([
      line(start, y, end, y, class: "whisker"),
      marksStart ? line(start, y - 3, start, y + 3, class: "end") : .none,
      marksEnd ? line(end, y - 3, end, y + 3, class: "end") : .none,
    ])
  }

  func text(
    _ text: String, _ x: Double, _ y: Double, class name: String = "", anchor: String = "start"
  ) -> Markup {
    Markup(
      "text", ["x": x.pixel, "y": y.pixel, "class": name, "text-anchor": anchor], .text(text))
  }
}

extension Double {
  /// The number with one decimal place.
  var pixel: String {
    let tenths = Int((self * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
  }
}
