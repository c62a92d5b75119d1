import FoundationEssentials

/// JSON in the one way that Gate writes what other devices read: keys in their order, and no slash escaped.
package enum SortedJSON {
    /// Writes a value.
    ///
    /// - Parameter value: texts, whole numbers, and lists and objects of them, which always have a JSON.
    package static func bytes(of value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else {
            preconditionFailure("texts and whole numbers are always JSON")
        }
        return Array(data)
    }
}
