extension PolicySource {
    enum Kind: Hashable {
        /// `policy.yaml`, and the files of `policy.d` and `questions.d`.
        case policy
        case providers
        case household
        case questionnaire
        case releaseNotes
        /// A person's answers to a form. This is not part of a policy: a client reads it to submit it to Gate.
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

        var suffixes: [String] {
            switch self {
            case .policy, .providers, .household, .releaseNotes: [".yaml"]
            case .questionnaire, .response: [".json", ".yaml"]
            }
        }

        /// The name for several such files, at the beginning of an English sentence.
        var plural: String {
            switch self {
            case .policy, .providers, .household: "Policies"
            case .questionnaire: "Forms"
            case .releaseNotes: "Release notes"
            case .response: "Responses"
            }
        }

        /// What to say about a file with another ending.
        var suffixMessage: String {
            let what =
                switch self {
                case .policy, .providers, .household: "Policy files"
                case .questionnaire, .releaseNotes, .response: plural
                }
            return "\(what) end in \(suffixes.joined(separator: " or ")); this one would not be read."
        }

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

        /// The most bytes that are read of one file, and what to say about a larger one.
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
