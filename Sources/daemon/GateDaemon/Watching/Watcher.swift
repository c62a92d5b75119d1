import GateCore
import GateModel
import GateProtocol
import TTRPCTransport

/// One watcher: its topics, what it may see of them, and the newest revision that it was sent.
struct Watcher {
    let stream: UInt32
    let topics: Topics
    /// Which presentations the watcher could see when it was last sent a message. Its roles may have changed since.
    var sight: Sight
    /// The forms that the watcher could reach when it was last sent a message; `nil` if it does not watch forms.
    var forms: [FormSummary]?
    /// The asks that the watcher was last sent; `nil` if it does not watch asks.
    var asks: [Ask]?
    /// The used time that the watcher was last sent; `nil` if it does not watch that.
    var usage: [UsedTime]?
    /// Whether the watcher saw age ranges when it was last sent a message.
    var seesAges: Bool
    var machine: WatcherStateMachine

    init(_ stream: UInt32, of peer: Peer, topics: Topics, state: GateState) {
        self.stream = stream
        self.topics = topics
        sight = Sight(of: peer)
        forms = topics.contains(.forms) ? state.forms(visibleTo: peer) : nil
        asks = topics.contains(.asks) ? state.asks(visibleTo: peer) : nil
        usage = topics.contains(.usage) ? state.usageToday(visibleTo: peer) : nil
        seesAges = topics.contains(.ageRanges) && state.seesAges(peer)
        machine = WatcherStateMachine(told: state.revision.number)
    }
}

/// Which presentations a peer sees.
enum Sight: Hashable {
    case all
    /// Paywalls, and the presentations that were requested over this connection.
    case paywallsAndOwn(UInt64)
    case own(UInt64)

    init(of peer: Peer) {
        if !peer.roles.isDisjoint(with: [.presenter, .administrator]) {
            self = .all
        } else {
            self = peer.roles.contains(.provider) ? .paywallsAndOwn(peer.connection) : .own(peer.connection)
        }
    }
}

struct Topics: OptionSet, Hashable {
    let rawValue: UInt16

    static let mode = Topics(rawValue: 1 << 0)
    static let presentations = Topics(rawValue: 1 << 1)
    static let signIn = Topics(rawValue: 1 << 2)
    static let entitlements = Topics(rawValue: 1 << 3)
    static let forms = Topics(rawValue: 1 << 4)
    static let asks = Topics(rawValue: 1 << 5)
    static let schedules = Topics(rawValue: 1 << 6)
    static let usage = Topics(rawValue: 1 << 7)
    static let ageRanges = Topics(rawValue: 1 << 8)

    /// The topics of which different watchers may see different parts.
    static var seenInParts: Topics { [.presentations, .forms, .asks, .usage, .ageRanges] }
}

extension Topics {
    init(_ topics: Set<WatchTopic>) {
        self = topics.reduce(into: []) { $0.insert(Topics($1)) }
    }

    private init(_ topic: WatchTopic) {
        switch topic {
        case .mode: self = .mode
        case .presentations: self = .presentations
        case .signIn: self = .signIn
        case .entitlements: self = .entitlements
        case .forms: self = .forms
        case .asks: self = .asks
        case .schedules: self = .schedules
        case .usage: self = .usage
        case .ageRanges: self = .ageRanges
        }
    }
}

/// The newest revision that a watcher of state topics was sent. It gets a message for each change. While it does not
/// read fast enough it gets none, and then one for everything that it missed. The ranges of revisions in its messages
/// follow each other without gap or overlap. However slow a watcher is, it needs no more memory than this.
struct WatcherStateMachine: Hashable, Sendable {
    private enum State: Hashable {
        /// It was sent everything up to this revision that concerns it. Can go to: behind.
        case live(told: UInt64)
        /// It was sent everything up to this revision, and has missed later changes of these topics. Can go to: live.
        case behind(told: UInt64, missed: Topics)
    }

    private var state: State

    /// `number` is the revision that it knows when it begins to watch.
    init(told number: UInt64) {
        state = .live(told: number)
    }

    var told: UInt64 {
        switch state {
        case .live(let told), .behind(let told, _): told
        }
    }

    enum Changed: Hashable {
        /// Send it this change, as the result of all revisions from `first` on.
        case send(first: UInt64)
        /// Send nothing: the change becomes part of a later message.
        case conflate
    }

    mutating func changed(_ topics: Topics, number: UInt64, isBacklogged: Bool) -> Changed {
        switch state {
        case .live(let told) where isBacklogged:
            state = .behind(told: told, missed: topics)
            return .conflate
        case .live(let told):
            state = .live(told: number)
            return .send(first: told + 1)
        case .behind(let told, let missed):
            state = .behind(told: told, missed: missed.union(topics))
            return .conflate
        }
    }

    enum Drained: Hashable {
        /// Send the present content of these topics, as the result of all revisions from `first` on.
        case send(Topics, first: UInt64)
        case nothing
    }

    /// The kernel has taken everything that was queued for the watcher. `number` is the newest revision.
    mutating func drained(number: UInt64) -> Drained {
        switch state {
        case .live:
            return .nothing
        case .behind(let told, let missed):
            state = .live(told: number)
            return .send(missed, first: told + 1)
        }
    }
}

/// One change to publish to watchers. The message is encoded once for all watchers that get the same one. Confined to
/// the event loop.
final class Publication {
    /// Everything that a message depends on besides the state. Watchers with equal values share the bytes.
    private struct Audience: Hashable {
        let topics: Topics
        let first: UInt64
        /// `nil` if the message has no presentations.
        let sight: Sight?
        /// `nil` if the message has neither forms nor asks nor time used.
        let lists: Lists?
        let seesAges: Bool
    }

    /// The forms, the asks and the time used in a message; `nil` if it has none.
    private struct Lists: Hashable {
        let forms: [FormSummary]?
        let asks: [Ask]?
        let usage: [UsedTime]?
    }

    private let before: GateState
    private let after: GateState
    private let changed: Topics
    private let haveRolesChanged: Bool
    /// The number of the newest revision in it.
    let number: UInt64
    private var encoded: [Audience: SharedMessage] = [:]
    /// The message for the watcher before, without topics that watchers see in parts. Most watchers get the same
    /// message.
    private var same: (topics: Topics, first: UInt64, message: SharedMessage)?
    private var formsInSight: [FormSight: [FormSummary]] = [:]

    /// `states` are the state before the first of the transitions that became durable together, and the state after
    /// each. `nil` if no topic and no role has changed.
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

    /// Combines two publications into one, for watchers that were sent neither.
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
        if !before.hasSameAsks(as: after) { changed.insert(.asks) }
        if before.scheduleStates != after.scheduleStates { changed.insert(.schedules) }
        if !before.hasSameUsage(as: after) { changed.insert(.usage) }
        if !before.hasSameAges(as: after) { changed.insert(.ageRanges) }
        return changed
    }

    func topics(for watcher: inout Watcher, of session: PeerSession) -> Topics {
        let common = changed.intersection(watcher.topics)
        // Most watchers watch none of these. They need nothing of their session, which is not loaded from memory.
        guard !watcher.topics.isDisjoint(with: .seenInParts) else { return common }
        return topics(common, for: &watcher, of: session.peer)
    }

    /// The topics to send to one watcher. A topic of `seenInParts` is among them only if something that this watcher
    /// may see has changed.
    private func topics(_ common: Topics, for watcher: inout Watcher, of peer: Peer) -> Topics {
        var topics = common
        if topics.contains(.forms) || (haveRolesChanged && watcher.topics.contains(.forms)) {
            let sight = after.formSight(of: peer)
            let forms = formsInSight[sight] ?? after.forms(in: sight)
            formsInSight[sight] = forms
            topics = forms == watcher.forms ? topics.subtracting(.forms) : topics.union(.forms)
            watcher.forms = forms
        }
        if topics.contains(.asks) || (haveRolesChanged && watcher.topics.contains(.asks)) {
            let asks = after.asks(visibleTo: peer)
            topics = asks == watcher.asks ? topics.subtracting(.asks) : topics.union(.asks)
            watcher.asks = asks
        }
        if topics.contains(.usage) || (haveRolesChanged && watcher.topics.contains(.usage)) {
            let usage = after.usageToday(visibleTo: peer)
            topics = usage == watcher.usage ? topics.subtracting(.usage) : topics.union(.usage)
            watcher.usage = usage
        }
        if topics.contains(.ageRanges) || (haveRolesChanged && watcher.topics.contains(.ageRanges)) {
            let seesAges = after.seesAges(peer)
            // A watcher that sees age ranges gets every change of them, even if it only concerns an app that is not on
            // the list of waiting apps.
            let isTold = seesAges ? topics.contains(.ageRanges) || !watcher.seesAges : watcher.seesAges
            topics = isTold ? topics.union(.ageRanges) : topics.subtracting(.ageRanges)
            watcher.seesAges = seesAges
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

    func message(
        _ topics: Topics, first: UInt64, for watcher: Watcher, of session: PeerSession
    ) -> SharedMessage {
        let isSeenInParts = !topics.isDisjoint(with: .seenInParts)
        if !isSeenInParts, let same, same.topics == topics, same.first == first { return same.message }
        let audience = Audience(
            topics: topics, first: first, sight: topics.contains(.presentations) ? watcher.sight : nil,
            lists: topics.isDisjoint(with: [.forms, .asks, .usage])
                ? nil
                : Lists(
                    forms: topics.contains(.forms) ? watcher.forms : nil,
                    asks: topics.contains(.asks) ? watcher.asks : nil,
                    usage: topics.contains(.usage) ? watcher.usage : nil),
            seesAges: topics.contains(.ageRanges) && watcher.seesAges)
        let message =
            encoded[audience]
            ?? SharedMessage(
                WatchResponse(after, topics, to: session.peer, first: first, isSnapshot: false).encoded())
        encoded[audience] = message
        if !isSeenInParts { same = (topics, first, message) }
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
            forms: topics.contains(.forms) ? state.forms(visibleTo: peer) : nil,
            asks: topics.contains(.asks) ? state.asks(visibleTo: peer) : nil,
            schedules: topics.contains(.schedules) ? state.scheduleStates : nil,
            usage: topics.contains(.usage) ? state.usageToday(visibleTo: peer) : nil,
            ageRanges: topics.contains(.ageRanges) ? state.ageState(visibleTo: peer) : nil)
    }
}
