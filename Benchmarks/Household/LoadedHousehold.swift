import Foundation
import GateClient
import GateCore
import GateGuardians
import GateHousehold
import GateModel

/// A sentence about why there are no figures.
struct LoadFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The household that `gate-household create` has founded, with so many devices more.
struct LoadedHousehold {
    let settings: HouseholdSettings
    /// Signed by the household's key.
    let signedList: [UInt8]
    let list: HouseholdList
    /// The keys of the simulated devices.
    let keys: [(HouseholdID, SigningKey)]

    /// - Parameters:
    ///   - secret: the content of `household.key`.
    ///   - sender: the list of the device that is there, as a JWS.
    init(secret: String, sender: [UInt8], count: Int, port: UInt16) throws {
        guard let secret = HouseholdSecret(recoveryKey: secret.trimmingCharacters(in: .whitespacesAndNewlines)),
            let old = try? HouseholdList(signed: sender, by: secret.signingKey.publicKey), let own = old.members.first
        else { throw LoadFailure("household.key and list.jws do not belong together") }
        var random = SystemRandomNumberGenerator()
        keys = (0..<count).map { _ in (HouseholdID(using: &random), SigningKey()) }
        let others = keys.enumerated().map { number, device in
            HouseholdMember(id: device.0, name: "Device \(number)", publicKey: device.1.publicKey)
        }
        let now = WallTime.now()
        list = HouseholdList(
            household: secret.household, number: UInt64(now.unixMilliseconds), issued: now,
            expires: now.advanced(by: .seconds(86_400)), members: [own] + others)
        signedList = SignedText.sign(list.payload, as: .list, with: secret.signingKey)
        settings = HouseholdSettings(
            household: secret.household, device: own.id, name: own.name, publicKey: secret.signingKey.publicKey,
            broker: .init(host: "localhost", port: port, authority: "", certificate: "", key: ""))
    }

    /// The devices of one thread of several.
    func devices(_ part: Int, of parts: Int, authority: String?) throws -> [SimulatedDevice] {
        let signed = SignedHouseholdList(list, signed: signedList, verifiedBy: settings.publicKey)
        return try keys.indices.filter { $0 % parts == part }.map { index in
            var own = settings
            (own.device, own.name) = (keys[index].0, "Device \(index)")
            var records = DurableRecords(revision: Revision(epoch: 1, number: 0))
            records.household = HouseholdRecord(
                list: signed, deviceKey: DeviceKey(publicKey: keys[index].1.publicKey, secret: keys[index].1.secret))
            return try SimulatedDevice(own, key: keys[index].1, records: records, authority: authority)
        }
    }
}
