import GateModel

extension DeviceReport {
    /// - Throws: `INVALID_ARGUMENT` if a text or the challenge is malformed.
    func check() throws(GateError) {
        guard (1...HouseholdSettings.maximumNameByteCount).contains(name.utf8.count), name.isSingleLine else {
            throw .invalid("devices.name", "A device's name has 1 to 64 bytes, in one line.")
        }
        guard version.utf8.count <= 64, version.isSingleLine else {
            throw .invalid("devices.version", "A version has at most 64 bytes, in one line.")
        }
        guard challenge.isEmpty || challenge.count == 32 else {
            throw .invalid("devices.challenge", "A challenge has 32 bytes.")
        }
    }
}
