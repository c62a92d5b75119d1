import GateGuardians
import GateModel
import Testing

@testable import GateHousehold

@Suite("A device of a household gets another name without leaving (H-01)")
struct RenamingTests {
    private typealias Sample = SampleHousehold
    private let now = FoundedHousehold.now

    @Test("renaming a device changes its name on the next list and nothing else")
    func onTheList() throws {
        var household = try FoundedHousehold()
        let device = try household.admit(try FoundedHousehold.newcomer(), guardian: "Tom").device
        let before = household.keeping.list
        let files = try household.keeping.rename(device, to: "Living room", now: now.advanced(by: .seconds(60)))
        #expect(files.map(\.path) == ["list.jws"])
        let list = try HouseholdList(signed: files[0].content, by: household.secret.signingKey.publicKey)
        #expect(list.number == before.number + 1 && list.issued == now.advanced(by: .seconds(60)))
        var expected = before.members
        expected[try #require(expected.firstIndex { $0.id == device })].name = "Living room"
        #expect(list.members == expected && household.keeping.list == list)
        #expect(try household.keeping.member(named: "Living room").id == device)
        #expect(throws: FoundingError.unknownDevice("Mia's tablet")) {
            try household.keeping.member(named: "Mia's tablet")
        }
        // The old name is free again, and the device with the household's key may have another one as well.
        _ = try household.admit(try FoundedHousehold.newcomer())
        _ = try household.keeping.rename(household.keeping.settings.device, to: "Study", now: now)
        #expect(household.keeping.list.member(household.keeping.settings.device)?.name == "Study")
    }

    @Test("a name that looks like another device's is refused, and one that looks like its own is not")
    func lookalikes() throws {
        var household = try FoundedHousehold()
        let device = try household.admit(try FoundedHousehold.newcomer()).device
        let gone = try household.admit(try FoundedHousehold.newcomer("Old tablet")).device
        let before = household.keeping.list
        for name in ["Kitchen laptop", "kitchen-laptop", "Кitсhen lарtор", "OLD TABLET"] {
            #expect(throws: FoundingError.refused(.name)) {
                try household.keeping.rename(device, to: name, now: now)
            }
        }
        #expect(household.keeping.list == before)
        _ = try household.keeping.rename(device, to: "Mia’s Tablet", now: now)
        _ = try household.keeping.revoke(gone, now: now)
        _ = try household.keeping.rename(device, to: "Old tablet", now: now)
        #expect(throws: FoundingError.unknownDevice(gone.description)) {
            try household.keeping.rename(gone, to: "Another", now: now)
        }
    }

    @Test("once gated knows it, a new name is published to other devices and Home Assistant")
    func said() throws {
        var machine = HouseholdStateMachine(
            household: Sample.household, device: Sample.me, name: "Mine", version: "0.9.0",
            homeAssistant: SampleHomeAssistant.machine())
        _ = machine.daemonReturned(.closed, at: .at(0))
        _ = machine.householdTold(challenge: Sample.challenge, isGuardians: false, name: "Mine", at: .at(0))
        _ = machine.taken(.report, at: .at(0))
        let first = machine.brokerConnected(at: .at(0))
        for id in first.publications { _ = machine.published(id, at: .at(0)) }
        let entities = first.publications.filter { if case .homeAssistant = $0 { true } else { false } }
        #expect(entities.count == HomeAssistantEntity.allCases.count)
        _ = machine.messageArrived(Sample.message(.guardians, [1]), at: .at(1000))
        #expect(machine.taken(.guardians, at: .at(1001)).contains(.askHousehold))
        let told = machine.householdTold(
            challenge: Sample.challenge, isGuardians: false, name: "Living room", at: .at(2000))
        #expect(told.states.map(\.name) == ["Living room"])
        let described = told.compactMap { action -> String? in
            guard case .publish(let publication) = action, entities.contains(publication.id) else { return nil }
            return String(decoding: publication.payload, as: UTF8.self)
        }
        #expect(described.count == entities.count)
        // Two are empty: what Home Assistant may not do, and what it is not told.
        let whole = described.filter { !$0.isEmpty }
        #expect(whole.count == entities.count - 2)
        #expect(whole.allSatisfy { $0.contains(#""name":"Living room""#) && $0.contains("gate_\(Sample.me)") })
        for id in told.publications { _ = machine.published(id, at: .at(3000)) }
        let again = machine.householdTold(
            challenge: Sample.challenge, isGuardians: false, name: "Living room", at: .at(4000))
        #expect(again.isEmpty, "nothing else has changed")
    }

    @Test("a description under way with the old name is followed by one with the new")
    func overtaken() {
        var machine = SampleHomeAssistant.machine()
        machine.brokerConnected()
        _ = machine.takeDescriptions()
        machine.deviceRenamed("Living room")
        for entity in HomeAssistantEntity.allCases { machine.publicationEnded(entity) }
        let told = machine.takeDescriptions()
        #expect(told.count == HomeAssistantEntity.allCases.count)
        #expect(String(decoding: told[0].payload, as: UTF8.self).contains("Living room"))
        for entity in HomeAssistantEntity.allCases { machine.publicationEnded(entity) }
        #expect(machine.takeDescriptions().isEmpty)
    }

    @Test("without a broker the new name is published on the next connection")
    func withoutBroker() {
        var machine = SampleHomeAssistant.machine()
        machine.deviceRenamed("Living room")
        #expect(machine.takeDescriptions().isEmpty)
        machine.brokerConnected()
        #expect(String(decoding: machine.takeDescriptions()[0].payload, as: UTF8.self).contains("Living room"))
    }

    @Test("gated gives the name that the list has for this device, or none if it is not listed")
    func ownName() {
        let member = HouseholdMember(id: Sample.me, name: "Living room", publicKey: [])
        var state = HouseholdState(
            household: Sample.household, device: Sample.me, listNumber: 2, listExpires: nil,
            members: [HouseholdMember(id: Sample.other, name: "Other", publicKey: []), member], challenge: [],
            publicKey: [])
        #expect(state.ownName == "Living room")
        state.members.removeLast()
        #expect(state.ownName == nil)
    }
}
