import CGateProtocol
import GateModel

// presentations.proto: what is shown. Its content is in ChallengeWire.swift.

extension Presentation: MessageMapping {
    static var initialise: Initialise<Gate__V1__Presentation> { gate__v1__presentation__init }

    init(reading message: Gate__V1__Presentation) throws(GateError) {
        guard let summary = message.summary else { throw .invalid("gate.v1.Presentation.summary is not set") }
        self.init(
            try PresentationSummary(reading: summary.pointee), cookie: Cookie(reading: message.cookie),
            challenge: try Challenge(contentOf: message))
    }

    func write(to message: inout Gate__V1__Presentation, in arena: inout MessageArena) {
        message.summary = arena.message(summary)
        message.cookie = arena.bytes(cookie.bytes)
        challenge.write(toContentOf: &message, in: &arena)
    }
}

extension PresentationSummary: MessageMapping {
    static var initialise: Initialise<Gate__V1__PresentationSummary> { gate__v1__presentation_summary__init }

    init(reading message: Gate__V1__PresentationSummary) throws(GateError) {
        // Its defaults would say that root asks.
        guard let asked = message.asked else { throw .invalid("gate.v1.PresentationSummary.asked is not set") }
        self.init(
            id: message.id,
            purpose: try Presentation.Purpose(wire: message.purpose, of: "gate.v1.PresentationSummary.purpose"),
            kind: try Challenge.Kind(wire: message.kind, of: "gate.v1.PresentationSummary.kind"),
            deadline: BootTime(nanoseconds: message.deadline_boottime_nanoseconds),
            style: try Presentation.Style(wire: message.style, of: "gate.v1.PresentationSummary.style"),
            isDismissible: message.dismissible != 0,
            stage: try Presentation.Stage(wire: message.stage, of: "gate.v1.PresentationSummary.stage"),
            asked: Asked(reading: asked.pointee))
    }

    func write(to message: inout Gate__V1__PresentationSummary, in arena: inout MessageArena) {
        message.id = id
        message.purpose = purpose.wire
        message.kind = kind.wire
        message.deadline_boottime_nanoseconds = deadline.nanoseconds
        message.style = style.wire
        message.dismissible = isDismissible ? 1 : 0
        message.stage = stage.wire
        message.asked = arena.message(asked)
    }
}

extension Asked: MessageMapping {
    static var initialise: Initialise<Gate__V1__Asked> { gate__v1__asked__init }

    /// The texts are taken as they are: whoever shows them makes them harmless for where they are shown.
    init(reading message: Gate__V1__Asked) {
        self.init(
            uid: message.uid, pid: message.pid, program: String(reading: message.program),
            gatedAction: String(reading: message.gated_action), title: String(reading: message.title),
            details: String(reading: message.details))
    }

    func write(to message: inout Gate__V1__Asked, in arena: inout MessageArena) {
        message.uid = uid
        message.pid = pid
        message.program = arena.string(program)
        message.gated_action = arena.string(gatedAction)
        message.title = arena.string(title)
        message.details = arena.string(details)
    }
}

extension Cookie {
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
