package import CGateProtocol
package import GateModel

// presentations.proto: requests and responses

extension Methods {
    package enum Presentations {
        package static let register = Method<RegisterPresenterRequest, RegisterPresenterResponse>(
            service, "RegisterPresenter", .serverStream)
        package static let claim = Method<ClaimRequest, ClaimResponse>(service, "Claim")
        package static let report = Method<ReportRequest, ReportResponse>(service, "Report")
        package static let complete = Method<CompleteRequest, CompleteResponse>(service, "Complete")
        package static let dismiss = Method<DismissRequest, DismissResponse>(service, "Dismiss")
        package static let list = Method<ListPresentationsRequest, ListPresentationsResponse>(
            service, "ListPresentations")
        static let service = "gate.v1.Presentations"
    }
}

package struct RegisterPresenterRequest: MappedMessage {
    /// The kinds and styles that the presenter can show.
    package var abilities: PresenterAbilities

    package init(abilities: PresenterAbilities) {
        self.abilities = abilities
    }

    init(reading message: Gate__V1__RegisterPresenterRequest) throws(GateError) {
        self.init(
            abilities: PresenterAbilities(
                kinds: try Set(
                    reading: message.kinds, count: message.n_kinds, of: "gate.v1.RegisterPresenterRequest.kinds"),
                styles: try Set(
                    reading: message.styles, count: message.n_styles, of: "gate.v1.RegisterPresenterRequest.styles")))
        abilities.hasScreenOfItsOwn = message.has_screen_of_its_own != 0
    }

    func write(to message: inout Gate__V1__RegisterPresenterRequest, in arena: inout MessageArena) {
        (message.kinds, message.n_kinds) = arena.numbers(abilities.kinds.wire())
        (message.styles, message.n_styles) = arena.numbers(abilities.styles.wire())
        message.has_screen_of_its_own = abilities.hasScreenOfItsOwn ? 1 : 0
    }
}

/// The presentation that the presenter may show now, or the one that another screen shows. Each message replaces the
/// one before.
package struct RegisterPresenterResponse: MappedMessage {
    /// A presentation on offer, or claimed by this presenter; `nil`: there is none, and the presenter closes its own.
    package var presentation: PresentationSummary?
    /// A presentation on another screen, which this presenter may not show; `nil` if there is none.
    package var elsewhere: PresentationElsewhere?
    /// Whether the presenter has to hide the desktop, beneath whatever else it shows.
    package var isCovered: Bool

    package init(
        presentation: PresentationSummary?, elsewhere: PresentationElsewhere? = nil, isCovered: Bool = false
    ) {
        self.presentation = presentation
        self.elsewhere = elsewhere
        self.isCovered = isCovered
    }

    init(reading message: Gate__V1__RegisterPresenterResponse) throws(GateError) {
        self.init(
            presentation: try PresentationSummary(optional: message.presentation),
            elsewhere: try PresentationElsewhere(optional: message.elsewhere), isCovered: message.is_covered != 0)
    }

    func write(to message: inout Gate__V1__RegisterPresenterResponse, in arena: inout MessageArena) {
        message.presentation = arena.message(optional: presentation)
        message.elsewhere = arena.message(optional: elsewhere)
        message.is_covered = isCovered ? 1 : 0
    }
}

extension PresentationElsewhere: MessageMapping {
    init(reading message: Gate__V1__Elsewhere) throws(GateError) {
        guard let presentation = message.presentation else {
            throw .wrong("gate.v1.Elsewhere.presentation", "is missing")
        }
        self.init(
            try PresentationSummary(reading: presentation.pointee), on: Place(wire: message.place, else: .unrecognized))
    }

    func write(to message: inout Gate__V1__Elsewhere, in arena: inout MessageArena) {
        message.presentation = arena.message(summary)
        message.place = place.wire
    }
}

extension PresentationElsewhere.Place: EnumMapping {
    var wire: Gate__V1__Elsewhere__Place {
        switch self {
        case .screenOfItsOwn: GATE__V1__ELSEWHERE__PLACE__PLACE_SCREEN_OF_ITS_OWN
        case .grownUp: GATE__V1__ELSEWHERE__PLACE__PLACE_GROWN_UP
        case .unrecognized: GATE__V1__ELSEWHERE__PLACE__PLACE_UNSPECIFIED
        }
    }
}

package struct ClaimRequest: MappedMessage {
    /// The number of the presentation on offer.
    package var id: UInt64

    package init(id: UInt64) {
        self.id = id
    }

    init(reading message: Gate__V1__ClaimRequest) {
        self.init(id: message.id)
    }

    func write(to message: inout Gate__V1__ClaimRequest, in arena: inout MessageArena) {
        message.id = id
    }
}

package struct ClaimResponse: MappedMessage {
    package var presentation: Presentation

    package init(presentation: Presentation) {
        self.presentation = presentation
    }

    init(reading message: Gate__V1__ClaimResponse) throws(GateError) {
        self.init(
            presentation: try Presentation(reading: message.presentation, of: "gate.v1.ClaimResponse.presentation"))
    }

    func write(to message: inout Gate__V1__ClaimResponse, in arena: inout MessageArena) {
        message.presentation = arena.message(presentation)
    }
}

package struct ReportRequest: MappedMessage {
    package var cookie: PresentationCookie
    package var input: PresentationInput

    package init(cookie: PresentationCookie, input: PresentationInput) {
        self.cookie = cookie
        self.input = input
    }

    init(reading message: Gate__V1__ReportRequest) throws(GateError) {
        self.init(
            cookie: PresentationCookie(reading: message.cookie),
            input: try PresentationInput(wire: message.input, of: "gate.v1.ReportRequest.input"))
    }

    func write(to message: inout Gate__V1__ReportRequest, in arena: inout MessageArena) {
        message.cookie = arena.bytes(cookie.bytes)
        message.input = input.wire
    }
}

extension PresentationInput: EnumMapping {
    var wire: Gate__V1__Input {
        switch self {
        case .shown: GATE__V1__INPUT__INPUT_SHOWN
        case .pressed: GATE__V1__INPUT__INPUT_PRESSED
        case .restore: GATE__V1__INPUT__INPUT_RESTORE
        }
    }
}

package typealias ReportResponse = EmptyMessage<Gate__V1__ReportResponse>

package struct CompleteRequest: MappedMessage {
    package var cookie: PresentationCookie
    package var answer: ChallengeAnswer

    package init(cookie: PresentationCookie, answer: ChallengeAnswer) {
        self.cookie = cookie
        self.answer = answer
    }

    init(reading message: Gate__V1__CompleteRequest) throws(GateError) {
        self.init(cookie: PresentationCookie(reading: message.cookie), answer: try Self.answer(of: message))
    }

    private static func answer(of message: Gate__V1__CompleteRequest) throws(GateError) -> ChallengeAnswer {
        switch message.answer_case {
        case GATE__V1__COMPLETE_REQUEST__ANSWER_TEXT: return .text(String(reading: message.text))
        case GATE__V1__COMPLETE_REQUEST__ANSWER_SECRET: return .secret(GateSecret(reading: message.secret))
        case GATE__V1__COMPLETE_REQUEST__ANSWER_RELEASED: return .released
        case GATE__V1__COMPLETE_REQUEST__ANSWER_SWIPE:
            if let swipe = message.swipe { return .swiped(try SwipeGesture(reading: swipe.pointee)) }
        case GATE__V1__COMPLETE_REQUEST__ANSWER_ACKNOWLEDGED:
            if let acknowledged = message.acknowledged {
                return .acknowledged(
                    try ChallengeAnswer.NotesButton(
                        wire: acknowledged.pointee.action, of: "gate.v1.Acknowledged.action"))
            }
        default: break
        }
        throw .wrong("gate.v1.CompleteRequest.answer", "is not set; set text, secret, released, swipe or acknowledged")
    }

    func write(to message: inout Gate__V1__CompleteRequest, in arena: inout MessageArena) {
        message.cookie = arena.bytes(cookie.bytes)
        switch answer {
        case .text(let text):
            message.answer_case = GATE__V1__COMPLETE_REQUEST__ANSWER_TEXT
            message.text = arena.string(text)
        case .secret(let secret):
            message.answer_case = GATE__V1__COMPLETE_REQUEST__ANSWER_SECRET
            message.secret = arena.bytes(secret)
        case .released:
            message.answer_case = GATE__V1__COMPLETE_REQUEST__ANSWER_RELEASED
            message.released = arena.blank()
        case .swiped(let gesture):
            message.answer_case = GATE__V1__COMPLETE_REQUEST__ANSWER_SWIPE
            message.swipe = arena.message(gesture)
        case .acknowledged(let button):
            message.answer_case = GATE__V1__COMPLETE_REQUEST__ANSWER_ACKNOWLEDGED
            message.acknowledged = arena.blank()
            message.acknowledged.pointee.action = button.wire
        }
    }
}

extension ChallengeAnswer.NotesButton: EnumMapping {
    var wire: Gate__V1__Acknowledged__Action {
        switch self {
        case .primary: GATE__V1__ACKNOWLEDGED__ACTION__ACTION_PRIMARY
        case .secondary: GATE__V1__ACKNOWLEDGED__ACTION__ACTION_SECONDARY
        }
    }
}

package struct CompleteResponse: MappedMessage {
    package enum Result: Hashable, Sendable {
        /// The next presentation to show, for a requester that shows presentations itself.
        case next(Presentation)
        /// The grant that was requested, for a requester that shows presentations itself.
        case grant(Grant)
        /// Nothing more is to be shown, and there is no grant.
        case done
        /// A result that this version does not know. The answer was right all the same.
        case unrecognized
    }

    package var revision: Revision
    /// The mode after the answer.
    package var state: ModeState
    package var result: Result

    package init(revision: Revision, state: ModeState, result: Result = .done) {
        self.revision = revision
        self.state = state
        self.result = result
    }

    init(reading message: Gate__V1__CompleteResponse) throws(GateError) {
        self.init(
            revision: Revision(reading: message.revision), state: ModeState(reading: message.state),
            result: .unrecognized)
        if message.result_case == GATE__V1__COMPLETE_RESPONSE__RESULT_NEXT, let next = message.next {
            result = .next(try Presentation(reading: next.pointee))
        } else if message.result_case == GATE__V1__COMPLETE_RESPONSE__RESULT_GRANT, let grant = message.grant {
            result = .grant(Grant(reading: grant.pointee))
        } else if message.result_case == GATE__V1__COMPLETE_RESPONSE__RESULT_DONE {
            result = .done
        }
    }

    func write(to message: inout Gate__V1__CompleteResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.state = arena.message(state)
        switch result {
        case .next(let presentation):
            message.result_case = GATE__V1__COMPLETE_RESPONSE__RESULT_NEXT
            message.next = arena.message(presentation)
        case .grant(let grant):
            message.result_case = GATE__V1__COMPLETE_RESPONSE__RESULT_GRANT
            message.grant = arena.message(grant)
        case .done:
            message.result_case = GATE__V1__COMPLETE_RESPONSE__RESULT_DONE
            message.done = arena.blank()
        case .unrecognized:
            break
        }
    }
}

package struct DismissRequest: MappedMessage {
    package var cookie: PresentationCookie

    package init(cookie: PresentationCookie) {
        self.cookie = cookie
    }

    init(reading message: Gate__V1__DismissRequest) {
        self.init(cookie: PresentationCookie(reading: message.cookie))
    }

    func write(to message: inout Gate__V1__DismissRequest, in arena: inout MessageArena) {
        message.cookie = arena.bytes(cookie.bytes)
    }
}

/// The mode is the one after the dismissal.
package typealias DismissResponse = ModeReply<Gate__V1__DismissResponse>
extension Gate__V1__DismissResponse: CModeReply {}

package typealias ListPresentationsRequest = EmptyMessage<Gate__V1__ListPresentationsRequest>

package struct ListPresentationsResponse: MappedMessage {
    /// In the order in which they are shown.
    package var presentations: [PresentationSummary]

    package init(presentations: [PresentationSummary]) {
        self.presentations = presentations
    }

    init(reading message: Gate__V1__ListPresentationsResponse) throws(GateError) {
        self.init(
            presentations: try [PresentationSummary](reading: message.presentations, count: message.n_presentations))
    }

    func write(to message: inout Gate__V1__ListPresentationsResponse, in arena: inout MessageArena) {
        (message.presentations, message.n_presentations) = arena.messages(presentations)
    }
}
