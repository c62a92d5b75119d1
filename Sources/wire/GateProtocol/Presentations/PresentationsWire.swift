package import CGateProtocol
package import GateModel

// presentations.proto: what is shown, and how it is answered. PresenterWire.swift has the other messages of presenters,
// PresentationClosingWire.swift waiting and withdrawing, ChallengeWire.swift the challenges, PaywallsWire.swift the
// paywalls, and WhatsNewWire.swift the invitations to forms and the release notes.

extension Methods {
    package enum Presentations {
        package static let report = Method<ReportRequest, ReportResponse>(service, "Report")
        package static let complete = Method<CompleteRequest, CompleteResponse>(service, "Complete")
        package static let dismiss = Method<DismissRequest, DismissResponse>(service, "Dismiss")
        static let service = "gate.v1.Presentations"
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
        case next(Presentation)
        case grant(Grant)
        /// Nothing more is to be shown, and there is no grant.
        case done
        /// A result that this version does not know. The answer was right all the same.
        case unrecognized
    }

    package var revision: Revision
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

package typealias DismissResponse = ModeReply<Gate__V1__DismissResponse>
extension Gate__V1__DismissResponse: CModeReply {}

// MARK: - What is shown

extension Presentation: MessageMapping {
    init(reading message: Gate__V1__Presentation) throws(GateError) {
        self.init(
            try PresentationSummary(reading: message.summary, of: "gate.v1.Presentation.summary"),
            cookie: PresentationCookie(reading: message.cookie),
            content: Content(of: message))
    }

    func write(to message: inout Gate__V1__Presentation, in arena: inout MessageArena) {
        message.summary = arena.message(summary)
        message.cookie = arena.bytes(cookie.bytes)
        content.write(to: &message, in: &arena)
    }
}

extension Presentation.Content {
    /// Reads the content. It is `unrecognized` if any part of it is unknown to this version.
    init(of message: Gate__V1__Presentation) {
        do throws(GateError) {
            self = try Self.recognized(in: message)
        } catch {
            self = .unrecognized
        }
    }

    private static func recognized(in message: Gate__V1__Presentation) throws(GateError) -> Self {
        if message.content_case == GATE__V1__PRESENTATION__CONTENT_SIGN_IN {
            return .signIn
        } else if message.content_case == GATE__V1__PRESENTATION__CONTENT_PAYWALL, let paywall = message.paywall {
            return .paywall(try Paywall(reading: paywall.pointee))
        } else if message.content_case == GATE__V1__PRESENTATION__CONTENT_FORM, let form = message.form {
            return .form(try FormInvitation(reading: form.pointee))
        } else if message.content_case == GATE__V1__PRESENTATION__CONTENT_WHATS_NEW, let whatsNew = message.whats_new {
            return .whatsNew(try WhatsNewNotice(reading: whatsNew.pointee))
        } else {
            return .challenge(try Challenge(contentOf: message))
        }
    }

    func write(to message: inout Gate__V1__Presentation, in arena: inout MessageArena) {
        switch self {
        case .challenge(let challenge):
            challenge.write(toContentOf: &message, in: &arena)
        case .signIn:
            message.content_case = GATE__V1__PRESENTATION__CONTENT_SIGN_IN
            message.sign_in = arena.blank()
        case .paywall(let paywall):
            message.content_case = GATE__V1__PRESENTATION__CONTENT_PAYWALL
            message.paywall = arena.message(paywall)
        case .form(let invitation):
            message.content_case = GATE__V1__PRESENTATION__CONTENT_FORM
            message.form = arena.message(invitation)
        case .whatsNew(let notice):
            message.content_case = GATE__V1__PRESENTATION__CONTENT_WHATS_NEW
            message.whats_new = arena.message(notice)
        case .unrecognized:
            break
        }
    }
}

extension PresentationSummary: MessageMapping {
    init(reading message: Gate__V1__PresentationSummary) throws(GateError) {
        // `asked` must be present, because its defaults would say that root asks.
        self.init(
            id: message.id,
            purpose: Presentation.Purpose(wire: message.purpose, else: .unrecognized),
            kind: Presentation.Kind(wire: message.kind, else: .unrecognized),
            deadline: message.closes_case
                == GATE__V1__PRESENTATION_SUMMARY__CLOSES_DEADLINE_BOOTTIME_NANOSECONDS
                ? BootTime(nanoseconds: message.deadline_boottime_nanoseconds) : .never,
            style: Presentation.Style(wire: message.style, else: .sheet),
            isDismissible: message.is_dismissible != 0,
            // An unknown stage reads as waiting, since no presenter claims a presentation that waits.
            stage: Presentation.Stage(wire: message.stage, else: .waiting),
            asked: try PresentationContext(reading: message.asked, of: "gate.v1.PresentationSummary.asked"),
            restoreCount: message.restore_count,
            provider: message.provider == GATE__V1__PROVIDER__PROVIDER_UNSPECIFIED
                ? nil : ClaimProvider(wire: message.provider, else: .unrecognized))
    }

    func write(to message: inout Gate__V1__PresentationSummary, in arena: inout MessageArena) {
        message.id = id
        message.purpose = purpose.wire
        message.kind = kind.wire
        if deadline != .never {
            message.closes_case = GATE__V1__PRESENTATION_SUMMARY__CLOSES_DEADLINE_BOOTTIME_NANOSECONDS
            message.deadline_boottime_nanoseconds = deadline.nanoseconds
        }
        message.style = style.wire
        message.is_dismissible = isDismissible ? 1 : 0
        message.stage = stage.wire
        message.asked = arena.message(asked)
        message.restore_count = restoreCount
        if let provider { message.provider = provider.wire }
    }
}

extension PresentationContext: MessageMapping {
    /// Takes the texts unchanged. A program that shows them makes them harmless for its screen, for example a terminal.
    init(reading message: Gate__V1__Asked) {
        self.init(
            uid: message.uid, pid: message.pid, program: String(reading: message.program),
            gatedAction: String(reading: message.gated_action),
            title: LocalizedText(reading: message.title, message.titles, count: message.n_titles),
            details: String(reading: message.details),
            translatedDetails: [LocalizedText.Translation](
                reading: message.translated_details, count: message.n_translated_details),
            duration: OptionalMilliseconds.duration(message.duration_milliseconds),
            isAppsOwn: message.is_apps_own != 0, broker: message.broker.map { Broker(reading: $0.pointee) },
            device: String(reading: message.device))
    }

    func write(to message: inout Gate__V1__Asked, in arena: inout MessageArena) {
        message.uid = uid
        message.pid = pid
        message.program = arena.string(program)
        message.gated_action = arena.string(gatedAction)
        (message.title, message.titles, message.n_titles) = arena.texts(titles)
        message.details = arena.string(details)
        (message.translated_details, message.n_translated_details) = arena.messages(translatedDetails)
        message.duration_milliseconds = duration?.wireMilliseconds ?? 0
        message.is_apps_own = isAppsOwn ? 1 : 0
        message.broker = arena.message(optional: broker)
        message.device = arena.string(device)
    }
}

extension PresentationCookie {
    init(reading bytes: ProtobufCBinaryData) {
        self.init(bytes: [UInt8](reading: bytes))
    }
}

extension Presentation.Purpose: EnumMapping {
    var wire: Gate__V1__Purpose {
        switch self {
        case .enterParentMode: GATE__V1__PURPOSE__PURPOSE_ENTER_PARENT_MODE
        case .extendParentMode: GATE__V1__PURPOSE__PURPOSE_EXTEND_PARENT_MODE
        case .authorize: GATE__V1__PURPOSE__PURPOSE_AUTHORIZE
        case .signIn: GATE__V1__PURPOSE__PURPOSE_SIGN_IN
        case .pay: GATE__V1__PURPOSE__PURPOSE_PAY
        case .fillForm: GATE__V1__PURPOSE__PURPOSE_FILL_FORM
        case .whatsNew: GATE__V1__PURPOSE__PURPOSE_WHATS_NEW
        case .unrecognized: GATE__V1__PURPOSE__PURPOSE_UNSPECIFIED
        }
    }
}

extension Presentation.Kind: EnumMapping {
    var text: String { name }

    var wire: Gate__V1__PresentationKind {
        switch self {
        case .challenge(let kind): kind.wire
        case .signIn: GATE__V1__PRESENTATION_KIND__PRESENTATION_KIND_SIGN_IN
        case .paywall: GATE__V1__PRESENTATION_KIND__PRESENTATION_KIND_PAYWALL
        case .form: GATE__V1__PRESENTATION_KIND__PRESENTATION_KIND_FORM
        case .whatsNew: GATE__V1__PRESENTATION_KIND__PRESENTATION_KIND_WHATS_NEW
        case .unrecognized: GATE__V1__PRESENTATION_KIND__PRESENTATION_KIND_UNSPECIFIED
        }
    }
}

extension Presentation.Style: EnumMapping {
    var wire: Gate__V1__Style {
        switch self {
        case .sheet: GATE__V1__STYLE__STYLE_SHEET
        case .fullScreenCover: GATE__V1__STYLE__STYLE_FULL_SCREEN_COVER
        }
    }
}

extension Presentation.Stage: EnumMapping {
    var wire: Gate__V1__Stage {
        switch self {
        case .waiting: GATE__V1__STAGE__STAGE_WAITING
        case .offered: GATE__V1__STAGE__STAGE_OFFERED
        case .claimed: GATE__V1__STAGE__STAGE_CLAIMED
        case .shown: GATE__V1__STAGE__STAGE_SHOWN
        }
    }
}
