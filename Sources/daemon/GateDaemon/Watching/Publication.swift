import GateCore
import GateModel
import GateProtocol
import TTRPCTransport

/// One change, as watchers are told of it. The message is encoded once for all watchers that are told the same.
///
/// Confined to the event loop.
final class Publication {
    /// Everything that a message depends on besides the state. Watchers with equal values share the bytes.
    private struct Audience: Hashable {
        let topics: Topics
        let first: UInt64
        /// `nil` if the message has no presentations.
        let sight: Sight?
        /// `nil` if the message has no forms.
        let forms: [FormSummary]?
    }

    private let before: GateState
    private let after: GateState
    private let changed: Topics
    private let haveRolesChanged: Bool
    /// The number of the newest revision in it.
    let number: UInt64
    private var encoded: [Audience: SharedMessage] = [:]
    /// Most watchers are told the same as the one before.
    private var last: (audience: Audience, message: SharedMessage)?
    private var formsInSight: [FormSight: [FormSummary]] = [:]

    /// - Parameter states: the state before the first of the transitions that became durable together, and the state
    ///   after each.
    /// - Returns: `nil` if no topic and no role has changed.
    convenience init?(_ states: [GateState], haveRolesChanged: Bool) {
        guard let before = states.first, let after = states.last else { return nil }
        // A topic that changed and changed back counts as changed.
        let changed = zip(states, states.dropFirst()).reduce(into: Topics()) { changed, step in
            changed.formUnion(Self.changed(from: step.0, to: step.1))
        }
        guard !changed.isEmpty || haveRolesChanged else { return nil }
        self.init(from: before, to: after, changed: changed, haveRolesChanged: haveRolesChanged)
    }

    private init(from before: GateState, to after: GateState, changed: Topics, haveRolesChanged: Bool) {
        (self.before, self.after, number) = (before, after, after.revision.number)
        (self.changed, self.haveRolesChanged) = (changed, haveRolesChanged)
    }

    /// Combines two publications into one, for watchers that were told of neither.
    func followed(by next: Publication) -> Publication {
        Publication(
            from: before, to: next.after, changed: changed.union(next.changed),
            haveRolesChanged: haveRolesChanged || next.haveRolesChanged)
    }

    private static func changed(from before: GateState, to after: GateState) -> Topics {
        var changed: Topics = after.modeState == before.modeState ? [] : .mode
        if before.presentations(visibleTo: .daemon) != after.presentations(visibleTo: .daemon) {
            changed.insert(.presentations)
        }
        if before.signIn != after.signIn { changed.insert(.signIn) }
        if before.entitlements != after.entitlements { changed.insert(.entitlements) }
        // Which forms a peer reaches also depends on who is signed in and on what is shown where.
        if before.openForms != after.openForms || !changed.isDisjoint(with: [.signIn, .presentations]) {
            changed.insert(.forms)
        }
        return changed
    }

    /// The topics of this change that one watcher is told.
    func topics(for watcher: inout Watcher, of session: PeerSession) -> Topics {
        let common = changed.intersection(watcher.topics)
        // Most watchers watch neither. For them the topics are the same, and nothing more has to be loaded from memory.
        guard !watcher.topics.isDisjoint(with: [.presentations, .forms]) else { return common }
        return topics(common, for: &watcher, of: session.peer)
    }

    /// The topics that one watcher is told: presentations and forms only if something that it may see has changed.
    private func topics(_ common: Topics, for watcher: inout Watcher, of peer: Peer) -> Topics {
        var topics = common
        if topics.contains(.forms) || (haveRolesChanged && watcher.topics.contains(.forms)) {
            let sight = after.formSight(of: peer)
            let forms = formsInSight[sight] ?? after.forms(in: sight)
            formsInSight[sight] = forms
            topics = forms == watcher.forms ? topics.subtracting(.forms) : topics.union(.forms)
            watcher.forms = forms
        }
        guard watcher.topics.contains(.presentations) else { return topics }
        let sight = Sight(of: peer)
        guard watcher.sight == sight else {
            watcher.sight = sight
            return topics.union(.presentations)
        }
        switch sight {
        case .all:
            return topics
        case .own, .paywallsAndOwn:
            // A watcher that began in between may have seen a presentation that is over by now.
            let isSame =
                !topics.contains(.presentations)
                || (watcher.machine.told <= before.revision.number
                    && before.presentations(visibleTo: peer) == after.presentations(visibleTo: peer))
            return isSame ? topics.subtracting(.presentations) : topics
        }
    }

    /// The message that tells one watcher of these topics, as the result of all revisions from `first` on.
    func message(
        _ topics: Topics, first: UInt64, for watcher: Watcher, of session: PeerSession
    ) -> SharedMessage {
        let audience = Audience(
            topics: topics, first: first, sight: topics.contains(.presentations) ? watcher.sight : nil,
            forms: topics.contains(.forms) ? watcher.forms : nil)
        if let last, last.audience == audience { return last.message }
        let message =
            encoded[audience]
            ?? SharedMessage(
                WatchResponse(after, topics, to: session.peer, first: first, isSnapshot: false).encoded())
        encoded[audience] = message
        last = (audience, message)
        return message
    }
}

extension WatchResponse {
    /// What these topics contain at a state, as far as this peer may see it.
    init(_ state: GateState, _ topics: Topics, to peer: Peer, first: UInt64, isSnapshot: Bool) {
        self.init(
            firstNumber: first, revision: state.revision, isSnapshot: isSnapshot,
            mode: topics.contains(.mode) ? state.modeState : nil,
            presentations: topics.contains(.presentations) ? state.presentations(visibleTo: peer) : nil,
            signIn: topics.contains(.signIn) ? state.signIn : nil,
            entitlements: topics.contains(.entitlements) ? state.entitlements : nil,
            forms: topics.contains(.forms) ? state.forms(visibleTo: peer) : nil)
    }
}
