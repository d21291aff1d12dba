extension Int {
  /// The number with commas as separators of thousands.
  var grouped: String {
    let digits = String(magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return self < 0 ? "-" + text : text
  }

  /// A number of bytes in a unit of three digits or fewer.
  var bytes: String {
    guard self >= 1_024 else { return "\(self) B" }
    var (amount, units) = (Double(self) / 1_024, ["KiB", "MiB", "GiB", "TiB"][...])
    while amount >= 1_000, units.count > 1 {
      amount /= 1_024
      units.removeFirst()
    }
    let tenths = Int((amount * 10).rounded())
    let number = tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : ((tenths + 5) / 10).grouped
    return "\(number) \(units.first ?? "")"
  }

  /// The number with a noun, in the plural unless it is 1.
  func counted(_ noun: String, _ plural: String? = nil) -> String {
    "\(grouped) \(self == 1 ? noun : plural ?? noun + "s")"
  }
}
