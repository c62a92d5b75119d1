import Crypto
import GateGuardians
import GateModel
import Testing
import X509

@testable import GateHousehold

/// A household with its first device, for tests.
struct FoundedHousehold {
    static let now = WallTime(unixMilliseconds: 1_800_000_000_000)
    static let nobody = HouseholdID(String(repeating: "0", count: 32))!
    static let gatedKey = SigningKey()

    let secret = HouseholdSecret()
    let founding: HouseholdFounding
    var keeping: HouseholdKeeping
    var random = SystemRandomNumberGenerator()

    init(host: String = "gate.example", now: WallTime = Self.now) throws {
        var random = SystemRandomNumberGenerator()
        let broker = try #require(BrokerAddress(host))
        founding = try HouseholdFounding(
            HouseholdFounding.Request(name: "Kitchen laptop", guardian: "Anna", broker: broker), secret: secret,
            keys: Self.gatedKey.publicKeys, now: now, using: &random)
        keeping = founding.keeping
    }

    var authority: [UInt8] { get throws { try keeping.authorityBytes } }

    func code(_ seed: JoinSeed = JoinSeed()) throws -> JoinCode {
        JoinCode(host: "gate.example", port: 8884, authority: try authority, seed: seed)
    }

    func file(_ path: String) throws -> [UInt8] {
        try #require(founding.files.first { $0.path == path }).content
    }

    mutating func admit(
        _ membership: HouseholdMembership, guardian: String? = nil, now: WallTime = Self.now
    ) throws -> JoinAdmission {
        guard case .admitted(let admission) = try answer(to: membership.request, guardian: guardian, now: now) else {
            throw NotAdmitted()
        }
        return admission
    }

    mutating func answer(
        to request: JoinRequest, guardian: String? = nil, now: WallTime = Self.now
    ) throws -> JoinAnswer {
        try keeping.admit(request, guardian: guardian, now: now, using: &random).answer
    }

    struct NotAdmitted: Error {}

    static func newcomer(_ name: String = "Mia's tablet", key: SigningKey = SigningKey()) throws -> HouseholdMembership
    {
        var random = SystemRandomNumberGenerator()
        return try HouseholdMembership(name: name, host: "tablet-7", keys: key.publicKeys, using: &random)
    }
}

extension SigningKey {
    /// Those of a device with this key.
    var publicKeys: DevicePublicKeys {
        DevicePublicKeys(signing: publicKey, sealing: SealingKey(secret)?.publicKey ?? [])
    }
}
