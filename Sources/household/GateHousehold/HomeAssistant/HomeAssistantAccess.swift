import Crypto
package import GateModel
import X509

/// The key and the certificate with which Home Assistant connects to the household's broker. It is no device of the
/// household: it has no key that a device would trust.
package struct HomeAssistantAccess: Sendable {
    /// The name at the broker, and the common name of the certificate. No device has this name, since the broker knows
    /// devices by their ids.
    package static let userName = "home-assistant"

    /// The files for Home Assistant, to be put into one folder.
    package let files: [HouseholdFile]
    package let ends: WallTime

    /// Makes a new key and its certificate; `nil` if the authority, in PEM, is not this household's.
    package init?(_ secret: HouseholdSecret, authority pem: [UInt8], now: WallTime) throws {
        guard let certificate = Certificate(pem: pem),
            let authority = HouseholdAuthority(secret, certificate: certificate)
        else { return nil }
        let key = P256.Signing.PrivateKey()
        let own = try authority.clientCertificate(
            Certificate.PublicKey(key.publicKey), named: Self.userName, now: now)
        ends = own.ends
        files = [
            HouseholdFile("ca.pem", try authority.certificate.pem, for: .nobody),
            HouseholdFile("\(Self.userName).pem", try own.pem, for: .nobody),
            HouseholdFile("\(Self.userName).key", Array((key.pemRepresentation + "\n").utf8), for: .nobody),
        ]
    }
}
