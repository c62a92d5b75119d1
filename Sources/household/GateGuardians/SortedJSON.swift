import FoundationEssentials

/// Writes JSON for other devices in one fixed form, with sorted keys and unescaped slashes, so that the same value
/// always gives the same bytes.
package enum SortedJSON {
    /// Traps if the value has no JSON. Strings, whole numbers, booleans, arrays and objects always have one.
    package static func bytes(of value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else {
            preconditionFailure("texts and whole numbers are always JSON")
        }
        return Array(data)
    }
}
