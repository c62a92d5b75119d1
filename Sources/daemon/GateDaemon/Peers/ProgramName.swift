import GateModel

/// The name that a program gives itself. People see it unverified, so it must not look like anything but a name.
enum ProgramName {
    static let metadataKey = "program"

    /// Removes control characters, invisible characters and those that change the direction of a text, and cuts the
    /// name to `byteLimit` bytes of UTF-8.
    static func cleaned(_ name: String, byteLimit: Int) -> String {
        var cleaned = String.UnicodeScalarView()
        var byteCount = 0
        for element in name.shownScalars where element.isShown {
            byteCount += UTF8.width(element.scalar)
            guard byteCount <= byteLimit else { break }
            cleaned.append(element.scalar)
        }
        return String(cleaned)
    }
}
