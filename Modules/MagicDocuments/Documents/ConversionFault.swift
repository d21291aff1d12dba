/// Why a value of a file cannot be converted.
struct ConversionFault: Error {
  let reason: String
}
