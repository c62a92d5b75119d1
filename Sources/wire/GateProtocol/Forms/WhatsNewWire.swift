import CGateProtocol
import GateModel

// presentations.proto: the contents of presentations that invite to a form, or show what is new

extension FormInvitation: MessageMapping {
    init(reading message: Gate__V1__FormInvitation) throws(GateError) {
        self.init(
            name: String(reading: message.name),
            title: LocalizedText(reading: message.title, message.titles, count: message.n_titles),
            holder: try FormHolder(reading: message.holder, of: "gate.v1.FormInvitation.holder"),
            isForGrownUps: message.is_for_grown_ups != 0)
    }

    func write(to message: inout Gate__V1__FormInvitation, in arena: inout MessageArena) {
        message.name = arena.string(name)
        (message.title, message.titles, message.n_titles) = arena.texts(titles)
        message.holder = arena.message(holder)
        message.is_for_grown_ups = isForGrownUps ? 1 : 0
    }
}

extension WhatsNewNotice: MessageMapping {
    init(reading message: Gate__V1__WhatsNew) throws(GateError) {
        let primary = try WhatsNewAction(reading: message.primary, of: "gate.v1.WhatsNew.primary").primary
        self.init(
            app: String(reading: message.app),
            entry: WhatsNew(
                version: try AppVersion(reading: message.version, of: "gate.v1.WhatsNew.version"),
                title: LocalizedText(reading: message.title, message.titles, count: message.n_titles),
                features: try [WhatsNew.Feature](reading: message.features, count: message.n_features),
                primary: primary, secondary: try WhatsNewAction(optional: message.secondary)?.secondary))
    }

    func write(to message: inout Gate__V1__WhatsNew, in arena: inout MessageArena) {
        message.app = arena.string(app)
        message.version = arena.string(entry.version.description)
        (message.title, message.titles, message.n_titles) = arena.texts(entry.titles)
        (message.features, message.n_features) = arena.messages(entry.features)
        message.primary = arena.message(WhatsNewAction(entry.primary))
        message.secondary = arena.message(optional: entry.secondary.map { WhatsNewAction($0) })
    }
}

extension WhatsNew.Feature: MessageMapping {
    init(reading message: Gate__V1__WhatsNew__Feature) {
        self.init(
            image: String(reading: message.image), colour: String(reading: message.colour),
            title: LocalizedText(reading: message.title, message.titles, count: message.n_titles),
            subtitle: LocalizedText(reading: message.subtitle, message.subtitles, count: message.n_subtitles))
    }

    func write(to message: inout Gate__V1__WhatsNew__Feature, in arena: inout MessageArena) {
        message.image = arena.string(image)
        message.colour = arena.string(colour)
        (message.title, message.titles, message.n_titles) = arena.texts(titles)
        (message.subtitle, message.subtitles, message.n_subtitles) = arena.texts(subtitles)
    }
}

/// The message of a button. Both buttons travel as this message, though only the secondary one has a colour and a URL.
private struct WhatsNewAction: MessageMapping {
    let title: LocalizedText
    let haptic: WhatsNew.Haptic
    let colour: String
    let url: String?

    init(_ action: WhatsNew.PrimaryAction) {
        (title, haptic, colour, url) = (action.titles, action.haptic, "", nil)
    }

    init(_ action: WhatsNew.SecondaryAction) {
        (title, haptic, colour, url) = (action.titles, action.haptic, action.colour, action.url)
    }

    var primary: WhatsNew.PrimaryAction { .init(title: title, haptic: haptic) }
    var secondary: WhatsNew.SecondaryAction { .init(title: title, haptic: haptic, colour: colour, url: url) }

    /// A haptic is only a hint, so an unknown one reads as `none`.
    init(reading message: Gate__V1__WhatsNew__Action) {
        title = LocalizedText(reading: message.title, message.titles, count: message.n_titles)
        haptic = WhatsNew.Haptic(wire: message.haptic) ?? WhatsNew.Haptic.none
        colour = String(reading: message.colour)
        url = String(optional: message.url)
    }

    func write(to message: inout Gate__V1__WhatsNew__Action, in arena: inout MessageArena) {
        (message.title, message.titles, message.n_titles) = arena.texts(title)
        message.haptic = haptic.wire
        message.colour = arena.string(colour)
        message.url = arena.string(url ?? "")
    }
}

extension WhatsNew.Haptic: EnumMapping {
    var wire: Gate__V1__WhatsNew__Haptic {
        switch self {
        case .none: GATE__V1__WHATS_NEW__HAPTIC__HAPTIC_NONE
        case .selection: GATE__V1__WHATS_NEW__HAPTIC__HAPTIC_SELECTION
        case .success: GATE__V1__WHATS_NEW__HAPTIC__HAPTIC_SUCCESS
        case .warning: GATE__V1__WHATS_NEW__HAPTIC__HAPTIC_WARNING
        case .error: GATE__V1__WHATS_NEW__HAPTIC__HAPTIC_ERROR
        case .light: GATE__V1__WHATS_NEW__HAPTIC__HAPTIC_LIGHT
        case .medium: GATE__V1__WHATS_NEW__HAPTIC__HAPTIC_MEDIUM
        case .heavy: GATE__V1__WHATS_NEW__HAPTIC__HAPTIC_HEAVY
        }
    }
}

extension AppVersion {
    /// - Throws: `INVALID_ARGUMENT`, naming the field, if it is empty or not a version.
    init(reading field: UnsafeMutablePointer<CChar>?, of name: StaticString) throws(GateError) {
        try self.init(String(reading: field), of: name)
    }

    /// - Throws: `INVALID_ARGUMENT`, naming the field, if the text is empty or not a version.
    init(_ text: String, of name: StaticString) throws(GateError) {
        guard !text.isEmpty else { throw .wrong("\(name)", "is not set") }
        guard let version = AppVersion(text) else { throw .wrong("\(name)", "is no version; write it like 1.2.3") }
        self = version
    }
}
