package import GateModel

/// A requirement in the middle of a line, from a policy file or as the daemon lists it: `parent mode or the passcode`.
package indirect enum RequirementWords {
    /// All of them.
    case all([RequirementWords])
    /// One of them.
    case any([RequirementWords])
    /// The device is in parent mode.
    case parentMode
    /// Which question at which age, the youngest first.
    case challenge([ChallengeForAge])
    /// Somebody is signed in.
    case signedIn
    /// It is paid for.
    case entitlement(String)
    /// The form is filled in.
    case form(String)
    /// Something that this version does not know.
    case unrecognized

    /// Makes the words for a requirement of a policy.
    package init(_ requirement: Requirement) {
        self =
            switch requirement {
            case .all(let parts): .all(parts.map { RequirementWords($0) })
            case .any(let parts): .any(parts.map { RequirementWords($0) })
            case .parentMode: .parentMode
            case .challenge(let rule): .challenge(ChallengeForAge.list(of: rule))
            case .signedIn: .signedIn
            case .entitlement(let name): .entitlement(name)
            case .form(let name): .form(name)
            }
    }

    /// The words.
    ///
    /// - Parameter visible: makes the words of others harmless for where they are shown.
    package func text(visible: (String) -> String = { $0 }) -> String {
        switch self {
        case .all(let parts): ListText.together(parts.map { $0.textOfPart(visible) })
        case .any(let parts): ListText.alternatives(parts.map { $0.textOfPart(visible) })
        case .parentMode: localized("parent mode")
        case .challenge(let challenges): PolicyWords.text(of: challenges)
        case .signedIn: localized("somebody is signed in")
        case .entitlement(let name): localized("{name} is paid for", ["name": visible(name)])
        case .form(let name): localized("{name} is filled in", ["name": visible(name)])
        case .unrecognized: localized("something that this version does not know")
        }
    }

    /// In brackets where it would run into what stands beside it.
    private func textOfPart(_ visible: (String) -> String) -> String {
        let isLong =
            switch self {
            case .parentMode, .signedIn, .entitlement, .form, .unrecognized: false
            case .challenge(let challenges): challenges.count > 1
            case .all(let parts), .any(let parts): parts.count > 1
            }
        return isLong ? localized("({text})", ["text": text(visible: visible)]) : text(visible: visible)
    }
}
