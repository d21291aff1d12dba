public import Foundation
public import MagicAssets

extension MagicData {
  /// An asset with the content of a file, which is copied into the database's folder now: the
  /// transaction that saves it does not wait for that.
  ///
  /// Where the asset is never saved, the copy goes with it.
  ///
  /// - Parameter pathExtension: as in `MagicAsset`. Default: the file's own, where it may be one.
  /// - Throws: `MagicError`: `.inputOutput` where the file cannot be read, `.diskFull`, `.readOnly`;
  ///   `CancellationError`.
  public nonisolated func asset<Element>(
    of type: Element.Type = Data.self, contentsOf file: URL, pathExtension: String? = nil
  ) async throws -> MagicAsset<Element> {
    try await store.asset(of: type, contentsOf: file, pathExtension: pathExtension)
  }

  /// An asset with the bytes of a stream, which are written into the database's folder as they come,
  /// a quarter of a MiB of them in memory.
  ///
  /// Where the asset is never saved, the file goes with it.
  ///
  /// - Parameter pathExtension: as in `MagicAsset`. Default: none.
  /// - Throws: `MagicError`: `.diskFull`, `.readOnly`; what the stream throws; `CancellationError`.
  public nonisolated func asset<Element, Bytes: AsyncSequence>(
    of type: Element.Type = Data.self, streaming bytes: Bytes, pathExtension: String? = nil
  ) async throws -> MagicAsset<Element> where Bytes.Element: ContiguousBytes {
    try await store.asset(of: type, streaming: bytes, pathExtension: pathExtension)
  }
}
