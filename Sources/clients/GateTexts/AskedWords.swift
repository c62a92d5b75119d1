package import GateModel

/// What is asked of a person, in words for every screen: what it is about, who asks, and the request. `title` and
/// `details` may contain other people's words unchanged, so each screen has to make them harmless.
package struct AskedWords {
    private let asked: PresentationContext
    private let purpose: Presentation.Purpose
    private let kind: Presentation.Kind
    private let languages: [String]

    /// - Parameter languages: the person's languages as BCP 47 tags, the preferred one first.
    package init(_ summary: PresentationSummary, for languages: [String] = Localization.languages) {
        asked = summary.asked
        self.languages = languages
        purpose = summary.purpose
        kind = summary.kind
    }

    package var title: String {
        switch purpose {
        case .enterParentMode: localized("Parent mode")
        case .extendParentMode: localized("More time in parent mode")
        case .authorize: asked.title.isEmpty ? asked.gatedAction : asked.titles.text(for: languages)
        case .signIn: localized("Sign in")
        case .fillForm where asked.isAppsOwn: localized("A form from an app")
        case .whatsNew where asked.isAppsOwn: localized("News from an app")
        case .whatsNew where !subject.isEmpty && !asked.details.isEmpty:
            localized("News about an app")
        case .pay, .fillForm, .whatsNew, .unrecognized: subject
        }
    }

    /// A warning about texts that an app brought along and no administrator has checked; `nil` if there are none.
    package var caution: String? {
        guard asked.isAppsOwn else { return nil }
        return localized("The app has written all of this itself. Type no passcode and no password here.")
    }

    /// For example the URL, the command line or the amount. May be empty.
    package var details: String {
        switch purpose {
        case .fillForm where asked.isAppsOwn, .whatsNew where asked.isAppsOwn:
            LocalizedText(asked.details, asked.translatedDetails).text(for: languages)
        case .pay, .fillForm, .whatsNew, .unrecognized:
            asked.title.isEmpty || asked.details == asked.title ? "" : asked.details
        case .extendParentMode where !asked.device.isEmpty: durationDetails ?? ""
        case .extendParentMode, .signIn: ownDetails ?? asked.details
        // Gate writes no details here, and another device's details would look like Gate's own words.
        case .enterParentMode: ""
        case .authorize: asked.details
        }
    }

    private var durationDetails: String? {
        asked.duration.map { localized("for {duration}", ["duration": DurationWords.text($0)]) }
    }

    /// Details that Gate itself has written, in the person's language; `nil`: show `asked.details`.
    private var ownDetails: String? {
        guard Localization.isTranslating, !asked.details.isEmpty else { return nil }
        guard isAskedByGate else {
            return durationDetails
        }
        return localized(
            "Nobody has a password on this device yet. An administrator can add a person: sudo gatectl register NAME")
    }

    /// Whether the details are the requester's own words, rather than Gate's or the policy's.
    package var areDetailsTheAskers: Bool {
        switch purpose {
        case .authorize, .unrecognized: true
        case .fillForm, .whatsNew: asked.isAppsOwn
        case .enterParentMode, .extendParentMode, .signIn, .pay: false
        }
    }

    /// The title or the name of the entitlement, the form or the app.
    private var subject: String {
        let names = [asked.titles, LocalizedText(asked.details, asked.translatedDetails)]
        if let name = names.first(where: { !$0.text.isEmpty }) { return name.text(for: languages) }
        switch purpose {
        case .pay: return localized("A purchase")
        case .fillForm: return localized("A form")
        case .whatsNew: return localized("What's new")
        case .unrecognized: return localized("Something that this version does not know")
        case .enterParentMode, .extendParentMode, .authorize, .signIn: return ""
        }
    }

    /// Whether Gate itself asks: the sign-in is required by the policy, and not requested by a program.
    package var isAskedByGate: Bool { purpose == .signIn }

    /// Who asks, as attested by the kernel: `Asked by anna.` Without the process id, of which a person at a screen has
    /// no use. `program` is the program's name for itself; `nil`: the sentence does not contain it. The caller has made
    /// all these names harmless.
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

    package var heading: String {
        guard asked.device.isEmpty else { return localized("Another device asks. A grown-up answers:") }
        return switch (kind, purpose) {
        case (.signIn, _): localized("Sign in to continue:")
        case (.paywall, _): localized("Buy this to continue:")
        case (.challenge, .enterParentMode): localized("For parent mode, a grown-up answers:")
        case (.challenge, .extendParentMode): localized("For more time in parent mode, a grown-up answers:")
        case (.form, _): localized("Please fill in:")
        case (.whatsNew, _): localized("This is new:")
        case (.challenge, .authorize), (.challenge, .signIn), (.challenge, .pay), (.challenge, .fillForm),
            (.challenge, .whatsNew), (.challenge, .unrecognized):
            localized("A grown-up answers:")
        case (.unrecognized, _): localized("Somebody asks for something:")
        }
    }
}

/// The names of the users, or of the device, that a presentation comes from.
package struct AskerNames: Hashable, Sendable {
    /// The requester's user; `nil` if the device has no such account.
    package var user: String?
    /// The user of the broker; `nil` if the process asks itself, or the device has no such account.
    package var broker: String?
    /// The other device of the household where it is asked; `nil` if it is this one.
    package var device: String?

    package init(user: String? = nil, broker: String? = nil, device: String? = nil) {
        self.user = user
        self.broker = broker
        self.device = device
    }

    /// `userName` returns `nil` if the device has no such account.
    package init(_ asked: PresentationContext, userName: (UInt32) -> String?) {
        guard asked.device.isEmpty else {
            self.init(device: asked.device)
            return
        }
        self.init(user: userName(asked.uid), broker: asked.broker.flatMap { userName($0.uid) })
    }

    package func map(_ harmless: (String) -> String) -> AskerNames {
        AskerNames(user: user.map(harmless), broker: broker.map(harmless), device: device.map(harmless))
    }
}
