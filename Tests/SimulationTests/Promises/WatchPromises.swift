import GateCore
import GateModel
import GateProtocol

@testable import GateDaemon

/// The states that the daemon has published, by revision.
struct History {
    private var states: [Revision: GateState] = [:]

    /// The newest revision.
    private(set) var last: Revision?

    mutating func published(_ state: GateState) {
        last = state.revision
        states[state.revision] = state
    }

    func state(at revision: Revision) throws -> GateState {
        guard let state = states[revision] else { throw Broken(description: "nothing was published as \(revision)") }
        return state
    }
}

extension FormSummary {
    /// The summary as watchers get it, without the owner who is billed.
    fileprivate var told: FormSummary {
        var told = self
        told.holder = holder.told
        return told
    }
}

/// The promises of watching, one check each, held against every message that one watcher is sent. "Fail
/// closed" is the client's: `SimulatedWatcher` looks at it.
struct WatchPromises {
    private let topics: Set<WatchTopic>
    private var peer: Peer?
    /// The revision that the watch was opened after.
    private var after: Revision?
    /// The last revision that it was told of over this connection, or began after.
    private var last: Revision?
    private var hasMessages = false
    private var view = View()

    /// The state that a watcher has put together from its messages.
    private struct View: Equatable {
        var mode: ModeState?
        var presentations: [PresentationSummary]?
        var signIn: SignInState?
        var entitlements: EntitlementsState?
        var forms: [FormSummary]?

        init() {}

        init(_ state: GateState, _ topics: Set<WatchTopic>, to peer: Peer) {
            if topics.contains(.mode) { mode = state.modeState }
            if topics.contains(.presentations) { presentations = state.presentations(visibleTo: peer) }
            if topics.contains(.signIn) { signIn = state.signIn }
            if topics.contains(.entitlements) { entitlements = state.entitlements }
            if topics.contains(.forms) { forms = state.forms(visibleTo: peer).map(\.told) }
        }

        mutating func take(_ message: WatchResponse) {
            if message.isSnapshot { self = View() }
            mode = message.mode ?? mode
            presentations = message.presentations ?? presentations
            signIn = message.signIn ?? signIn
            entitlements = message.entitlements ?? entitlements
            forms = message.forms ?? forms
        }
    }

    init(topics: Set<WatchTopic>) {
        self.topics = topics
    }

    /// A watch was opened. The watcher forgets the topics that it does not resume.
    mutating func opened(after revision: Revision?, as peer: Peer) {
        self.peer = peer
        (after, last, hasMessages) = (revision, revision, false)
        if revision == nil { view = View() }
    }

    mutating func received(_ message: WatchResponse, _ history: History) throws {
        guard let peer else { throw Broken(description: "a message before the watch") }
        try isOrdered(message)
        try isUnique(message)
        try isResumed(message)
        view.take(message)
        (last, hasMessages) = (message.revision, true)
        try isWhole(message, history, peer)
    }

    /// Each message is of a later revision than the one before.
    private func isOrdered(_ message: WatchResponse) throws {
        guard let last, last.epoch == message.revision.epoch else { return }
        // Who sees only its own sees other things over another connection, at the same revision.
        // Who is current is told so, first of all and in a message that covers nothing.
        let isCurrent = message == WatchResponse(current: last)
        try hold(
            message.revision.number > last.number
                || (!hasMessages && (message.isSnapshot || isCurrent) && message.revision == last),
            "\(message.revision) came after \(last)")
        try hold(isCurrent || message.firstNumber <= message.revision.number, "a range that ends before it begins")
    }

    /// No revision is told twice, and none is left out.
    private func isUnique(_ message: WatchResponse) throws {
        guard hasMessages, let last else { return }
        try hold(!message.isSnapshot, "a snapshot in the middle of a watch")
        try hold(message.firstNumber == last.number + 1, "\(message.firstNumber)… came after \(last)")
    }

    /// Checks that the first message fits the revision that the watch was opened after; without one it has everything.
    private func isResumed(_ message: WatchResponse) throws {
        guard !hasMessages else { return }
        guard let after else {
            return try hold(message.isSnapshot, "a watch began without a snapshot")
        }
        guard message.revision != after else { return }
        try hold(message.firstNumber == after.number + 1, "\(message.firstNumber)… came to who knew \(after)")
    }

    /// With the message, the watcher knows the complete state of a revision: never half of a transition.
    private func isWhole(_ message: WatchResponse, _ history: History, _ peer: Peer) throws {
        let truth = View(try history.state(at: message.revision), topics, to: peer)
        try hold(view == truth, "the view at \(message.revision) is not the state: \(view), and not \(truth)")
    }

    /// Checks, when nothing is under way any more, that the watcher knows the newest state.
    func isCurrent(_ state: GateState) throws {
        guard let peer else { throw Broken(description: "a watcher without a watch") }
        let truth = View(state, topics, to: peer)
        try hold(view == truth, "a live watcher did not end at the newest state: \(view), and not \(truth)")
    }

    /// Checks that the mode which the program believes was true at the revision that it was told about.
    func believes(_ mode: ModeState, at revision: Revision, _ history: History) throws {
        guard topics.contains(.mode) else { return }
        let truth = try history.state(at: revision).modeState
        try hold(mode == truth, "believed at \(revision): \(mode)")
    }
}
