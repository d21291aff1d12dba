extension Double {
  /// `1.05`.
  var twoPlaces: String {
    guard isFinite else { return "–" }
    let hundredths = Int((magnitude * 100).rounded())
    let fraction = hundredths % 100
    let sign = self < 0 && hundredths > 0 ? "-" : ""
    return "\(sign)\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }

  /// `105`.
  var whole: String { isFinite ? String(Int(rounded())) : "–" }
}

extension Int {
  /// `1,000,000`.
  var grouped: String {
    let digits = Array(String(magnitude))
    var text = self < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }
}
