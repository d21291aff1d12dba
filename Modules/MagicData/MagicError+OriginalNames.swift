public import MagicSchema

// The errors of the original MagicData, which were the cases of an enumeration `MagicError`. Using
// one of them is an error that names the code of this library.

@_documentation(visibility: internal)
extension MagicError.Code {
  /// Reports a name of the original library.
  @available(*, unavailable, renamed: "cannotOpen")
  public static var cannotCreateFile: Self { cannotOpen }

  /// Reports a name of the original library.
  @available(*, unavailable, renamed: "missingValue")
  public static var missValue: Self { missingValue }

  /// Reports a name of the original library.
  @available(*, unavailable, renamed: "cannotEncode")
  public static var connetConvertToMagicConvert: Self { cannotEncode }

  /// Reports a name of the original library.
  @available(*, unavailable, renamed: "missingPrimary")
  public static var missPrimary: Self { missingPrimary }

  /// Reports a name of the original library.
  @available(*, unavailable, renamed: "notFound")
  public static var cannotFindValue: Self { notFound }

  /// Reports a name of the original library.
  @available(*, unavailable, renamed: "notSaved")
  public static var cannotFindZIndex: Self { notSaved }

  /// Reports a name of the original library.
  @available(*, unavailable, renamed: "notSaved")
  public static var missZIndex: Self { notSaved }

  /// Reports a name of the original library.
  @available(*, unavailable, renamed: "invalidSchema")
  public static var magicalCannotInArraryOrDictionary: Self { invalidSchema }

  /// Reports a name of the original library.
  @available(*, unavailable, renamed: "notFound")
  public static var missObject: Self { notFound }

  /// Reports a name of the original library.
  @available(*, unavailable, renamed: "notSaved")
  public static var objectHasNotSaved: Self { notSaved }

  /// Reports a name of the original library.
  @available(*, unavailable, renamed: "cannotDecode")
  public static var missData: Self { cannotDecode }
}

/// A case of the original `MagicError`, for `catch MagicError.missPrimary`.
@_documentation(visibility: internal)
public struct _MagicOriginalError: Sendable {
  /// Never true: the cases cannot be thrown.
  public static func ~= (pattern: Self, error: any Error) -> Bool { false }
}

@_documentation(visibility: internal)
extension MagicError {
  /// Reports a name of the original library.
  @available(*, unavailable, message: "catch MagicError, and compare its code with .cannotOpen")
  public static var cannotCreateFile: _MagicOriginalError { _MagicOriginalError() }

  /// Reports a name of the original library.
  @available(*, unavailable, message: "catch MagicError, and compare its code with .missingValue")
  public static var missValue: _MagicOriginalError { _MagicOriginalError() }

  /// Reports a name of the original library.
  @available(*, unavailable, message: "catch MagicError, and compare its code with .cannotEncode")
  public static var connetConvertToMagicConvert: _MagicOriginalError { _MagicOriginalError() }

  /// Reports a name of the original library.
  @available(*, unavailable, message: "catch MagicError, and compare its code with .missingPrimary")
  public static var missPrimary: _MagicOriginalError { _MagicOriginalError() }

  /// Reports a name of the original library.
  @available(*, unavailable, message: "catch MagicError, and compare its code with .notFound")
  public static var cannotFindValue: _MagicOriginalError { _MagicOriginalError() }

  /// Reports a name of the original library.
  @available(*, unavailable, message: "catch MagicError, and compare its code with .notSaved")
  public static var cannotFindZIndex: _MagicOriginalError { _MagicOriginalError() }

  /// Reports a name of the original library.
  @available(*, unavailable, message: "catch MagicError, and compare its code with .notSaved")
  public static var missZIndex: _MagicOriginalError { _MagicOriginalError() }

  /// Reports a name of the original library.
  @available(*, unavailable, message: "catch MagicError, and compare its code with .invalidSchema")
  public static var magicalCannotInArraryOrDictionary: _MagicOriginalError { _MagicOriginalError() }

  /// Reports a name of the original library.
  @available(*, unavailable, message: "catch MagicError, and compare its code with .notFound")
  public static var missObject: _MagicOriginalError { _MagicOriginalError() }

  /// Reports a name of the original library.
  @available(*, unavailable, message: "catch MagicError, and compare its code with .notSaved")
  public static var objectHasNotSaved: _MagicOriginalError { _MagicOriginalError() }

  /// Reports a name of the original library.
  @available(*, unavailable, message: "catch MagicError, and compare its code with .cannotDecode")
  public static var missData: _MagicOriginalError { _MagicOriginalError() }
}
