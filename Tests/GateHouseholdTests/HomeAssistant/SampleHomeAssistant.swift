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
        may: Set<HomeAssistantPermission> = [], isFound: Bool = true
    ) -> HomeAssistantStateMachine {
        HomeAssistantStateMachine(description, settings: .init(may: may, isFound: isFound))
    }

    /// One that gated has told these questions, which were asked when time began.
    static func machine(asking numbers: [UInt64]) -> HomeAssistantStateMachine {
        var machine = machine()
        let requests = numbers.map {
            OutgoingRequest(
                number: $0, kind: "confirm", askedAt: WallTime(unixMilliseconds: 0), left: .seconds(120), sealed: [])
        }
        machine.questionsKnown(
            OutgoingRequests(change: 1, requests: requests), words: [:], at: BootTime(nanoseconds: 0))
        return machine
    }

    static func message(_ text: String, isRetained: Bool = false, expiry: Duration? = nil) -> BrokerMessage {
        SampleHousehold.message(
            .homeAssistant(SampleHousehold.me), Array(text.utf8), isRetained: isRetained, expiry: expiry)
    }
}
