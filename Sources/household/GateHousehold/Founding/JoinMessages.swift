import FoundationEssentials
import GateGuardians
package import GateModel

/// What a newcomer says of itself when it asks to join.
package struct JoinRequest: Hashable, Sendable {
    package var name: String
    /// The host name of its system, as the newcomer claims.
    package var host: String
    /// The public keys of its `gated`.
    package var keys: DevicePublicKeys
    /// The request for its certificate (PKCS #10) in DER.
    package var certificateRequest: [UInt8]
    /// 16 random bytes, so that no two requests are the same.
    package var nonce: [UInt8]

    package init(
        name: String, host: String, keys: DevicePublicKeys, certificateRequest: [UInt8], nonce: [UInt8]
    ) {
        self.name = name
        self.host = host
        self.keys = keys
        self.certificateRequest = certificateRequest
        self.nonce = nonce
    }

    /// Reads an opened request; `nil` if it has another form.
    package init?(_ bytes: [UInt8]) {
        guard let json = try? JSONDecoder().decode(RequestPayload.self, from: Data(bytes)), json.version == 1,
            json.name.isDeviceName(atMost: HouseholdSettings.maximumNameByteCount),
            json.host.isNameLine(atMost: HouseholdSettings.maximumNameByteCount), let key = bytes32(json.key),
            let sealing = bytes32(json.sealing), let request = Base64.bytes(json.request.utf8, .url),
            let nonce = Base64.bytes(json.nonce.utf8, .url), nonce.count == 16
        else { return nil }
        self.init(
            name: json.name, host: json.host, keys: DevicePublicKeys(signing: key, sealing: sealing),
            certificateRequest: request, nonce: nonce)
    }

    /// The request before it is sealed.
    package var bytes: [UInt8] {
        SortedJSON.bytes(
            of: RequestPayload(
                version: 1, name: name, host: host, key: keys.signing.base64URL, sealing: keys.sealing.base64URL,
                request: certificateRequest.base64URL, nonce: nonce.base64URL))
    }
}

/// What a newcomer gets when it is admitted.
package struct JoinAdmission: Hashable, Sendable {
    package var household: HouseholdID
    /// The household's Ed25519 key, 32 bytes.
    package var publicKey: [UInt8]
    package var device: HouseholdID
    /// The port of the broker for devices with a certificate.
    package var port: UInt16
    /// The newcomer's certificate in DER.
    package var certificate: [UInt8]
    /// The authority's certificate in DER.
    package var authority: [UInt8]
    /// The list of devices and guardians with the newcomer on it, as a JWS.
    package var list: [UInt8]

    package init(
        household: HouseholdID, publicKey: [UInt8], device: HouseholdID, port: UInt16, certificate: [UInt8],
        authority: [UInt8], list: [UInt8]
    ) {
        self.household = household
        self.publicKey = publicKey
        self.device = device
        self.port = port
        self.certificate = certificate
        self.authority = authority
        self.list = list
    }
}

package enum JoinAnswer: Hashable, Sendable {
    case admitted(JoinAdmission)
    case refused(JoinRefusal)
    /// A person is asked, and another answer follows. The code's seed comes with this one, for the check number.
    case asking(seed: [UInt8])

    /// Reads an opened answer; `nil` if it has another form. A reason of a newer version is read as `malformed`.
    package init?(_ bytes: [UInt8]) {
        guard let json = try? JSONDecoder().decode(AnswerPayload.self, from: Data(bytes)), json.version == 1 else {
            return nil
        }
        if let refused = json.refused {
            self = .refused(JoinRefusal(rawValue: refused) ?? .malformed)
            return
        }
        if let seed = json.asking {
            guard let seed = bytes32(seed) else { return nil }
            self = .asking(seed: seed)
            return
        }
        guard let json = json.admitted, let household = HouseholdID(json.household), let key = bytes32(json.key),
            let device = HouseholdID(json.device), json.port > 0,
            let certificate = Base64.bytes(json.certificate.utf8, .url),
            let authority = Base64.bytes(json.authority.utf8, .url)
        else { return nil }
        self = .admitted(
            JoinAdmission(
                household: household, publicKey: key, device: device, port: json.port, certificate: certificate,
                authority: authority, list: Array(json.list.utf8)))
    }

    /// The answer before it is sealed.
    package var bytes: [UInt8] {
        switch self {
        case .refused(let refusal):
            SortedJSON.bytes(of: AnswerPayload(version: 1, refused: refusal.rawValue))
        case .asking(let seed): SortedJSON.bytes(of: AnswerPayload(version: 1, asking: seed.base64URL))
        case .admitted(let admission):
            SortedJSON.bytes(
                of: AnswerPayload(
                    version: 1,
                    admitted: AnswerPayload.Admitted(
                        household: admission.household.description, key: admission.publicKey.base64URL,
                        device: admission.device.description, port: admission.port,
                        certificate: admission.certificate.base64URL, authority: admission.authority.base64URL,
                        list: String(decoding: admission.list, as: UTF8.self))))
        }
    }
}

// MARK: - JSON

private struct RequestPayload: Codable {
    var version: Int
    var name: String
    var host: String
    var key: String
    var sealing: String
    var request: String
    var nonce: String
}

private struct AnswerPayload: Codable {
    struct Admitted: Codable {
        var household: String
        var key: String
        var device: String
        var port: UInt16
        var certificate: String
        var authority: String
        var list: String
    }

    var version: Int
    var refused: String?
    var asking: String?
    var admitted: Admitted?
}

private func bytes32(_ text: String) -> [UInt8]? {
    Base64.bytes(text.utf8, .url).flatMap { $0.count == 32 ? $0 : nil }
}
