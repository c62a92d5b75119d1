import CommandSupport
import GateModel

@testable import GateCore

extension Duration {
    static func days(_ count: Int) -> Duration { .seconds(Int64(count) * 24 * 3600) }
}

extension Configuration {
    /// A question that a grown-up may answer within three days.
    static let permission = Requirement.challenge(
        ChallengeRule(ChallengeSpecification(.confirm, answeredBy: .grownUp, mayWait: .days(3))))

    static let asks = {
        var configuration = gates
        configuration.gatedActions["page.open"] = GatedAction(title: "Open a page", requirement: permission)
        configuration.gatedActions["page.send"] = GatedAction(
            title: "Send a page", requirement: .all([.challenge(ChallengeRule(.arithmeticEntry)), permission]))
        configuration.gatedActions["page.print"] = GatedAction(
            title: "Print a page", requirement: .all([permission, .parentMode]))
        configuration.gatedActions["page.save"] = GatedAction(
            title: "Save a page", requirement: .any([.parentMode, permission]))
        return configuration
    }()
}

/// The answer to the request of a program that can wait for a grown-up.
enum Heard: Equatable {
    case granted
    /// The question waits under this number.
    case asked(UInt64)
    /// A grown-up has said no to this question now, or to the same one before.
    case refused
    case waits(WaitID)
    case other(GateError.Reason, what: String?)

    init(_ reply: Reply?) {
        switch reply {
        case .granted: self = .granted
        case .waiting(let wait): self = .waits(wait)
        case .refused(let error): self.init(error)
        default: self = .other(.unspecified, what: reply.map { "\($0)" })
        }
    }

    init(_ error: GateError) {
        switch error.reason {
        case .asked: self = .asked(UInt64(error.parameters["ask"] ?? "") ?? 0)
        case .refused: self = .refused
        default: self = .other(error.reason, what: error.parameters["what"])
        }
    }
}

extension Device {
    static let newYear = WallTime(unixMilliseconds: 1_767_225_600_000)

    /// Mia and Otto are children: the peer Ben is Mia's user, and Anna is Otto's. Olga is a grown-up.
    static func withAsks(_ configuration: Configuration = .asks) throws -> Device {
        var device = Device(configuration: configuration)
        device.wallTime = newYear
        for (name, peer, kind) in [
            ("mia", Peer.ben, GatePerson.Kind.child(born: nil)), ("otto", .anna, .child(born: nil)),
            ("olga", .olga, .grownUp),
        ] {
            let user = GatePerson.UnixUser(name: name, uid: peer.uid)
            try device.apply(.setPerson(GatePerson(name: name, kind: kind, user: user)), as: .root)
        }
        try device.recognizeAll()
        return device
    }

    mutating func recognizeAll() throws {
        let users = Set(state.people.compactMap(\.user?.uid))
        try apply(.usersChecked(recognized: users), as: .daemon)
    }

    /// A program asks, and can wait for the answer.
    mutating func asksFor(
        _ details: String, of gatedAction: String = "page.open", as peer: Peer = .ben, redeemer: UInt32? = nil,
        presenting: Presenting = .elsewhere
    ) throws -> Heard {
        var request = AuthorizationRequest(gatedAction: gatedAction, details: details, redeemer: redeemer)
        request.mayWait = true
        do throws(GateError) {
            return Heard(try apply(.authorize(request, presenting: presenting), as: peer).reply)
        } catch {
            return Heard(error)
        }
    }

    /// This device after the daemon was killed and started again, or after the whole device was.
    func restarted(rebooted: Bool = false, _ configuration: Configuration = .asks) throws -> Device {
        var stored = stored
        let now: BootTime = rebooted ? .seconds(3) : now
        if rebooted { stored.deviceRebooted(at: now) }
        var device = Device(stored, configuration: configuration)
        (device.now, device.wallTime) = (now, wallTime)
        try device.apply(.start, as: .daemon)
        try device.apply(.deadlineReached, as: .daemon)
        try device.recognizeAll()
        return device
    }

    func states(of peer: Peer = .olga) -> [UInt64: Ask.State] {
        Dictionary(uniqueKeysWithValues: state.asks(visibleTo: peer).map { ($0.id, $0.state) })
    }

    /// Whether the words stand anywhere in what is stored.
    func knows(_ words: String) -> Bool { String(reflecting: stored).contains(words) }
}
