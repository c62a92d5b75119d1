import Crypto
package import GateModel
import X509

/// The things with which Home Assistant gets into the household's broker. It is no device: it has no key that a device would believe.
package struct HomeAssistantAccess: Sendable {
    /// Its name at the broker, and the common name of its certificate. It is no device's: those are ids.
    package static let userName = "home-assistant"

    /// The files for Home Assistant, without a folder.
    package let files: [HouseholdFile]
    /// When its certificate ends.
    package let ends: WallTime

    /// Makes a new key, and a certificate for it.
    ///
    /// - Parameter authority: the household's, in PEM.
    /// - Returns: `nil` where the authority is not of this household.
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
