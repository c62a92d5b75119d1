package import CGateProtocol
package import GateModel

// presentations.proto: registering a presenter, claiming a presentation, and listing all

extension Methods.Presentations {
    package static let register = Method<RegisterPresenterRequest, RegisterPresenterResponse>(
        service, "RegisterPresenter", .serverStream)
    package static let claim = Method<ClaimRequest, ClaimResponse>(service, "Claim")
    package static let list = Method<ListPresentationsRequest, ListPresentationsResponse>(
        service, "ListPresentations")
}

package struct RegisterPresenterRequest: MappedMessage {
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

/// What this presenter may show now, or what another screen shows. Each message replaces the one before.
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
