import GateCore
import GateModel
import GateProtocol
import TTRPCTransport

/// Everyone who watches state topics. A change is encoded once for all who are told the same, and its bytes are shared.
struct WatchHub {
    /// Whose presentations somebody sees.
    private enum Sight: Hashable {
        case all
        /// Paywalls, and what was asked for over this connection.
        case paywallsAndOwn(UInt64)
        /// What was asked for over this connection.
        case own(UInt64)

        init(of peer: Peer) {
            if !peer.roles.isDisjoint(with: [.presenter, .administrator]) {
                self = .all
            } else {
                self = peer.roles.contains(.provider) ? .paywallsAndOwn(peer.connection) : .own(peer.connection)
            }
        }
    }

    private struct Watcher {
        let session: PeerSession
        let topics: Topics
        /// As it was told last. Its roles may have changed since.
        var sight: Sight
        /// As it was told last: those that it may reach. `nil`: it does not watch them.
        var forms: [FormSummary]?
        var machine: WatcherStateMachine
    }

    /// What a message depends on, beside the state: watchers who agree in it share the bytes.
    private struct Audience: Hashable {
        let topics: Topics
        let first: UInt64
        /// `nil` where the message has no presentations.
        let sight: Sight?
        /// `nil` where the message has no forms.
        let forms: [FormSummary]?
    }

    private var watchers: [StreamKey: Watcher] = [:]
    /// Somebody may see more or less than before, from the next transition on.
    var haveRolesChanged = false

    var count: Int { watchers.count }

    /// Adds a watcher and brings it up to date: with nothing where it has seen the newest revision, else with a snapshot.
    mutating func add(_ key: StreamKey, of session: PeerSession, topics: Topics, after: Revision?, state: GateState) {
        let revision = state.revision
        watchers[key] = Watcher(
            session: session, topics: topics, sight: Sight(of: session.peer),
            forms: topics.contains(.forms) ? state.forms(visibleTo: session.peer) : nil,
            machine: WatcherStateMachine(told: revision.number))
        // What somebody sees who sees only their own depends on the connection, and that is a new one.
        let isCurrent = after == revision && (!topics.contains(.presentations) || Sight(of: session.peer) == .all)
        guard !isCurrent else { return }
        // Of another epoch, or of a future that a restored store no longer knows: everything is new to it.
        let isResumed = after.map { $0.epoch == revision.epoch && $0.number < revision.number } ?? false
        let first = isResumed ? (after?.number ?? 0) + 1 : min(1, revision.number)
        session.connection.send(
            key.stream,
            message: Self.message(state, topics, to: session.peer, first: first, isSnapshot: true).encoded())
    }

    mutating func remove(_ key: StreamKey) {
        watchers[key] = nil
    }

    /// Tells everyone of one transition what it changed for them.
    mutating func publish(from before: GateState, to after: GateState, statistics: inout Statistics) {
        guard !watchers.isEmpty else { return }
        defer { haveRolesChanged = false }
        var changed: Topics = after.modeState == before.modeState ? [] : .mode
        if before.presentations(visibleTo: .daemon) != after.presentations(visibleTo: .daemon) {
            changed.insert(.presentations)
        }
        if before.signIn != after.signIn { changed.insert(.signIn) }
        if before.entitlements != after.entitlements { changed.insert(.entitlements) }
        // Who is signed in, and what is shown where, decide about whose forms somebody reaches.
        if before.openForms != after.openForms || !changed.isDisjoint(with: [.signIn, .presentations]) {
            changed.insert(.forms)
        }
        guard !changed.isEmpty || haveRolesChanged else { return }
        var encoded: [Audience: SharedMessage] = [:]
        var forms: [FormSight: [FormSummary]] = [:]
        for index in watchers.values.indices {
            let key = watchers.keys[index]
            let topics = topics(changed, for: index, before, after, &forms)
            guard !topics.isEmpty else { continue }
            let session = watchers.values[index].session
            switch watchers.values[index].machine
                .changed(topics, number: after.revision.number, isBacklogged: session.connection.isBacklogged)
            {
            case .conflate:
                statistics.conflated += 1
            case .send(let first):
                let sight = topics.contains(.presentations) ? watchers.values[index].sight : nil
                let forms = topics.contains(.forms) ? watchers.values[index].forms : nil
                let audience = Audience(topics: topics, first: first, sight: sight, forms: forms)
                let message =
                    encoded[audience]
                    ?? SharedMessage(
                        Self.message(after, topics, to: session.peer, first: first, isSnapshot: false).encoded())
                encoded[audience] = message
                session.connection.send(key.stream, shared: message)
            }
        }
    }

    /// What of a change one watcher is told: of the presentations and the forms only what it may see.
    private mutating func topics(
        _ changed: Topics, for index: Dictionary<StreamKey, Watcher>.Values.Index, _ before: GateState,
        _ after: GateState, _ formsInSight: inout [FormSight: [FormSummary]]
    ) -> Topics {
        let watcher = watchers.values[index]
        var topics = changed.intersection(watcher.topics)
        if topics.contains(.forms) || (haveRolesChanged && watcher.topics.contains(.forms)) {
            let sight = after.formSight(of: watcher.session.peer)
            let forms = formsInSight[sight] ?? after.forms(in: sight)
            formsInSight[sight] = forms
            topics = forms == watcher.forms ? topics.subtracting(.forms) : topics.union(.forms)
            watchers.values[index].forms = forms
        }
        guard watcher.topics.contains(.presentations) else { return topics }
        let sight = Sight(of: watcher.session.peer)
        guard watcher.sight == sight else {
            watchers.values[index].sight = sight
            return topics.union(.presentations)
        }
        switch sight {
        case .all:
            return topics
        case .own, .paywallsAndOwn:
            let peer = watcher.session.peer
            let isSame =
                !topics.contains(.presentations)
                || before.presentations(visibleTo: peer) == after.presentations(visibleTo: peer)
            return isSame ? topics.subtracting(.presentations) : topics
        }
    }

    /// A watcher reads again: what it missed, in one message.
    mutating func drained(_ key: StreamKey, state: GateState) {
        switch watchers[key]?.machine.drained(number: state.revision.number) {
        case .send(let missed, let first):
            guard let session = watchers[key]?.session else { return }
            let message = Self.message(state, missed, to: session.peer, first: first, isSnapshot: false)
            session.connection.send(key.stream, message: message.encoded())
        case .nothing, nil:
            break
        }
    }

    /// What these topics say at a state, to this peer.
    private static func message(
        _ state: GateState, _ topics: Topics, to peer: Peer, first: UInt64, isSnapshot: Bool
    ) -> WatchResponse {
        WatchResponse(
            firstNumber: first, revision: state.revision, isSnapshot: isSnapshot,
            mode: topics.contains(.mode) ? state.modeState : nil,
            presentations: topics.contains(.presentations) ? state.presentations(visibleTo: peer) : nil,
            signIn: topics.contains(.signIn) ? state.signIn : nil,
            entitlements: topics.contains(.entitlements) ? state.entitlements : nil,
            forms: topics.contains(.forms) ? state.forms(visibleTo: peer) : nil)
    }
}
