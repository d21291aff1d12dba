extension Double {
  /// `1.05`.
  var twoPlaces: String {
    guard isFinite else { return "–" }
    let hundredths = Int((magnitude * 100).rounded())
    let fraction = hundredths % 100
    return "\(self < 0 ? "-" : "")\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }

  /// `105`.
  var whole: String { isFinite ? String(Int(rounded())) : "–" }
}
