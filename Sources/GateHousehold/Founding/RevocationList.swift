import Crypto
import FoundationEssentials
import SwiftASN1
import X509

/// A list of revoked certificates (RFC 5280, section 5), which swift-certificates does not have.
struct RevocationList {
    let issuer: DistinguishedName
    let issuerKey: ArraySlice<UInt8>
    let serialNumbers: [Certificate.SerialNumber]
    let issued: Date
    let until: Date

    /// The list in PEM.
    func signed(with key: P256.Signing.PrivateKey) throws -> [UInt8] {
        var content = DER.Serializer()
        try serialize(into: &content)
        let signature = try key.signature(for: content.serializedBytes).derRepresentation
        var list = DER.Serializer()
        try list.appendConstructedNode(identifier: .sequence) { coder throws in
            coder.serializeRawBytes(content.serializedBytes)
            try Self.algorithm(&coder)
            try coder.serialize(ASN1BitString(bytes: Array(signature)[...]))
        }
        return Array((PEMDocument(type: "X509 CRL", derBytes: list.serializedBytes).pemString + "\n").utf8)
    }

    private func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder throws in
            // Version 2.
            try coder.serialize(1)
            try Self.algorithm(&coder)
            try coder.serialize(issuer)
            try Self.time(issued, &coder)
            try Self.time(until, &coder)
            // An empty one must not be there.
            if !serialNumbers.isEmpty {
                try coder.appendConstructedNode(identifier: .sequence) { coder throws in
                    for number in serialNumbers {
                        try coder.appendConstructedNode(identifier: .sequence) { coder throws in
                            // A number has no sign: without a zero before it, a large one would be another one.
                            let sign: [UInt8] = (number.bytes.first ?? 0) < 0x80 ? [] : [0]
                            coder.appendPrimitiveNode(identifier: .integer) {
                                $0.append(contentsOf: sign + number.bytes)
                            }
                            try Self.time(issued, &coder)
                        }
                    }
                }
            }
            try coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { coder throws in
                try coder.appendConstructedNode(identifier: .sequence) { coder throws in
                    try Self.serialize(
                        Certificate.Extension(AuthorityKeyIdentifier(keyIdentifier: issuerKey), critical: false), &coder
                    )
                    // Grows with each list.
                    try Self.serialize(
                        Certificate.Extension(
                            oid: [2, 5, 29, 20], critical: false,
                            value: Self.integer(Int64(issued.timeIntervalSince1970))[...]),
                        &coder)
                }
            }
        }
    }

    private static func integer(_ number: Int64) throws -> [UInt8] {
        var coder = DER.Serializer()
        try coder.serialize(number)
        return coder.serializedBytes
    }

    private static func serialize(_ part: Certificate.Extension, _ coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder throws in
            try coder.serialize(part.oid)
            try coder.serialize(ASN1OctetString(contentBytes: part.value))
        }
    }

    /// ECDSA with SHA-256.
    private static func algorithm(_ coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder throws in
            try coder.serialize([1, 2, 840, 10045, 4, 3, 2] as ASN1ObjectIdentifier)
        }
    }

    private static func time(_ date: Date, _ coder: inout DER.Serializer) throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        guard let year = parts.year, let month = parts.month, let day = parts.day, let hours = parts.hour,
            let minutes = parts.minute, let seconds = parts.second
        else { preconditionFailure("a moment has a date") }
        if (1950..<2050).contains(year) {
            try coder.serialize(
                UTCTime(year: year, month: month, day: day, hours: hours, minutes: minutes, seconds: seconds))
        } else {
            try coder.serialize(
                GeneralizedTime(
                    year: year, month: month, day: day, hours: hours, minutes: minutes, seconds: seconds,
                    fractionalSeconds: 0))
        }
    }
}
