import Crypto
import FoundationEssentials
import GateGuardians
package import GateModel
import SwiftASN1
package import X509

/// A newcomer: the key and the request that it makes, and the files that it gets once it is admitted.
package struct HouseholdMembership: Sendable {
    package let request: JoinRequest
    private let key: P256.Signing.PrivateKey

    /// Makes a key and a certificate request. `host` is the system's name, `keys` are those of this device's `gated`.
    package init(
        name: String, host: String, keys: DevicePublicKeys, using random: inout some RandomNumberGenerator
    ) throws {
        key = P256.Signing.PrivateKey()
        let wanted = try CertificateSigningRequest(
            version: .v1, subject: DistinguishedName { CommonName("Gate") }, privateKey: Certificate.PrivateKey(key),
            attributes: CertificateSigningRequest.Attributes(), signatureAlgorithm: .ecdsaWithSHA256)
        var serializer = DER.Serializer()
        try serializer.serialize(wanted)
        request = JoinRequest(
            name: name, host: host, keys: keys, certificateRequest: serializer.serializedBytes,
            nonce: (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }

    /// Checks what the household has given, and returns the settings, and the files of the household's folder.
    /// - Throws: `otherAuthority` or `badAnswer`.
    package func files(
        _ admission: JoinAdmission, _ code: JoinCode, now: WallTime
    ) throws(FoundingError) -> (settings: HouseholdSettings, files: [HouseholdFile]) {
        guard code.isOfAuthority(admission.authority) else { throw .otherAuthority }
        guard let authority = try? Certificate(derEncoded: admission.authority),
            let certificate = try? Certificate(derEncoded: admission.certificate),
            let authorityPEM = try? authority.pem, let certificatePEM = try? certificate.pem
        else { throw .badAnswer("certificate") }
        guard certificate.vouches(for: Certificate.PublicKey(key.publicKey), admission.device, by: authority, at: now)
        else { throw .badAnswer("certificate") }
        guard let list = try? HouseholdList(signed: admission.list, by: admission.publicKey),
            list.household == admission.household, let member = list.member(admission.device),
            member.publicKey == request.keys.signing, member.name == request.name, !member.isRevoked
        else { throw .badAnswer("list") }
        let settings = HouseholdSettings(
            household: admission.household, device: admission.device, name: request.name,
            publicKey: admission.publicKey, broker: HouseholdSettings.Broker(host: code.host, port: admission.port),
            takesPolicy: true, sharesReceipts: true, sumsUsage: true)
        return (
            settings,
            [
                HouseholdFile(HouseholdFileName.authority, authorityPEM, for: .service),
                HouseholdFile(HouseholdFileName.certificate, certificatePEM, for: .service),
                HouseholdFile(HouseholdFileName.key, Array((key.pemRepresentation + "\n").utf8), for: .service),
                HouseholdFile(HouseholdFileName.list, admission.list, for: .service),
            ]
        )
    }
}

extension HouseholdMembership {
    /// The file for a new certificate of this device that came from the broker; `nil` if it is for another device or
    /// key, not signed by the authority, not valid now, or not newer than `old`. All certificates are in PEM.
    package static func renewedFile(
        _ new: [UInt8], old: [UInt8], authority: [UInt8], device: HouseholdID, now: WallTime
    ) -> HouseholdFile? {
        guard let new = Certificate(pem: new), let old = Certificate(pem: old),
            let authority = Certificate(pem: authority),
            new.ends > old.ends, new.vouches(for: old.publicKey, device, by: authority, at: now), let pem = try? new.pem
        else { return nil }
        return HouseholdFile(HouseholdFileName.certificate, pem, for: .service)
    }
}

extension HouseholdFile {
    /// - Throws: `otherAuthority` if the bytes are no certificate.
    package static func authority(_ der: [UInt8]) throws(FoundingError) -> HouseholdFile {
        guard let pem = try? Certificate(derEncoded: der).pem else { throw .otherAuthority }
        return HouseholdFile(HouseholdFileName.authority, pem, for: .service)
    }
}

extension Certificate {
    /// Whether this is the device's certificate for this key, signed by that authority, and valid now.
    package func vouches(
        for key: Certificate.PublicKey, _ device: HouseholdID, by authority: Certificate, at now: WallTime
    ) -> Bool {
        publicKey == key && commonName == device.description && issuer == authority.subject
            && authority.publicKey.isValidSignature(signature, for: self)
            && (notValidBefore...notValidAfter).contains(now.date)
    }
}
