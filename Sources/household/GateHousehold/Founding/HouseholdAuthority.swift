package import Crypto
import FoundationEssentials
package import GateModel
import SwiftASN1
package import X509

/// The household's certificate authority. It signs the certificates of the broker and of each device.
package struct HouseholdAuthority: Sendable {
    /// How long the certificates of the authority and of the broker are valid.
    package static let life = Duration.seconds(10 * 365 * 24 * 3600)
    package static let deviceLife = Duration.seconds(365 * 24 * 3600)
    /// How long before its end a certificate is renewed.
    package static let renewal = Duration.seconds(30 * 24 * 3600)
    /// How much a device's clock may be slow.
    private static let clockSkew = Duration.seconds(24 * 3600)

    package let certificate: Certificate
    private let key: P256.Signing.PrivateKey

    /// The certificate is valid from now on. It can replace an older one of this household, with the same name and key.
    package init(_ secret: HouseholdSecret, now: WallTime) throws {
        let key = secret.authorityKey
        self.key = key
        let name = try DistinguishedName {
            OrganizationName("Gate")
            CommonName("Household \(secret.household)")
        }
        certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: now.advanced(by: .zero - Self.clockSkew).date,
            notValidAfter: now.advanced(by: Self.life).date, issuer: name, subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                SubjectKeyIdentifier(keyIdentifier: Self.identifier(of: key.publicKey))
            }, issuerPrivateKey: Certificate.PrivateKey(key))
    }

    /// Takes up an authority that was made before; `nil` if the certificate is not for this household's key.
    package init?(_ secret: HouseholdSecret, certificate: Certificate) {
        key = secret.authorityKey
        guard certificate.publicKey == Certificate.PublicKey(key.publicKey) else { return nil }
        self.certificate = certificate
    }

    /// A certificate for the broker, valid as long as the authority's.
    package func brokerCertificate(
        _ publicKey: P256.Signing.PublicKey, host: String, now: WallTime
    ) throws -> Certificate {
        let name: GeneralName =
            BrokerAddress.address(host).map { .ipAddress(ASN1OctetString(contentBytes: $0[...])) } ?? .dnsName(host)
        return try signed(
            Certificate.PublicKey(publicKey), named: host, until: WallTime(certificate.notValidAfter), now: now
        ) {
            try ExtendedKeyUsage([.serverAuth])
            SubjectAlternativeNames([name])
        }
    }

    /// Its common name is the device's id, by which the broker tells who has written something.
    package func deviceCertificate(
        _ publicKey: Certificate.PublicKey, device: HouseholdID, now: WallTime
    ) throws -> Certificate {
        try clientCertificate(publicKey, named: device.description, now: now)
    }

    /// A certificate with this common name for a client of the broker, valid for `deviceLife` at most.
    package func clientCertificate(
        _ publicKey: Certificate.PublicKey, named name: String, now: WallTime
    ) throws -> Certificate {
        let end = min(now.advanced(by: Self.deviceLife), WallTime(certificate.notValidAfter))
        return try signed(publicKey, named: name, until: end, now: now) { try ExtendedKeyUsage([.clientAuth]) }
    }

    /// A signed list of the certificates that the broker must no longer accept, in PEM.
    package func revocationList(of serialNumbers: [Certificate.SerialNumber], now: WallTime) throws -> [UInt8] {
        try RevocationList(
            issuer: certificate.subject, issuerKey: Self.identifier(of: key.publicKey), serialNumbers: serialNumbers,
            issued: now.date, until: certificate.notValidAfter
        ).signed(with: key)
    }

    /// The certificates on such a list; `nil` if this authority has not signed it.
    package func revoked(in list: [UInt8]) -> [Certificate.SerialNumber]? {
        RevocationList.serialNumbers(in: list, signedBy: key.publicKey)
    }

    private func signed(
        _ publicKey: Certificate.PublicKey, named name: String, until end: WallTime, now: WallTime,
        @ExtensionsBuilder _ extensions: () throws -> Result<Certificate.Extensions, any Error>
    ) throws -> Certificate {
        let purpose = try extensions().get()
        let identifier = Self.identifier(of: key.publicKey)
        var all = try Certificate.Extensions {
            Critical(BasicConstraints.notCertificateAuthority)
            Critical(KeyUsage(digitalSignature: true))
            AuthorityKeyIdentifier(keyIdentifier: identifier)
        }
        for part in purpose { try all.append(part) }
        return try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
            notValidBefore: now.advanced(by: .zero - Self.clockSkew).date, notValidAfter: end.date,
            issuer: certificate.subject,
            subject: try DistinguishedName { CommonName(name) }, signatureAlgorithm: .ecdsaWithSHA256, extensions: all,
            issuerPrivateKey: Certificate.PrivateKey(key))
    }

    /// The key identifier: a digest of the key (RFC 5280, section 4.2.1.2, in the newer form of RFC 7093).
    private static func identifier(of key: P256.Signing.PublicKey) -> ArraySlice<UInt8> {
        Array(SHA256.hash(data: key.x963Representation).prefix(20))[...]
    }
}

extension WallTime {
    init(_ date: Date) {
        self.init(unixMilliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }

    /// Certificates count in whole seconds.
    var date: Date { Date(timeIntervalSince1970: Double(unixMilliseconds / 1000)) }
}

extension Certificate {
    /// Reads a certificate in PEM; `nil` if it has another form.
    package init?(pem: [UInt8]) {
        guard let certificate = try? Certificate(pemEncoded: String(decoding: pem, as: UTF8.self)) else { return nil }
        self = certificate
    }

    /// The certificate in PEM, with a newline at the end.
    package var pem: [UInt8] {
        get throws { Array((try serializeAsPEM().pemString + "\n").utf8) }
    }

    package var der: [UInt8] {
        get throws {
            var serializer = DER.Serializer()
            try serializer.serialize(self)
            return serializer.serializedBytes
        }
    }

    /// The common name in the subject; `nil` if there is not exactly one.
    package var commonName: String? {
        let names = subject.flatMap { $0 }.filter { $0.type == .RDNAttributeType.commonName }
        return names.count == 1 ? String(names[0].value) : nil
    }

    package var ends: WallTime { WallTime(notValidAfter) }
}
