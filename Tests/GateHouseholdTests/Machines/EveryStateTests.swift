import GateModel
import Testing

@testable import GateHousehold

@Suite("Every event in every state")
struct EveryStateTests {
    private typealias Sample = SampleHousehold
    private typealias Machine = HouseholdStateMachine

    /// Broker lost or connected, with gated unknown, away, asked and present.
    private static let states: [(name: String, machine: Machine)] = {
        let new = Machine(
            household: Sample.household, device: Sample.me, name: "Mine", version: "0.9.0",
            sharesReceipts: true, sumsUsage: true, homeAssistant: SampleHomeAssistant.machine(tellsWords: true))
        var away = new
        _ = away.daemonLost(at: .at(0))
        var asked = new
        _ = asked.daemonReturned(.closed, at: .at(0))
        var present = asked
        _ = present.householdTold(challenge: Sample.challenge, isGuardians: true, at: .at(0))
        let lost = [("unknown", new), ("away", away), ("asked", asked), ("present", present)]
        let connected = lost.map { name, machine in
            var machine = machine
            _ = machine.brokerConnected(at: .at(0))
            return ("\(name), connected", machine)
        }
        return lost + connected
    }()

    private typealias Apply = @Sendable (inout Machine) -> [HouseholdAction]

    private static let events = single + taking + failing

    private static let single: [(name: String, apply: Apply)] = [
        ("brokerConnected", { $0.brokerConnected(at: .at(10_000)) }),
        ("brokerLost", { $0.brokerLost(at: .at(10_000)) }),
        ("published availability", { $0.published(.availability, at: .at(10_000)) }),
        ("published state", { $0.published(.state, at: .at(10_000)) }),
        ("published letter", { $0.published(.letter(1), at: .at(10_000)) }),
        ("published description", { $0.published(.homeAssistant(.mode), at: .at(10_000)) }),
        ("published question", { $0.published(.homeAssistantRequest, at: .at(10_000)) }),
        ("published use", { $0.published(.homeAssistantUsed, at: .at(10_000)) }),
        ("use", { $0.usageTold([SampleHomeAssistant.used(40)], at: .at(10_000)) }),
        ("Home Assistant's answer", { $0.messageArrived(SampleHomeAssistant.message("deny 6"), at: .at(10_000)) }),
        ("Home Assistant", { $0.messageArrived(SampleHomeAssistant.message("lock"), at: .at(10_000)) }),
        ("unheard letter", { $0.publicationUnheard(.letter(1), at: .at(10_000)) }),
        ("unheard state", { $0.publicationUnheard(.state, at: .at(10_000)) }),
        ("refused", { $0.publicationRefused(.state, at: .at(10_000)) }),
        (
            "state",
            { $0.messageArrived(Sample.message(.state(Sample.other), Sample.state().json), at: .at(10_000)) }
        ),
        ("availability", { $0.messageArrived(Sample.message(.availability(Sample.other), [1]), at: .at(10_000)) }),
        ("command", { $0.messageArrived(Sample.command("lock"), at: .at(10_000)) }),
        (
            "result",
            {
                $0.messageArrived(
                    Sample.message(.results(sender: Sample.other, target: Sample.me), [1]), at: .at(10_000))
            }
        ),
        ("guardians", { $0.messageArrived(Sample.message(.guardians, [1]), at: .at(10_000)) }),
        ("policy", { $0.messageArrived(Sample.message(.policy, [1]), at: .at(10_000)) }),
        ("receipt", { $0.messageArrived(Sample.message(.receipt(Sample.other, 1), [1]), at: .at(10_000)) }),
        ("own receipt", { $0.messageArrived(Sample.message(.receipt(Sample.me, 1), [1]), at: .at(10_000)) }),
        ("usage", { $0.messageArrived(Sample.message(.usage(Sample.other), [1]), at: .at(10_000)) }),
        ("own usage", { $0.messageArrived(Sample.message(.usage(Sample.me), [1]), at: .at(10_000)) }),
        ("published usage", { $0.published(.usage, at: .at(10_000)) }),
        ("usageTold", { $0.usageTold(OutgoingUsage(change: 2, signed: [1]), at: .at(10_000)) }),
        ("published receipt", { $0.published(.receipt(1), at: .at(10_000)) }),
        ("answer to an ask", { $0.messageArrived(Sample.answer("yes"), at: .at(10_000)) }),
        (
            "own answer",
            {
                $0.messageArrived(
                    Sample.message(.answer(sender: Sample.me, target: Sample.other, 3), [1]), at: .at(10_000))
            }
        ),
        ("published answer", { $0.published(.answer(RequestName(Sample.other, 3)), at: .at(10_000)) }),
        ("answerTaken", { $0.answerTaken(result: [1], at: .at(10_000)) }),
        ("answersTold", { $0.answersTold(Sample.answers, at: .at(10_000)) }),
        ("published policy", { $0.published(.policy, at: .at(10_000)) }),
        ("daemonReturned", { $0.daemonReturned(.closed, at: .at(10_000)) }),
        ("modeChanged", { $0.modeChanged(ModeState(mode: .verifying, deadline: nil), at: .at(10_000)) }),
        ("daemonLost", { $0.daemonLost(at: .at(10_000)) }),
        ("householdTold", { $0.householdTold(challenge: Sample.challenge, isGuardians: true, at: .at(10_000)) }),
        (
            "householdTold, no guardian's",
            {
                $0.householdTold(challenge: Sample.challenge, isGuardians: false, at: .at(10_000))
            }
        ),
        ("commandAnswered", { $0.commandAnswered(result: [1], challenge: Sample.challenge, at: .at(10_000)) }),
        ("collected", { $0.collected([OutgoingCommand(device: nil, signed: [1])], at: .at(10_000)) }),
        ("askedTold", { $0.askedTold(Sample.asked, at: .at(10_000)) }),
        ("sharedTold", { $0.sharedTold(Sample.shared, at: .at(10_000)) }),
        ("an hour passed", { $0.timePassed(at: .at(3_700_000)) }),
        ("timePassed", { $0.timePassed(at: .at(10_000)) }),
    ]

    private static let taking = [
        DaemonCall.result, .receipt, .usageElsewhere, .guardians, .policy, .report, .homeAssistant, .heard,
    ].map { call -> (name: String, apply: Apply) in
        ("taken \(call)", { $0.taken(call, at: .at(10_000)) })
    }

    private static let failing = DaemonCall.allCases.flatMap { call in
        [DaemonFailure.later, .never].map { failure -> (name: String, apply: Apply) in
            ("\(call) failed, \(failure)", { $0.callFailed(call, failure, jitter: 0.5, at: .at(10_000)) })
        }
    }

    @Test("in no state is anything published without the broker, or gated called while it is away", arguments: 0..<8)
    func promises(index: Int) {
        let (name, machine) = Self.states[index]
        for (event, apply) in Self.events {
            var machine = machine
            let actions = apply(&machine)
            if machine.broker == .lost { #expect(actions.publications.isEmpty, "\(event) in \(name)") }
            if !machine.isDaemonThere {
                #expect(
                    actions.allSatisfy { $0.call == nil }, "\(event) in \(name)")
            }
            // A second one of a kind is never begun while the first is under way.
            #expect(Set(actions).count == actions.count, "\(event) in \(name)")
            // The same event again: late and repeated events are harmless.
            _ = apply(&machine)
        }
    }

    @Test(
        "these promises hold in any order of events, and gated never has two calls of a kind at once (seeded)",
        arguments: 1...20)
    func anyOrder(seed: UInt64) {
        var random = SplitMix(state: seed)
        var (_, machine) = Self.states[Int(seed) % Self.states.count]
        var now: Int64 = 10_000
        var underWay: [DaemonCall: Int] = [:]
        for _ in 0..<3000 {
            now += Int64(random.next() % 400)
            let moment = Machine.Moment.at(now)
            let actions: [HouseholdAction]
            switch random.next() % 26 {
            case 0: actions = machine.brokerConnected(at: moment)
            case 1: actions = machine.brokerLost(at: moment)
            case 2: actions = machine.daemonReturned(.closed, at: moment)
            case 3: actions = machine.daemonLost(at: moment)
            case 4: actions = machine.messageArrived(Sample.command("\(now)"), at: moment)
            case 5:
                actions = machine.messageArrived(
                    Sample.message(
                        .state(Sample.device(Int(random.next() % 40))),
                        Sample.state(of: Sample.device(Int(random.next() % 40)), updated: now).json), at: moment)
            case 6: actions = machine.messageArrived(Sample.message(.guardians, [1]), at: moment)
            case 7: actions = machine.published(.letter(random.next() % 50), at: moment)
            case 8: actions = machine.published([.state, .availability][Int(random.next() % 2)], at: moment)
            case 9: actions = machine.modeChanged(.closed, at: moment)
            case 10: actions = machine.timePassed(at: moment)
            case 11: actions = machine.messageArrived(SampleHomeAssistant.message("extend"), at: moment)
            case 12: actions = machine.published(.homeAssistant(.mode), at: moment)
            case 13: actions = machine.messageArrived(Sample.message(.policy, [1]), at: moment)
            case 14: actions = machine.messageArrived(Sample.message(.receipt(Sample.other, 1), [1]), at: moment)
            case 15: actions = machine.published(.receipt(1 + random.next() % 3), at: moment)
            case 16: actions = machine.published(.homeAssistantRequest, at: moment)
            case 17: actions = machine.messageArrived(SampleHomeAssistant.message("approve 6"), at: moment)
            case 18: actions = machine.messageArrived(Sample.answer("\(now)"), at: moment)
            case 19: actions = machine.published(.answer(RequestName(Sample.other, 1 + random.next() % 3)), at: moment)
            case 20: actions = machine.messageArrived(Sample.message(.usage(Sample.other), [1]), at: moment)
            case 21: actions = machine.published(.usage, at: moment)
            case _:
                guard let call = underWay.keys.sorted(by: { "\($0)" < "\($1)" }).first else { continue }
                underWay[call] = nil
                actions = Self.end(call, &machine, &random, at: moment)
            }
            for action in actions {
                guard let call = action.call else {
                    #expect(machine.broker == .connected)
                    continue
                }
                #expect(machine.isDaemonThere && underWay[call] == nil, "two calls of a kind: \(call)")
                underWay[call] = 1
            }
            #expect(machine.commands.waiting.count <= 64)
            #expect(machine.outbox.letters.count { $0.isUnderWay } <= 16)
        }
    }

    private static func end(
        _ call: DaemonCall, _ machine: inout Machine, _ random: inout SplitMix, at moment: Machine.Moment
    ) -> [HouseholdAction] {
        switch random.next() % 4 {
        case 0: return machine.callFailed(call, .later, jitter: 0.5, at: moment)
        case 1: return machine.callFailed(call, .never, jitter: 0.5, at: moment)
        case _: break
        }
        switch call {
        case .household:
            return machine.householdTold(
                challenge: Sample.challenge, isGuardians: random.next() % 4 > 0, at: moment)
        case .command: return machine.commandAnswered(result: [1], challenge: Sample.challenge, at: moment)
        case .result, .receipt, .usageElsewhere, .guardians, .policy, .report, .homeAssistant, .heard:
            return machine.taken(call, at: moment)
        case .asked: return machine.askedTold(Sample.asked, at: moment)
        case .shared: return machine.sharedTold(Sample.shared, at: moment)
        case .answer: return machine.answerTaken(result: [1], at: moment)
        case .answers: return machine.answersTold(Sample.answers, at: moment)
        case .usage:
            return machine.usageTold(OutgoingUsage(change: 2, signed: [UInt8(random.next() % 3)]), at: moment)
        case .collect: return machine.collected([OutgoingCommand(device: nil, signed: [1])], at: moment)
        }
    }
}

extension HouseholdStateMachine {
    /// Whether it waits for nothing but the next challenge.
    var isQuiet: Bool { deadline == challengeRenewal }
}

extension HouseholdAction {
    /// The call to gated that it is; `nil`: it is for the broker.
    var call: DaemonCall? {
        switch self {
        case .publish, .listen, .hearReceipts: nil
        case .askHousehold: .household
        case .submitCommand: .command
        case .submitResult: .result
        case .submitGuardians: .guardians
        case .submitPolicy: .policy
        case .report: .report
        case .obeyHomeAssistant: .homeAssistant
        case .collect: .collect
        case .submitRequests: .heard
        case .collectRequests: .asked
        case .submitReceipt: .receipt
        case .collectReceipts: .shared
        case .submitAnswer: .answer
        case .collectAnswers: .answers
        case .collectUsage: .usage
        case .submitUsage: .usageElsewhere
        }
    }
}

/// A random generator that repeats its numbers for a seed.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
