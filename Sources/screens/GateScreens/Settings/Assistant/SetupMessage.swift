import GateForms

/// What `gatectl setup --for-window` writes: one JSON object a line. The questions, and what follows from them, are
/// gatectl's; the assistant shows them.
package enum SetupMessage: Hashable, Sendable {
    /// A question of the conversation.
    package struct Question: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable {
            /// One of `choices`.
            case choice
            /// A day, or nothing.
            case date
            /// The new passcode.
            case secret
            /// A line of text, or nothing.
            case word
        }

        package var kind: Kind
        /// The label of the field.
        package var label: String
        /// What to know before the answer. May be empty.
        package var text: String
        /// What is wrong with the answer before. Empty if nothing is.
        package var problem: String
        /// The value that stands in the field at first; `nil`: nothing.
        package var standing: String?
        package var choices: [SettingsDialog.Choice]
        /// Whether there is a question before it.
        package var canGoBack: Bool

        package init(
            _ kind: Kind, label: String, text: String = "", problem: String = "", standing: String? = nil,
            choices: [SettingsDialog.Choice] = [], canGoBack: Bool = false
        ) {
            (self.kind, self.label, self.text, self.problem) = (kind, label, text, problem)
            (self.standing, self.choices, self.canGoBack) = (standing, choices, canGoBack)
        }
    }

    /// A step of the plan, and why it failed; empty if it was done.
    package struct Step: Hashable, Sendable {
        package var text: String
        package var problem: String

        package init(_ text: String, problem: String = "") {
            (self.text, self.problem) = (text, problem)
        }
    }

    /// The check at the end.
    package struct Check: Hashable, Sendable {
        /// Where the questions of one user are answered.
        package struct Person: Hashable, Sendable {
            package struct Gate: Hashable, Sendable {
                package var title: String
                package var end: String

                package init(_ title: String, _ end: String) {
                    (self.title, self.end) = (title, end)
                }
            }

            package var who: String
            package var gates: [Gate]
            /// What to do if something can be answered nowhere.
            package var mends: [String]

            package init(_ who: String, _ gates: [Gate], mends: [String] = []) {
                (self.who, self.gates, self.mends) = (who, gates, mends)
            }
        }

        /// The result of trying to enter parent mode as a child.
        package var trial: String
        package var people: [Person]
        /// What else can be done.
        package var advice: [String]

        package init(_ trial: String, _ people: [Person], advice: [String] = []) {
            (self.trial, self.people, self.advice) = (trial, people, advice)
        }
    }

    case ask(Question)
    /// Everything that is about to be done.
    case plan([String])
    case step(Step)
    case checked(Check)
    /// gatectl gives up. The sentence says why.
    case refused(String)

    /// - Returns: `nil` if the line is none of these.
    package init?(line: [UInt8]) {
        guard let node = try? FHIRNode(json: line) else { return nil }
        if let ask = node["ask"] {
            guard let question = Question(ask) else { return nil }
            self = .ask(question)
        } else if let plan = node["plan"] {
            self = .plan(plan.texts)
        } else if let step = node["step"] {
            self = .step(Step(step.string("text"), problem: step.string("problem")))
        } else if let checked = node["checked"] {
            self = .checked(Check(checked))
        } else if let reason = node["refused"]?.text {
            self = .refused(reason)
        } else {
            return nil
        }
    }
}

extension SetupMessage.Question {
    fileprivate init?(_ node: FHIRNode) {
        guard let kind = Kind(rawValue: node.string("kind")) else { return nil }
        self.init(
            kind, label: node.string("label"), text: node.string("text"), problem: node.string("problem"),
            standing: node["standing"]?.text,
            choices: node.list("choices").map { .init($0.string("value"), title: $0.string("title")) },
            canGoBack: node["canGoBack"]?.boolean == true)
        guard kind != .choice || !choices.isEmpty else { return nil }
    }
}

extension SetupMessage.Check {
    fileprivate init(_ node: FHIRNode) {
        self.init(
            node.string("trial"),
            node.list("people").map { person in
                Person(
                    person.string("who"),
                    person.list("gates").map { Person.Gate($0.string("title"), $0.string("end")) },
                    mends: person["mends"]?.texts ?? [])
            }, advice: node["advice"]?.texts ?? [])
    }
}

extension FHIRNode {
    /// The text of a field; empty if it is missing.
    func string(_ key: String) -> String { self[key]?.text ?? "" }

    fileprivate func list(_ key: String) -> [FHIRNode] { self[key]?.elements ?? [] }

    /// The texts of a list's elements; those that are no texts are skipped.
    var texts: [String] { elements.compactMap(\.text) }
}
