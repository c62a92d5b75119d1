import ArgumentParser
import GateClient

enum UserText {
    static func parse(_ text: String) throws(ValidationError) -> UInt32 {
        guard let uid = GateClientOptions.TrustedServers.userID(of: text) else {
            throw ValidationError("There is no user '\(text)' on this device. Give a name or a uid.")
        }
        return uid
    }
}
