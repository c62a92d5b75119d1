import CGateProtocol
package import GateModel

// watch.proto: the state and its changes. The journal is in AuditWire.swift.

extension WatchTopic: EnumMapping {
    var wire: Gate__V1__Topic {
        switch self {
        case .mode: GATE__V1__TOPIC__TOPIC_MODE
        case .presentations: GATE__V1__TOPIC__TOPIC_PRESENTATIONS
        case .signIn: GATE__V1__TOPIC__TOPIC_SIGN_IN
        case .entitlements: GATE__V1__TOPIC__TOPIC_ENTITLEMENTS
        case .forms: GATE__V1__TOPIC__TOPIC_FORMS
        }
    }
}

package struct WatchRequest: MappedMessage {
    package var topics: Set<WatchTopic>
    /// The last revision that the watcher has seen.
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

/// The complete result of one or more transitions.
package struct WatchResponse: MappedMessage {
    /// The number of the first revision that this message covers; its epoch is that of `revision`.
    package var firstNumber: UInt64
    /// The last revision that this message covers: what is told here is true at it.
    package var revision: Revision
    /// Everything the watcher knew before is replaced by this message.
    package var isSnapshot: Bool
    /// Present where the mode changed within the range, and in a snapshot.
    package var mode: ModeState?
    /// All that this watcher may see, in the order in which they are shown. Present where that changed within the
    /// range, and in a snapshot.
    package var presentations: [PresentationSummary]?
    /// Present where who is signed in changed within the range, and in a snapshot.
    package var signIn: SignInState?
    /// All of them. Present where one changed within the range, and in a snapshot.
    package var entitlements: EntitlementsState?
    /// All drafts that this watcher may see, by name, then by holder. Present where that changed within the range, and in a
    /// snapshot.
    package var forms: [FormSummary]?

    package init(
        firstNumber: UInt64, revision: Revision, isSnapshot: Bool, mode: ModeState?,
        presentations: [PresentationSummary]?, signIn: SignInState? = nil, entitlements: EntitlementsState? = nil,
        forms: [FormSummary]? = nil
    ) {
        self.firstNumber = firstNumber
        self.revision = revision
        self.isSnapshot = isSnapshot
        self.mode = mode
        self.presentations = presentations
        self.signIn = signIn
        self.entitlements = entitlements
        self.forms = forms
    }

    /// The first message to a watcher that has seen the newest revision: it says that it is current, and covers no revision.
    package init(current revision: Revision) {
        self.init(
            firstNumber: revision.number &+ 1, revision: revision, isSnapshot: false, mode: nil, presentations: nil)
    }

    init(reading message: Gate__V1__WatchResponse) throws(GateError) {
        self.init(
            firstNumber: message.first_number, revision: Revision(reading: message.revision),
            isSnapshot: message.is_snapshot != 0, mode: try ModeState(optional: message.mode),
            presentations: try OpenPresentations(optional: message.presentations)?.presentations,
            signIn: try SignInState(optional: message.sign_in),
            entitlements: try EntitlementsState(optional: message.entitlements),
            forms: try OpenForms(optional: message.forms)?.forms)
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
    }
}

/// In a message of its own, so that "none" is something else than "as before".
private struct OpenPresentations: MessageMapping {
    let presentations: [PresentationSummary]

    init(presentations: [PresentationSummary]) {
        self.presentations = presentations
    }

    init(reading message: Gate__V1__OpenPresentations) throws(GateError) {
        presentations = try [PresentationSummary](reading: message.presentations, count: message.n_presentations)
    }

    func write(to message: inout Gate__V1__OpenPresentations, in arena: inout MessageArena) {
        (message.presentations, message.n_presentations) = arena.messages(presentations)
    }
}
