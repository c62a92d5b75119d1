import GateModel

@testable import GateHousehold

/// A device as Home Assistant is told of it, for tests.
enum SampleHomeAssistant {
    static let names = HomeAssistantNames(
        mode: "Mode", end: "Parent mode until", connection: "Connection", lock: "Lock", extend: "Extend parent mode",
        request: "Last request", used: "Time used today", usedByPerson: "Time used today: {name}")

    static let description = HomeAssistantDescription(
        household: SampleHousehold.household, device: SampleHousehold.me, name: "Mine", version: "0.9.0", names: names)

    static func machine(
        may: Set<HomeAssistantPermission> = [], isFound: Bool = true, tellsWords: Bool = false
    ) -> HomeAssistantStateMachine {
        HomeAssistantStateMachine(
            description, settings: .init(may: may, isFound: isFound, tellsWords: tellsWords))
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

    /// The time that Mia has used of her games on a day, the first of which is 1 January 1970.
    static func used(_ minutes: Int, day: Int64 = 0, of person: String = "Mia", uid: UInt32 = 1002) -> UsedTime {
        UsedTime(
            person: person, uid: uid, subject: .allowance("games"),
            day: CivilDate(WallTime(unixMilliseconds: day * 86_400_000)), used: .seconds(minutes * 60 + 59), left: nil,
            isToday: true, isRunning: false)
    }

    static func message(_ text: String, isRetained: Bool = false, expiry: Duration? = nil) -> BrokerMessage {
        SampleHousehold.message(
            .homeAssistant(SampleHousehold.me), Array(text.utf8), isRetained: isRetained, expiry: expiry)
    }
}
