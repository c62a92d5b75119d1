import GateModel

@testable import GateHousehold

/// A device as Home Assistant is told of it, for tests.
enum SampleHomeAssistant {
    static let names = HomeAssistantNames(
        mode: "Mode", end: "Parent mode until", connection: "Connection", lock: "Lock", extend: "Extend parent mode",
        request: "Last request")

    static let description = HomeAssistantDescription(
        household: SampleHousehold.household, device: SampleHousehold.me, name: "Mine", version: "0.9.0", names: names)

    static func machine(
        may: Set<HomeAssistantPermission> = [], isFound: Bool = true, chance: Double = 0
    ) -> HomeAssistantStateMachine {
        HomeAssistantStateMachine(description, settings: .init(may: may, isFound: isFound), chance: chance)
    }

    static func message(_ text: String, isRetained: Bool = false, expiry: Duration? = nil) -> BrokerMessage {
        SampleHousehold.message(
            .homeAssistant(SampleHousehold.me), Array(text.utf8), isRetained: isRetained, expiry: expiry)
    }
}
