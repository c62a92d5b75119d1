public import ArgumentParser
import GateClient
public import GateModel
import GateTexts

struct WaitVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: localized("Wait for a mode, for somebody to sign in, or for a purchase."),
        discussion: """
            For example: gatectl wait --mode child
            And: gatectl wait --signed-in --entitled premium

            Several conditions have to be met at the same time. If the daemon dies meanwhile, the device is in child \
            mode, nobody is signed in, and no purchase is active.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Option(help: "The mode to wait for.")
    var mode: Mode?

    @Flag(help: "Wait until somebody is signed in.")
    var signedIn = false

    @Option(help: ArgumentHelp("Wait until this entitlement is active.", valueName: "name"))
    var entitled: String?

    func validate() throws {
        if mode == nil, !signedIn, entitled == nil {
            throw ValidationError("Say what to wait for: --mode, --signed-in or --entitled.")
        }
    }

    func perform(_ session: Session) async throws(GateError) {
        var wait = Wait(mode: mode, isForSignIn: signedIn, entitlement: entitled)
        var lines = WatchLines(isJSON: session.output.isJSON, colours: session.output.colours, topics: wait.topics)
        var hasBegun = false
        for await event in session.gate.events(of: wait.topics) {
            switch event {
            case .snapshot, .change, .resumed:
                hasBegun = true
                if let unknown = wait.unknownEntitlement(in: event) { throw unknown }
            case .lost(let error):
                // Without a daemon, events say child mode. That counts only if a daemon has answered before.
                if !hasBegun, mode == .child || !error.mendsItself { throw error }
                if !wait.isMet(after: event) {
                    session.output.note("gatectl: \(RefusalText.sentence(error)) " + localized("Waiting."))
                }
            }
            guard wait.isMet(after: event) else { continue }
            for line in try lines.lines(for: event, now: .now()) { session.output.line(line) }
            return
        }
    }
}

/// The conditions that `wait` waits for, and which of them are met by now.
struct Wait: Hashable {
    let mode: Mode?
    let isForSignIn: Bool
    let entitlement: String?
    private var modeNow: Mode?
    private var isSignedIn = false
    private var isEntitled = false

    init(mode: Mode?, isForSignIn: Bool, entitlement: String?) {
        self.mode = mode
        self.isForSignIn = isForSignIn
        self.entitlement = entitlement
    }

    var topics: Set<WatchTopic> {
        var topics: Set<WatchTopic> = []
        if mode != nil { topics.insert(.mode) }
        if isForSignIn { topics.insert(.signIn) }
        if entitlement != nil { topics.insert(.entitlements) }
        return topics
    }

    /// The error if the policy has no such entitlement, for which `wait` would wait for ever.
    func unknownEntitlement(in event: WatchEvent) -> GateError? {
        guard let entitlement, let state = event.entitlements,
            !state.entitlements.contains(where: { $0.id == entitlement })
        else { return nil }
        return GateError(
            .notFound, .unknown,
            saying: localized(
                "The policy names no entitlement '{name}'. See them with `gatectl entitlements`.", ["name": entitlement]
            ))
    }

    mutating func isMet(after event: WatchEvent) -> Bool {
        modeNow = event.mode?.mode ?? modeNow
        if let signIn = event.signIn { isSignedIn = signIn.session != nil }
        if let state = event.entitlements {
            isEntitled = state.entitlements.contains { $0.id == entitlement && $0.isActive }
        }
        return (mode == nil || mode == modeNow) && (!isForSignIn || isSignedIn) && (entitlement == nil || isEntitled)
    }
}

extension Mode: ExpressibleByArgument {}
