import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("What Home Assistant may do on a device (H-07)")
struct HomeAssistantCommandTests {
    /// A device in parent mode, verifying, or in child mode.
    private func device(_ mode: Mode, may: Set<HomeAssistantPermission>?) throws -> Device {
        var configuration = Configuration.ofTablet
        configuration.household?.homeAssistant = may.map { HouseholdSettings.HomeAssistant(may: $0) }
        var device = Device(configuration: configuration)
        switch mode {
        case .parent: try device.apply(.override(.parent, .seconds(900), reason: "homework is done"), as: .root)
        case .verifying: try device.apply(.toggle(presenting: .here), as: .anna)
        case .child: break
        }
        #expect(device.mode == mode)
        return device
    }

    private static let allowances: [Set<HomeAssistantPermission>?] = [
        nil, [], [.answer], [.extend], [.extend, .answer],
    ]

    @Test("Home Assistant can lock in every mode, whatever else it is allowed", arguments: Mode.allCases, allowances)
    func locks(mode: Mode, may: Set<HomeAssistantPermission>?) throws {
        var device = try device(mode, may: may)
        let count = device.journal.count
        try device.apply(.obeyHomeAssistant(.lock), as: .carrier)
        #expect(device.mode == .child)
        let entries = device.journal.dropFirst(count)
        #expect(entries.isEmpty == (mode == .child), "nothing is journalled where nothing happened")
        #expect(entries.allSatisfy { $0.detail.hasSuffix("for Home Assistant") && $0.actor?.uid == Peer.carrier.uid })
        #expect(device.stored == device.state.records)
    }

    @Test(
        "Home Assistant can extend parent mode if the device allows it, and no other mode", arguments: Mode.allCases,
        [HomeAssistantOrder.extend(nil), .extend(.seconds(1800))])
    func extends(mode: Mode, order: HomeAssistantOrder) throws {
        for may in Self.allowances {
            var device = try device(mode, may: may)
            let before = device.state.modeState
            guard may?.contains(.extend) ?? false else {
                let refusal = device.refusal(.obeyHomeAssistant(order), as: .carrier)
                #expect(refusal?.code == .permissionDenied && refusal?.reason == .notPermitted)
                #expect(refusal?.parameters["what"] == "home-assistant")
                #expect(refusal?.message.contains("may: [extend]") == true && device.state.modeState == before)
                continue
            }
            guard mode == .parent else {
                #expect(device.refusal(.obeyHomeAssistant(order), as: .carrier)?.reason == .notParent)
                #expect(device.state.modeState == before)
                continue
            }
            let count = device.journal.count
            try device.apply(.obeyHomeAssistant(order), as: .carrier)
            let lease = order == .extend(nil) ? device.state.configuration.lease : .seconds(1800)
            #expect(device.mode == .parent && device.state.modeState.deadline == device.now.advanced(by: lease))
            #expect(device.journal.dropFirst(count).map(\.kind) == [.extended])
            #expect(device.journal.last?.detail == "for \(lease.shortText), for Home Assistant")
            #expect(device.journal.last?.actor?.guardian == nil, "no guardian has signed it")
        }
    }

    @Test("a duration out of bounds is refused, as from anybody", arguments: [Duration.seconds(-1), .seconds(1 << 40)])
    func bounds(duration: Duration) throws {
        let device = try device(.parent, may: [.extend])
        #expect(device.refusal(.obeyHomeAssistant(.extend(duration)), as: .carrier)?.reason == .invalidRequest)
    }

    @Test("only the household's service can deliver Home Assistant's orders, and doing so gives it no other right")
    func permission() throws {
        var device = try device(.parent, may: [.extend])
        for peer in [Peer.anna, .mara, .olga, .shop] {
            for order in [HomeAssistantOrder.lock, .extend(nil)] {
                #expect(device.refusal(.obeyHomeAssistant(order), as: peer)?.parameters["what"] == "household")
            }
        }
        try device.apply(.obeyHomeAssistant(.extend(nil)), as: .carrier)
        #expect(device.refusal(.override(.child, nil, reason: "me"), as: .carrier)?.code == .permissionDenied)
        try device.apply(.obeyHomeAssistant(.lock), as: .carrier)
        #expect(device.refusal(.override(.parent, nil, reason: "me"), as: .carrier)?.code == .permissionDenied)
    }

    @Test("the journal tells Home Assistant from a guardian who gives its name as a reason")
    func name() throws {
        var tablet = try HouseholdDevice()
        #expect(try tablet.obey(.override(.parent, .seconds(900), reason: "for Home Assistant")) == nil)
        #expect(tablet.device.journal.last?.actor?.guardian?.name == "Anna")
        try tablet.device.apply(.obeyHomeAssistant(.lock), as: .carrier)
        #expect(tablet.device.journal.last?.detail == "for Home Assistant")
        #expect(tablet.device.journal.last?.actor?.guardian == nil)
    }

    @Test("a device of no household knows no Home Assistant")
    func none() throws {
        let device = Device()
        #expect(device.refusal(.obeyHomeAssistant(.lock), as: .carrier)?.reason == .notSetUp)
    }
}
