package import GateModel

/// Sentences about answers in a form, made from the kind of mistake and its parameters.
extension RefusalText {
    /// What is wrong with an answer, and what to do.
    package static func sentence(_ issue: FormIssue) -> String {
        sentence(issue.code, issue.parameters, issue.message)
    }

    /// What is wrong with an answer or in a file, and what to do. Mistakes in policy files stay in English.
    package static func sentence(_ issue: ErrorIssue) -> String {
        guard let kind = issue.kind else { return issue.message }
        if case .file = issue.place { return sentence(inFile: kind, issue) }
        return sentence(kind, issue.parameters, issue.message)
    }

    /// The sentence with the question before it, for readers who don't see the question otherwise.
    package static func named(_ issue: ErrorIssue) -> String {
        let sentence = sentence(issue)
        guard Localization.isTranslating, let question = question(in: issue.parameters) else { return sentence }
        return ListText.pair(question, sentence)
    }

    /// The name of the question that a refusal is about, in the person's language; `nil` if it names none.
    package static func question(in parameters: [String: String]) -> String? {
        LocalizedText(named: QuestionnaireItem.questionParameter, in: parameters)?.ofPerson
    }

    private static func choices(in parameters: [String: String]) -> String? {
        let choices = LocalizedText(named: QuestionnaireItem.choicesParameter, in: parameters)
        return choices.map { ListText.remarks($0.ofPerson.split(separator: "; ").map(String.init)) }
    }

    /// What is wrong with an answer in a file. Mistakes in policy files are told in English, like their keys.
    private static func sentence(inFile kind: FormIssue.Code, _ issue: ErrorIssue) -> String {
        guard Localization.isTranslating else { return issue.message }
        if let rule = issue.parameters["rule"], let sentence = sentence(ofFileRule: rule, issue.parameters) {
            return sentence
        }
        guard question(in: issue.parameters) != nil else { return issue.message }
        return sentence(kind, issue.parameters, issue.message)
    }

    /// `nil` if this is not a rule about files of answers.
    private static func sentence(ofFileRule rule: String, _ parameters: [String: String]) -> String? {
        let (name, group) = (parameters["name"] ?? "", parameters["group"] ?? "")
        return switch rule {
        case "no-item": localized("The form has no question called {name}.", ["name": name])
        case "similar-item":
            localized(
                "The form has no question called {name}. Did you mean {similar}?",
                ["name": name, "similar": parameters["similar"] ?? ""])
        case "outside":
            localized("{name} is not in {group}. Write it outside of that.", ["name": name, "group": group])
        case "below-answer":
            localized(
                "{name} belongs to an answer of {group}, which may have several. Write a QuestionnaireResponse for that.",
                ["name": name, "group": group])
        case "in-list":
            localized(
                "{name} is in {group}, which may be there several times. Write it in a list below {group}.",
                ["name": name, "group": group])
        case "twice": localized("{name} is there twice. Keep one of them.", ["name": name])
        case "display": localized("{name} is a text to read, and takes no answer.", ["name": name])
        case "group":
            localized(
                "{name} is a group. Write the answers to the questions in it, with their names.", ["name": name])
        case "one-answer": localized("{name} takes one answer. Keep one of these.", ["name": name])
        case "plain-value": localized("{name} takes a text, a number, or yes and no.", ["name": name])
        case "no-mapping": localized("Write answers like “name: Anna”, each with the name of its question.")
        case _: nil
        }
    }

    /// - Parameter message: the daemon's message. It follows a sentence that is less precise.
    private static func sentence(
        _ kind: FormIssue.Code, _ parameters: [String: String], _ message: String
    ) -> String {
        // These are the form's own words.
        if parameters["rule"] == "invariant" {
            return (LocalizedText(named: "text", in: parameters.merging(["text": message]) { $1 }) ?? "").ofPerson
        }
        guard Localization.isTranslating else { return message }
        if kind == .codeInvalid || parameters["type"] != nil, let choices = choices(in: parameters) {
            return localized("Choose one of these: {choices}.", ["choices": choices])
        }
        if let sentence = sentence(parameters) { return sentence }
        return switch kind {
        case .required: localized("This has to be answered.")
        case .tooLong: localized("This is too much. Shorten it.")
        case .value: detailed(localized("This can't be the answer here."), message)
        case .codeInvalid: localized("Choose one of the answers that are offered.")
        case .notFound: localized("The form has no such question.")
        case .duplicate: localized("This is there already.")
        case .businessRule, .invariant: detailed(localized("This does not fit a rule of the form."), message)
        case .structure: detailed(localized("This does not have the shape that the form expects."), message)
        case .notSupported: detailed(localized("Gate can't do this."), message)
        case .security: localized("This file can't be read safely.")
        case .informational: message
        }
    }

    private static func sentence(_ parameters: [String: String]) -> String? {
        if let minimum = parameters["minimum"] { return atLeast(minimum, parameters["unit"]) }
        if let maximum = parameters["maximum"] { return atMost(maximum, parameters["unit"]) }
        if let places = parameters["maximum-decimal-places"] {
            return localized("This has too many decimal places: at most {maximum}.", ["maximum": places])
        }
        if let example = parameters["example"] {
            return localized("Write it like {example}.", ["example": example])
        }
        if let pattern = parameters["pattern"] {
            return localized("Write it in this form: {pattern}", ["pattern": pattern])
        }
        if let types = parameters["types"] {
            return localized("Choose a document of one of these types: {types}.", ["types": alternatives(types)])
        }
        if let types = parameters["resource-types"] {
            return localized("This has to refer to one of these: {types}.", ["types": alternatives(types)])
        }
        if let units = parameters["units"] {
            return localized("Give one of these units: {units}.", ["units": alternatives(units)])
        }
        if let type = parameters["type"].flatMap(QuestionnaireItem.Kind.init(rawValue:)) { return sentence(for: type) }
        return parameters["rule"].flatMap(sentence(ofRule:))
    }

    private static func sentence(ofRule rule: String) -> String? {
        switch rule {
        case "control-characters": localized("This has characters in it that nobody sees. Leave them out.")
        case "line-break": localized("Write it in one line.")
        case "empty": localized("This answer is empty. Leave it out instead.")
        case "exclusive": localized("One of these choices can't be combined with others. Keep one or the other.")
        case "repeated": localized("The same choice is there twice. Leave one out.")
        case "not-enabled", "parent-missing", "read-only": notAnswerable(rule, [:])
        case "named-twice": localized("This is there twice. Keep one of them.")
        case _: nil
        }
    }

    private static func sentence(for type: QuestionnaireItem.Kind) -> String {
        let habits = WritingHabits.ofPerson
        switch type {
        case .boolean: return localized("Answer yes or no.")
        case .integer: return localized("Write a whole number, like 42.")
        case .decimal: return localized("Write a number, like {example}.", ["example": habits.decimal("1.5")])
        case .date: return localized("Write a date, like {example}.", ["example": habits.date(atStartOf: "2015-03-02")])
        case .dateTime:
            let example = habits.date(atStartOf: "2026-01-31 18:30+01:00")
            return localized("Write the date and the time with its time zone, like {example}.", ["example": example])
        case .time: return localized("Write a time, like 18:30.")
        case .string, .text: return localized("Write a text.")
        case .url: return localized("Write an address without spaces, like https://example.org/.")
        case .choice, .openChoice: return localized("Choose one of the answers that are offered.")
        case .attachment: return localized("The answer here is a document.")
        case .reference: return localized("Write what it refers to, like Patient/17.")
        case .quantity: return localized("Write a number and its unit.")
        case .group: return localized("This is a group. Answer the questions in it.")
        case .display: return localized("There is nothing to answer here.")
        }
    }

    /// A limit is a number of units, or else a date or a number.
    private static func atLeast(_ limit: String, _ unit: String?) -> String {
        guard unit == "characters", let count = Int(limit) else {
            return localized("At least {minimum}.", ["minimum": written(limit)])
        }
        return localized("At least {count} character.", plural: "At least {count} characters.", count: count)
    }

    private static func atMost(_ limit: String, _ unit: String?) -> String {
        switch (unit, Int(limit)) {
        case ("bytes", let count?):
            localized("This is too much: at most {maximum}.", ["maximum": FormSizeWords.text(count)])
        case ("characters", let count?):
            localized("At most {count} character.", plural: "At most {count} characters.", count: count)
        case ("answers", let count?):
            localized("At most {count} answer.", plural: "At most {count} answers.", count: count)
        case _: localized("At most {maximum}.", ["maximum": written(limit)])
        }
    }

    private static func alternatives(_ list: String) -> String {
        ListText.alternatives(list.split(separator: ", ").map(String.init))
    }

    /// A date or a number as the person writes it; other text unchanged.
    private static func written(_ value: String) -> String {
        let habits = WritingHabits.ofPerson
        let date = habits.date(atStartOf: value)
        let number = value.prefix { $0 != " " }
        guard date == value, number.allSatisfy({ ("0"..."9").contains($0) || ".-".contains($0) }) else { return date }
        return habits.decimal(value)
    }
}
