package import GateModel

/// The words for what is asked of a person, on every screen: for what it is, and the request. `title` and `details` may hold the
/// words of others, as they came: a screen makes them harmless for itself.
package struct AskedWords {
    private let asked: PresentationContext
    private let purpose: Presentation.Purpose
    private let kind: Presentation.Kind

    /// Makes the words for a presentation.
    package init(_ summary: PresentationSummary) {
        asked = summary.asked
        purpose = summary.purpose
        kind = summary.kind
    }

    /// The subject, in a few words.
    package var title: String {
        switch purpose {
        case .enterParentMode: localized("Parent mode")
        case .extendParentMode: localized("More time in parent mode")
        case .authorize: asked.title.isEmpty ? asked.gatedAction : asked.title
        case .signIn: localized("Sign in")
        case .pay, .fillForm, .whatsNew, .unrecognized: subject
        }
    }

    /// The URL, the command line, the amount. May be empty.
    package var details: String {
        switch purpose {
        case .pay, .fillForm, .whatsNew, .unrecognized: asked.details == subject ? "" : asked.details
        case .enterParentMode, .extendParentMode, .authorize, .signIn: asked.details
        }
    }

    /// The entitlement, the form or the app, by whichever of its names there is.
    private var subject: String {
        if let name = [asked.title, asked.details].first(where: { !$0.isEmpty }) { return name }
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

    /// `Asked by anna, process 4242.`: the kernel's word.
    ///
    /// - Parameters:
    ///   - userName: of the asker, made harmless; `nil`: the device has no such account.
    ///   - program: its name for itself, made harmless, where it stands in the same line.
    package func who(userName: String?, program: String? = nil) -> String {
        guard !isAskedByGate else { return localized("Asked by Gate itself, as its policy says.") }
        let user = userName ?? localized("user {uid}", ["uid": "\(asked.uid)"])
        guard let program else {
            return localized("Asked by {user}, process {process}.", ["user": user, "process": "\(asked.pid)"])
        }
        return localized(
            "Asked by {user}, process {process} (says it is {program}).",
            ["user": user, "process": "\(asked.pid)", "program": program])
    }

    /// The request to the person.
    package var heading: String {
        switch (kind, purpose) {
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
