import GateModel

/// How a program names itself, as people get to read it: unverified, so it must not look like anything but a name.
enum ProgramName {
    /// The entry of a call's metadata that carries it.
    static let metadataKey = "program"

    /// Without control characters, and without those that turn the direction of a text or are not seen; cut to the limit,
    /// in bytes of UTF-8.
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
