package import CGateProtocol
package import GateModel
import ProtobufScan

// watch.proto: the state and its changes. AuditWire.swift has the journal.

extension Methods {
    package enum Watch {
        package static let watch = Method<WatchRequest, WatchResponse>(service, "Watch", .serverStream)
        static let service = "gate.v1.Watch"
    }
}

extension WatchTopic: EnumMapping {
    var wire: Gate__V1__Topic {
        switch self {
        case .mode: GATE__V1__TOPIC__TOPIC_MODE
        case .presentations: GATE__V1__TOPIC__TOPIC_PRESENTATIONS
        case .signIn: GATE__V1__TOPIC__TOPIC_SIGN_IN
        case .entitlements: GATE__V1__TOPIC__TOPIC_ENTITLEMENTS
        case .forms: GATE__V1__TOPIC__TOPIC_FORMS
        case .asks: GATE__V1__TOPIC__TOPIC_ASKS
        case .schedules: GATE__V1__TOPIC__TOPIC_SCHEDULES
        case .usage: GATE__V1__TOPIC__TOPIC_USAGE
        case .ageRanges: GATE__V1__TOPIC__TOPIC_AGE
        }
    }
}

package struct WatchRequest: MappedMessage {
    package var topics: Set<WatchTopic>
    /// The last revision that the watcher has seen; `nil`: the watch begins with a snapshot.
    package var after: Revision?

    package init(topics: Set<WatchTopic>, after: Revision? = nil) {
        self.topics = topics
        self.after = after
    }

    init(reading message: Gate__V1__WatchRequest) throws(GateError) {
        self.init(
            topics: try Set(
                reading: message.topics, count: message.n_topics, of: "gate.v1.WatchRequest.topics"))
        if let after = message.after {
            self.after = Revision(reading: after.pointee)
        }
    }

    func write(to message: inout Gate__V1__WatchRequest, in arena: inout MessageArena) {
        (message.topics, message.n_topics) = arena.numbers(topics.wire())
        message.after = arena.message(optional: after)
    }
}

/// The result of one or more transitions. A part of the state is `nil` if it did not change in these revisions (and
/// this is not a snapshot), or if its topic is not watched.
package struct WatchResponse: MappedMessage {
    package var firstNumber: UInt64
    package var revision: Revision
    package var isSnapshot: Bool
    package var mode: ModeState?
    /// All presentations that this watcher may see, in the order in which they are shown.
    package var presentations: [PresentationSummary]?
    package var signIn: SignInState?
    package var entitlements: EntitlementsState?
    /// All drafts that this watcher may see, sorted by name, then by holder.
    package var forms: [FormSummary]?
    /// All asks that this watcher may see, by number.
    package var asks: [Ask]?
    /// All schedules that gated actions name, sorted by name.
    package var schedules: [ScheduleState]?
    /// The time used today that this watcher may see, by user, then by what is counted.
    package var usage: [UsedTime]?
    /// Present if any setting or choice has changed, also one that is not in it.
    package var ageRanges: AgeState?

    package init(
        firstNumber: UInt64, revision: Revision, isSnapshot: Bool, mode: ModeState?,
        presentations: [PresentationSummary]?, signIn: SignInState? = nil, entitlements: EntitlementsState? = nil,
        forms: [FormSummary]? = nil, asks: [Ask]? = nil, schedules: [ScheduleState]? = nil, usage: [UsedTime]? = nil,
        ageRanges: AgeState? = nil
    ) {
        self.firstNumber = firstNumber
        self.revision = revision
        self.isSnapshot = isSnapshot
        self.mode = mode
        self.presentations = presentations
        self.signIn = signIn
        self.entitlements = entitlements
        self.forms = forms
        self.asks = asks
        self.schedules = schedules
        self.usage = usage
        self.ageRanges = ageRanges
    }

    /// The first message to a watcher that has already seen the newest revision. It covers no revision, and says only
    /// that the watcher is up to date.
    package init(current revision: Revision) {
        self.init(
            firstNumber: revision.number &+ 1, revision: revision, isSnapshot: false, mode: nil, presentations: nil)
    }

    /// There may be hundreds of asks that were allowed for longer than once.
    static var scanLimits: ScanLimits { .longList }

    init(reading message: Gate__V1__WatchResponse) throws(GateError) {
        self.init(
            firstNumber: message.first_number, revision: Revision(reading: message.revision),
            isSnapshot: message.is_snapshot != 0, mode: try ModeState(optional: message.mode),
            presentations: try OpenPresentations(optional: message.presentations)?.elements,
            signIn: try SignInState(optional: message.sign_in),
            entitlements: try EntitlementsState(optional: message.entitlements),
            forms: try OpenForms(optional: message.forms)?.elements,
            asks: try OpenAsks(optional: message.asks)?.elements,
            schedules: try ListedSchedules(optional: message.schedules)?.elements,
            usage: try UsageToday(optional: message.usage)?.elements,
            ageRanges: try AgeState(optional: message.age))
    }

    func write(to message: inout Gate__V1__WatchResponse, in arena: inout MessageArena) {
        message.first_number = firstNumber
        message.revision = arena.message(revision)
        message.is_snapshot = isSnapshot ? 1 : 0
        message.mode = arena.message(optional: mode)
        message.presentations = arena.message(optional: presentations.map(OpenPresentations.init))
        message.sign_in = arena.message(optional: signIn)
        message.entitlements = arena.message(optional: entitlements)
        message.forms = arena.message(optional: forms.map(OpenForms.init))
        message.asks = arena.message(optional: asks.map(OpenAsks.init))
        message.schedules = arena.message(optional: schedules.map(ListedSchedules.init))
        message.usage = arena.message(optional: usage.map(UsageToday.init))
        message.age = arena.message(optional: ageRanges)
    }
}

private typealias OpenAsks = ElementList<Ask, Gate__V1__OpenAsks>

extension Gate__V1__OpenAsks: CElementList {
    package var elements: CList<Gate__V1__Ask> {
        get { (asks, n_asks) }
        set { (asks, n_asks) = newValue }
    }
}

private typealias UsageToday = ElementList<UsedTime, Gate__V1__UsageToday>

private typealias ListedSchedules = ElementList<ScheduleState, Gate__V1__Schedules>

extension Gate__V1__Schedules: CElementList {
    package var elements: CList<Gate__V1__ScheduleState> {
        get { (schedules, n_schedules) }
        set { (schedules, n_schedules) = newValue }
    }
}

extension ScheduleState: MessageMapping {
    init(reading message: Gate__V1__ScheduleState) {
        let until = message.until_unix_milliseconds
        self.init(
            name: String(reading: message.name), isOpen: message.is_open != 0,
            until: until == 0 ? nil : WallTime(unixMilliseconds: until))
    }

    func write(to message: inout Gate__V1__ScheduleState, in arena: inout MessageArena) {
        message.name = arena.string(name)
        message.is_open = isOpen ? 1 : 0
        message.until_unix_milliseconds = until?.unixMilliseconds ?? 0
    }
}

private typealias OpenPresentations = ElementList<PresentationSummary, Gate__V1__OpenPresentations>

extension Gate__V1__OpenPresentations: CElementList {
    package var elements: CList<Gate__V1__PresentationSummary> {
        get { (presentations, n_presentations) }
        set { (presentations, n_presentations) = newValue }
    }
}
