package import GateModel

/// The words for what is asked of a person, on every screen: for what it is, and the request. `title` and `details` may hold the
/// words of others, as they came: a screen makes them harmless for itself.
package struct AskedWords {
    private let asked: PresentationContext
    private let purpose: Presentation.Purpose
    private let kind: Presentation.Kind
    private let languages: [String]

    /// Makes the words for a presentation.
    ///
    /// - Parameter languages: those of the person, as BCP 47 tags, the preferred one first.
    package init(_ summary: PresentationSummary, for languages: [String] = Localization.languages) {
        asked = summary.asked
        self.languages = languages
        purpose = summary.purpose
        kind = summary.kind
    }

    /// The subject, in a few words.
    package var title: String {
        switch purpose {
        case .enterParentMode: localized("Parent mode")
        case .extendParentMode: localized("More time in parent mode")
        case .authorize: asked.title.isEmpty ? asked.gatedAction : asked.titles.text(for: languages)
        case .signIn: localized("Sign in")
        case .fillForm where asked.isAppsOwn: localized("A form of an app's own")
        case .whatsNew where asked.isAppsOwn: localized("News in an app's own words")
        case .whatsNew where !subject.isEmpty && !asked.details.isEmpty:
            localized("There is something new in {app}.", ["app": subject])
        case .pay, .fillForm, .whatsNew, .unrecognized: subject
        }
    }

    /// The warning before words that no administrator has read; `nil`: there are no such words (F-85).
    package var caution: String? {
        guard asked.isAppsOwn else { return nil }
        return localized("The app has written all of this itself. Type no passcode and no password here.")
    }

    /// The URL, the command line, the amount. May be empty.
    package var details: String {
        switch purpose {
        case .fillForm where asked.isAppsOwn, .whatsNew where asked.isAppsOwn:
            LocalizedText(asked.details, asked.translatedDetails).text(for: languages)
        case .pay, .fillForm, .whatsNew, .unrecognized:
            asked.title.isEmpty || asked.details == asked.title ? "" : asked.details
        case .extendParentMode where !asked.device.isEmpty: durationDetails ?? ""
        case .extendParentMode, .signIn: ownDetails ?? asked.details
        // Gate writes none, and what another device has written would stand where Gate's own words do.
        case .enterParentMode: ""
        case .authorize: asked.details
        }
    }

    private var durationDetails: String? {
        asked.duration.map { localized("for {duration}", ["duration": DurationWords.text($0)]) }
    }

    /// The details that Gate itself has written, in the language of the person; `nil`: in English they are as they came.
    private var ownDetails: String? {
        guard Localization.isTranslating, !asked.details.isEmpty else { return nil }
        guard isAskedByGate else {
            return durationDetails
        }
        return localized(
            "Nobody has an account on this device yet. An administrator makes one: sudo gatectl register NAME")
    }

    /// Whether the details are the asker's own words, and neither Gate's nor the policy's.
    package var areDetailsTheAskers: Bool {
        switch purpose {
        case .authorize, .unrecognized: true
        case .fillForm, .whatsNew: asked.isAppsOwn
        case .enterParentMode, .extendParentMode, .signIn, .pay: false
        }
    }

    /// The entitlement, the form or the app, by whichever of its names there is.
    private var subject: String {
        let names = [asked.titles, LocalizedText(asked.details, asked.translatedDetails)]
        if let name = names.first(where: { !$0.text.isEmpty }) { return name.text(for: languages) }
        switch purpose {
        case .pay: return localized("Something to be paid for")
        case .fillForm: return localized("A form")
        case .whatsNew: return localized("What's new")
        case .unrecognized: return localized("Something that this version does not know")
        case .enterParentMode, .extendParentMode, .authorize, .signIn: return ""
        }
    }

    /// Whether Gate itself asks: that the policy wants somebody to sign in is nobody's wish.
    package var isAskedByGate: Bool { purpose == .signIn }

    /// `Asked by anna.`: the kernel's word. The number of the process stands in the journal; nobody at a screen can do anything with it.
    ///
    /// - Parameters:
    ///   - names: of the asker and the broker, made harmless.
    ///   - program: its name for itself, made harmless, where it stands in the same line.
    package func who(_ names: AskerNames, program: String? = nil) -> String {
        guard !isAskedByGate else { return localized("Asked by Gate itself, as its policy says.") }
        if let device = names.device {
            return program.map {
                localized("Asked on {device} (the program says it is {program}).", ["device": device, "program": $0])
            } ?? localized("Asked on {device}.", ["device": device])
        }
        func name(_ uid: UInt32, _ name: String?) -> String { name ?? localized("user {uid}", ["uid": "\(uid)"]) }
        let user = name(asked.uid, names.user)
        switch (program, asked.broker.map { name($0.uid, names.broker) }) {
        case (nil, nil): return localized("Asked by {user}.", ["user": user])
        case (let program?, nil):
            return localized(
                "Asked by {user} (the program says it is {program}).", ["user": user, "program": program])
        case (nil, let broker?):
            return localized("Asked by {user}, through {broker}.", ["user": user, "broker": broker])
        case (let program?, let broker?):
            return localized(
                "Asked by {user}, through {broker} (the program says it is {program}).",
                ["user": user, "program": program, "broker": broker])
        }
    }

    /// The request to the person.
    package var heading: String {
        guard asked.device.isEmpty else { return localized("Another device asks. A grown-up answers:") }
        return switch (kind, purpose) {
        case (.signIn, _): localized("Somebody signs in:")
        case (.paywall, _): localized("This is to be paid for:")
        case (.challenge, .enterParentMode): localized("For parent mode, a grown-up answers:")
        case (.challenge, .extendParentMode): localized("For more time in parent mode, a grown-up answers:")
        case (.form, _): localized("This is to be filled in:")
        case (.whatsNew, _): localized("This is new:")
        case (.challenge, .authorize), (.challenge, .signIn), (.challenge, .pay), (.challenge, .fillForm),
            (.challenge, .whatsNew), (.challenge, .unrecognized):
            localized("A grown-up answers:")
        case (.unrecognized, _): localized("Somebody asks for something:")
        }
    }
}

/// The names of the users who take part in what is asked.
package struct AskerNames: Hashable, Sendable {
    /// The asker; `nil`: the device has no such account.
    package var user: String?
    /// The broker that asks for the process; `nil`: the process asks itself, or the device has no such account.
    package var broker: String?
    /// The other device of the household where it is asked; `nil`: this one.
    package var device: String?

    /// Makes names of these.
    package init(user: String? = nil, broker: String? = nil, device: String? = nil) {
        self.user = user
        self.broker = broker
        self.device = device
    }

    /// The names as this device has them.
    ///
    /// - Parameter userName: of a uid; `nil`: the device has no such account.
    package init(_ asked: PresentationContext, userName: (UInt32) -> String?) {
        guard asked.device.isEmpty else {
            self.init(device: asked.device)
            return
        }
        self.init(user: userName(asked.uid), broker: asked.broker.flatMap { userName($0.uid) })
    }

    /// The same, made harmless for where they are shown.
    package func map(_ harmless: (String) -> String) -> AskerNames {
        AskerNames(user: user.map(harmless), broker: broker.map(harmless), device: device.map(harmless))
    }
}
