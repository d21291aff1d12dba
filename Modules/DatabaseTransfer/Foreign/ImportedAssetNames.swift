package import MagicFiles

/// The names of the assets of an import. A name contains the number of the column and the row, so that
/// no list of them is kept.
package struct ImportedAssetNames {
  private let batch: String

  package init() { batch = Self.digits(UInt64.random(in: .min ... .max)) }

  private static func digits(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static let rowBits: Int64 = 48

  package func name(_ column: Int, _ rowID: Int64, size: Int) throws -> AssetName {
    guard rowID > 0, rowID >> Self.rowBits == 0, column < 1 << 15,
      let name = AssetName(
        "\(batch)/\(Self.digits(UInt64(column) << UInt64(Self.rowBits) | UInt64(rowID)))"
          + "-\(String(size, radix: 16))")
    else { throw ValueFault(reason: "the number of its row is too large for an asset") }
    return name
  }

  /// Returns the column and the row of an asset; nil for a name of another form.
  package func place(of asset: AssetName) -> (column: Int, rowID: Int64)? {
    guard asset.batch == batch, let number = UInt64(asset.file.prefix(16), radix: 16) else {
      return nil
    }
    return (Int(number >> UInt64(Self.rowBits)), Int64(number & (1 << UInt64(Self.rowBits) - 1)))
  }
}
