import GateModel

@testable import GateHousehold

/// A household of some devices, for tests.
enum SampleHousehold {
    static let household = id("8f14e45fceea167a5a36dedd4bea2543")
    static let me = id(String(repeating: "a", count: 32))
    static let other = id(String(repeating: "b", count: 32))
    static let third = id(String(repeating: "c", count: 32))
    static let challenge = [UInt8](0..<32)

    static func id(_ digits: String) -> HouseholdID {
        guard let id = HouseholdID(digits) else { preconditionFailure("\(digits) is no id") }
        return id
    }

    /// This device asks one question.
    static let asked = OutgoingRequests(
        change: 2,
        requests: [
            OutgoingRequest(
                number: 6, kind: "confirm", askedAt: WallTime(unixMilliseconds: 7), left: .seconds(120),
                sealed: [SealedRequest(device: other, sealed: [8])])
        ])

    /// Two receipts of this device, and one that is no longer shared.
    static let shared = OutgoingReceipts(
        change: 2,
        receipts: [
            OutgoingReceipt(number: 1, signed: [1]), OutgoingReceipt(number: 2, signed: [2]),
            OutgoingReceipt(number: 3, signed: []),
        ])

    /// This device's guardian has answered two asks.
    static let answers = OutgoingAnswers(
        change: 2,
        answers: [
            OutgoingAnswer(name: RequestName(other, 1), signed: [1], left: .seconds(7200)),
            OutgoingAnswer(name: RequestName(third, 1), signed: [2], left: .seconds(7200)),
        ])

    /// A guardian's answer to an ask of this device, as the broker keeps it.
    static func answer(
        _ text: String, from sender: HouseholdID = other, to target: HouseholdID = me, _ number: UInt64 = 12,
        expiry: Duration? = .seconds(86_400)
    ) -> BrokerMessage {
        message(
            .answer(sender: sender, target: target, number), Array(text.utf8), isRetained: true, expiry: expiry)
    }

    /// The device with that number.
    static func device(_ number: Int) -> HouseholdID {
        let digits = String(number, radix: 16)
        return id(String(repeating: "0", count: 32 - digits.count) + digits)
    }

    static func state(
        of device: HouseholdID = other, name: String = "Tablet", mode: Mode = .child, updated: Int64 = 1000
    ) -> DeviceStateMessage {
        DeviceStateMessage(
            device: device, name: name, mode: mode, parentUntil: nil, updated: WallTime(unixMilliseconds: updated),
            challenge: challenge, gate: "0.9.0")
    }

    static func message(
        _ topic: HouseholdTopic, _ payload: [UInt8], isRetained: Bool = false, expiry: Duration? = nil
    ) -> BrokerMessage {
        BrokerMessage(topic: topic.text(in: household), payload: payload, isRetained: isRetained, expiry: expiry)
    }

    /// A command from a device, for this one unless it says otherwise.
    static func command(
        _ text: String, from sender: HouseholdID = other, to target: HouseholdID? = me, isRetained: Bool = false,
        expiry: Duration? = nil
    ) -> BrokerMessage {
        message(
            .commands(sender: sender, target: target), Array(text.utf8), isRetained: isRetained, expiry: expiry)
    }
}

extension HouseholdStateMachine.Moment {
    /// So many milliseconds after the boot, and after a day in the year 2026.
    static func at(_ milliseconds: Int64) -> Self {
        Self(
            boot: BootTime(nanoseconds: milliseconds * 1_000_000),
            wall: WallTime(unixMilliseconds: 1_800_000_000_000 + milliseconds))
    }
}

extension [HouseholdAction] {
    /// What is published, by its name.
    var publications: [Publication.ID] {
        compactMap { action in
            if case .publish(let publication) = action { publication.id } else { nil }
        }
    }

    var states: [DeviceStateMessage] {
        compactMap { action in
            guard case .publish(let publication) = action, publication.id == .state else { return nil }
            return DeviceStateMessage(json: publication.payload)
        }
    }

    var letters: [Publication] {
        compactMap { action in
            guard case .publish(let publication) = action, case .letter = publication.id else { return nil }
            return publication
        }
    }

    /// What gated is given, as text.
    var commands: [String] {
        compactMap { if case .submitCommand(let signed) = $0 { String(decoding: signed, as: UTF8.self) } else { nil } }
    }

    var results: [String] {
        compactMap { if case .submitResult(let signed) = $0 { String(decoding: signed, as: UTF8.self) } else { nil } }
    }

    var news: [DeviceNews] {
        compactMap { if case .report(let news) = $0 { news } else { nil } }
    }
}
