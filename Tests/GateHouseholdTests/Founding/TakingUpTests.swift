import GateGuardians
import GateModel
import SwiftASN1
import Testing
import X509

@testable import GateHousehold

@Suite("A first device that was restored from a backup (H-01)")
struct TakingUpTests {
    private var household: FoundedHousehold
    private let now = FoundedHousehold.now

    init() throws {
        household = try FoundedHousehold()
    }

    private func revoked(in files: [HouseholdFile]) throws -> [Certificate.SerialNumber] {
        let file = try #require(files.first { $0.path == HouseholdFileName.revoked })
        let authority = try #require(
            HouseholdAuthority(household.secret, certificate: Certificate(derEncoded: household.authority)))
        return try #require(authority.revoked(in: file.content))
    }

    private func list(in files: [HouseholdFile]) throws -> HouseholdList {
        let file = try #require(files.first { $0.path == HouseholdFileName.list })
        return try HouseholdList(signed: file.content, by: household.secret.signingKey.publicKey)
    }

    @Test("the newest known list is taken up, so the next one has later revocations")
    mutating func revocation() throws {
        let phone = try household.admit(try FoundedHousehold.newcomer("Phone"), guardian: "Tom")
        let backup = household.keeping
        _ = try household.keeping.revoke(phone.device, now: now)
        let newest = household.keeping.list
        for known in [[newest], [backup.list, newest], [newest, backup.list]] {
            var restored = backup
            let files = try restored.takeUp(known, revocations: [], now: now)
            #expect(try list(in: files) == newest)
            // Its certificate was signed before the backup, so it is known.
            #expect(try revoked(in: files) == [Certificate(derEncoded: phone.certificate).serialNumber])
            _ = try restored.renew(now: now)
            #expect(restored.list.number == newest.number + 1)
            #expect(restored.list.member(phone.device)?.isRevoked == true)
            #expect(restored.membersWithoutCertificates.isEmpty)
        }
    }

    @Test(
        "certificates revoked after the backup stay revoked, by the list that the broker keeps")
    mutating func revokedCertificates() throws {
        let backup = household.keeping
        let phone = try household.admit(try FoundedHousehold.newcomer("Phone"))
        let tablet = try household.admit(try FoundedHousehold.newcomer("Tablet"))
        let kept = try household.keeping.revoke(phone.device, now: now).first { $0.path == HouseholdFileName.revoked }
        let foreign = try FoundedHousehold().file(HouseholdFileName.revoked)
        var restored = backup
        let files = try restored.takeUp(
            [household.keeping.list], revocations: [foreign, try #require(kept).content, []], now: now)
        #expect(try revoked(in: files) == [Certificate(derEncoded: phone.certificate).serialNumber])
        #expect(restored.membersWithoutCertificates.map(\.id) == [tablet.device])
        // It stays there when the next device is revoked.
        let next = try restored.revoke(tablet.device, now: now)
        #expect(try revoked(in: next).count == 1)
        #expect(restored.revokedWithoutCertificates.count == 2)
    }

    @Test("of two lists with the same number, a device revoked on either stays revoked")
    mutating func sameNumber() throws {
        let phone = try household.admit(try FoundedHousehold.newcomer("Phone"))
        var backup = household.keeping
        _ = try household.keeping.revoke(phone.device, now: now)
        _ = try backup.renew(now: now)
        #expect(backup.list.number == household.keeping.list.number)
        let files = try backup.takeUp([household.keeping.list], revocations: [], now: now)
        #expect(try list(in: files).member(phone.device)?.isRevoked == true)
    }

    @Test("files that are already the newest stay unchanged")
    mutating func newest() throws {
        let old = household.keeping.list
        _ = try household.admit(try FoundedHousehold.newcomer())
        let (list, foreign) = (household.keeping.list, try FoundedHousehold().keeping.list)
        for known in [[], [old], [list], [foreign]] {
            #expect(try household.keeping.takeUp(known, revocations: [], now: now).isEmpty)
            #expect(household.keeping.list == list)
        }
    }

    @Test("a first device that has been replaced signs nothing more")
    mutating func replaced() throws {
        for isRevoked in [true, false] {
            var newer = household.keeping.list
            newer.number += 1
            newer.members = isRevoked ? newer.members : []
            for index in newer.members.indices { newer.members[index].isRevoked = true }
            #expect(throws: FoundingError.replaced(list: newer.number)) {
                try household.keeping.takeUp([newer], revocations: [], now: now)
            }
        }
    }

    @Test("a topic with a message before the echo has it retained at the broker, and any other topic is empty")
    func kept() async throws {
        let broker = MemoryBroker()
        broker.publish("gate/a", [1], isRetained: true)
        broker.publish("gate/other", [2], isRetained: true)
        let channel = try await broker.link.open("gate.example", 8883, .anyone, ["gate/a", "gate/b", "gate/echo"])
        let clock = JumpingClock()
        var kept: [String] = []
        try await channel.hearKept(echo: "gate/echo", within: .seconds(1), sleep: clock.sleep) { kept.append($0.topic) }
        #expect(kept == ["gate/a"])
    }

    @Test("a broker that does not return the echo is not believed to keep nothing")
    func mute() async throws {
        let broker = MemoryBroker { topic, payload in topic == "gate/echo" ? [] : [payload] }
        let channel = try await broker.link.open("gate.example", 8883, .anyone, ["gate/a", "gate/echo"])
        let clock = JumpingClock().thawed
        await #expect(throws: FoundingError.self) {
            try await channel.hearKept(echo: "gate/echo", within: .seconds(1), sleep: clock.sleep) { _ in }
        }
    }
}
