public import Crypto
public import Foundation
public import SwiftASN1
public import X509

/// Root, intermediate and leaf, as Apple has them, and the leaf's key.
public struct StoreKitChain: Sendable {
    /// The faults that a chain can have.
    public struct Shape {
        public static let intermediateMarker: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]
        public static let leafMarker: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]

        public var intermediateMarker: ASN1ObjectIdentifier?
        public var leafMarker: ASN1ObjectIdentifier?
        public var areMarkersCritical: Bool
        public var isIntermediateAnAuthority: Bool
        public var rootValidity: Range<Date>
        public var intermediateValidity: Range<Date>
        public var leafValidity: Range<Date>

        public init(
            intermediateMarker: ASN1ObjectIdentifier? = Self.intermediateMarker,
            leafMarker: ASN1ObjectIdentifier? = Self.leafMarker, areMarkersCritical: Bool = false,
            isIntermediateAnAuthority: Bool = true, rootValidity: Range<Date> = Self.year(2014)..<Self.year(2039),
            intermediateValidity: Range<Date> = Self.year(2021)..<Self.year(2036),
            leafValidity: Range<Date> = Self.year(2025)..<Self.year(2028)
        ) {
            self.intermediateMarker = intermediateMarker
            self.leafMarker = leafMarker
            self.areMarkersCritical = areMarkersCritical
            self.isIntermediateAnAuthority = isIntermediateAnAuthority
            self.rootValidity = rootValidity
            self.intermediateValidity = intermediateValidity
            self.leafValidity = leafValidity
        }

        public static func year(_ year: Int) -> Date {
            DateComponents(calendar: Calendar(identifier: .gregorian), timeZone: .gmt, year: year).date ?? .distantPast
        }
    }

    public let root: Certificate
    public let rootKey: P256.Signing.PrivateKey
    public let intermediate: Certificate
    public let intermediateKey: P256.Signing.PrivateKey
    public let leaf: Certificate
    public let leafKey: P256.Signing.PrivateKey

    /// - Parameter keySeed: from which the keys follow, for what has to be as good in another process; `nil`: new keys.
    public init(_ shape: Shape = Shape(), keySeed: UInt8? = nil) throws {
        let keys = try (UInt8(0)..<3).map { index in
            guard let keySeed else { return P256.Signing.PrivateKey() }
            return try P256.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: keySeed, count: 31) + [index])
        }
        (rootKey, intermediateKey, leafKey) = (keys[0], keys[1], keys[2])
        let rootName = try DistinguishedName { CommonName("Test Root CA - G3") }
        let intermediateName = try DistinguishedName { CommonName("Test Developer Relations") }
        let leafName = try DistinguishedName { CommonName("Test Receipt Signing") }
        root = try Self.certificate(
            Certificate.PublicKey(rootKey.publicKey), named: rootName, valid: shape.rootValidity, isAuthority: true,
            marker: nil, by: rootName, Certificate.PrivateKey(rootKey))
        intermediate = try Self.certificate(
            Certificate.PublicKey(intermediateKey.publicKey), named: intermediateName,
            valid: shape.intermediateValidity, isAuthority: shape.isIntermediateAnAuthority,
            marker: shape.intermediateMarker.map { ($0, shape.areMarkersCritical) }, by: rootName,
            Certificate.PrivateKey(rootKey))
        leaf = try Self.certificate(
            Certificate.PublicKey(leafKey.publicKey), named: leafName, valid: shape.leafValidity, isAuthority: false,
            marker: shape.leafMarker.map { ($0, shape.areMarkersCritical) }, by: intermediateName,
            Certificate.PrivateKey(intermediateKey))
    }

    public static func certificate(
        _ key: Certificate.PublicKey, named name: DistinguishedName,
        valid: Range<Date> = Shape().leafValidity, isAuthority: Bool,
        marker: (ASN1ObjectIdentifier, isCritical: Bool)?, by issuer: DistinguishedName,
        _ issuerKey: Certificate.PrivateKey
    ) throws -> Certificate {
        let constraints: BasicConstraints =
            isAuthority ? .isCertificateAuthority(maxPathLength: nil) : .notCertificateAuthority
        var extensions = try Certificate.Extensions {
            Critical(constraints)
            Critical(KeyUsage(digitalSignature: !isAuthority, keyCertSign: isAuthority, cRLSign: isAuthority))
        }
        if let (marker, isCritical) = marker {
            // The content is NULL.
            try extensions.append(Certificate.Extension(oid: marker, critical: isCritical, value: [0x05, 0x00]))
        }
        return try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key, notValidBefore: valid.lowerBound,
            notValidAfter: valid.upperBound, issuer: issuer, subject: name, extensions: extensions,
            issuerPrivateKey: issuerKey)
    }

    /// The header that Apple writes.
    public var header: [String: any Sendable] {
        get throws { ["alg": "ES256", "x5c": try [leaf, intermediate, root].map { try $0.base64 }] }
    }

    /// A JWS of this payload, with another header or key where they are given.
    public func sign(
        _ payload: [String: any Sendable], header: [String: any Sendable]? = nil, key: P256.Signing.PrivateKey? = nil
    ) throws -> String {
        let segments = try [header ?? self.header, payload].map {
            Data(try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys)).base64URL
        }
        return try sign(segments.joined(separator: "."), key: key)
    }

    /// A signature over exactly this text, appended to it: two segments and a dot.
    public func sign(_ signed: String, key: P256.Signing.PrivateKey? = nil) throws -> String {
        let signature = try (key ?? leafKey).signature(for: Data(signed.utf8))
        return "\(signed).\(signature.rawRepresentation.base64URL)"
    }
}

extension Certificate {
    public var derBytes: [UInt8] {
        get throws {
            var serializer = DER.Serializer()
            try serializer.serialize(self)
            return serializer.serializedBytes
        }
    }

    public var base64: String {
        get throws { Data(try derBytes).base64EncodedString() }
    }
}

extension Data {
    /// Without padding (RFC 7515, section 2).
    public var base64URL: String {
        base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    public init?(base64URL text: some StringProtocol) {
        let plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        self.init(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4))
    }
}
