/// The first line of a paragraph that is a file.
enum ScriptHeading: Hashable {
    case policy
    case questions
    /// The file's path in the configuration directory, without what says how it is written.
    case file(String)
    /// The name in the script.
    case response(String)
    /// A form, or the notes of an app, that nobody has installed: the app brings it.
    case brought(String)

    init?(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        switch (words.first, words.count) {
        case ("policy", 1): self = .policy
        case ("questions", 1): self = .questions
        case ("form", 2): self = .file("questionnaires.d/\(words[1])")
        case ("release-notes", 2): self = .file("release-notes.d/\(words[1])")
        case ("app-form", 2), ("app-notes", 2): self = .brought(words[1])
        case ("response", 2): self = .response(words[1])
        default: return nil
        }
    }

    /// The daemon does not read it.
    var isForScriptAlone: Bool {
        switch self {
        case .policy, .questions, .file: false
        case .response, .brought: true
        }
    }
}

extension ScriptWorld {
    /// Takes over what a paragraph says that is a file.
    mutating func take(_ text: String, under heading: ScriptHeading) {
        switch heading {
        case .policy: policy = text
        case .questions: questions = text
        case .file(let path):
            let isJSON = text.trimmed.hasPrefix("{")
            files["\(path).\(isJSON ? "yaml" : "json")"] = nil
            files["\(path).\(isJSON ? "json" : "yaml")"] = text
        case .response(let name): responses[name] = text
        case .brought(let name): brought[name] = text
        }
    }
}

extension ScriptCommand {
    var isReload: Bool {
        if case .reload = self { true } else { false }
    }
}
