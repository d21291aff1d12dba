// expected: 'missPrimary' has been renamed to 'missingPrimary'
import Foundation
import MagicData

func isMissing(_ error: MagicError) -> Bool { error.code == .missPrimary }
