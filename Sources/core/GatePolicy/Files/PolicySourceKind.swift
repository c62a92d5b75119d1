extension PolicySource {
    /// The subject of a file, and so what is read in it.
    enum Kind: Hashable {
        /// `policy.yaml`, and what is in `policy.d` and `questions.d`.
        case policy
        /// Whom Gate believes about purchases.
        case providers
        /// The household that the device belongs to.
        case household
        /// A form.
        case questionnaire
        /// The release notes of an app.
        case releaseNotes
        /// A person's answers. No policy: it is read for the one who gives it to Gate.
        case response

        init(path: String) {
            let names = path.split(separator: "/").suffix(2).map(String.init)
            let folder = names.count > 1 ? names[0] : ""
            if folder == "questionnaires.d" || names.last?.hasSuffix(".json") ?? false {
                self = .questionnaire
            } else if folder == "release-notes.d" {
                self = .releaseNotes
            } else if names.last == PolicySource.providersName {
                self = .providers
            } else if names.last == PolicySource.householdName {
                self = .household
            } else {
                self = .policy
            }
        }

        /// How its files end.
        var suffixes: [String] {
            switch self {
            case .policy, .providers, .household, .releaseNotes: [".yaml"]
            case .questionnaire, .response: [".json", ".yaml"]
            }
        }

        /// In words for people, at the beginning of a sentence.
        var plural: String {
            switch self {
            case .policy, .providers, .household: "Policies"
            case .questionnaire: "Forms"
            case .releaseNotes: "Release notes"
            case .response: "Responses"
            }
        }

        /// The message for a file that ends otherwise.
        var suffixMessage: String {
            let what =
                switch self {
                case .policy, .providers, .household: "Policy files"
                case .questionnaire, .releaseNotes, .response: plural
                }
            return "\(what) end in \(suffixes.joined(separator: " or ")); this one would not be read."
        }

        /// How many such files are read.
        var maximumCount: Int {
            switch self {
            case .policy, .providers, .household: PolicyLimits.files
            case .questionnaire: PolicyLimits.forms
            case .releaseNotes: PolicyLimits.releaseNotes
            case .response: 1
            }
        }

        var nesting: Int {
            switch self {
            case .policy, .providers, .household, .releaseNotes: PolicyLimits.nesting
            case .questionnaire, .response: PolicyLimits.formNesting
            }
        }

        /// How much is read of one file.
        var limit: (bytes: Int, message: String) {
            switch self {
            case .policy, .providers, .household: (PolicyLimits.fileBytes, "The file is larger than 1 MiB. Split it.")
            case .questionnaire: (PolicyLimits.formBytes, "The file is larger than 4 MiB, which no form may be.")
            case .releaseNotes:
                (PolicyLimits.fileBytes, "The file is larger than 1 MiB. Leave the oldest versions out.")
            case .response: (PolicyLimits.responseBytes, "The file is larger than 32 MiB, which no response may be.")
            }
        }
    }
}
