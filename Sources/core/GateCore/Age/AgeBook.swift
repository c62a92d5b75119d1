package import GateModel

/// What grown-ups have chosen about age ranges, and which apps wait for them. Copies share it until one of them changes,
/// because it is copied for every command and seldom changes.
package struct AgeBook: Hashable, Sendable {
    /// A person on the list, and the name that a program gives itself.
    package struct Key: Hashable, Sendable {
        package var person: String
        package var app: String

        package init(person: String, app: String) {
            (self.person, self.app) = (person, app)
        }
    }

    /// The choice about one app and one person. If an app has no record, it has never asked, or a grown-up chose to be
    /// asked when it asks again.
    package enum Choice: Hashable, Sendable {
        /// No grown-up has answered yet. An answer turns this into one of the other cases.
        case waiting
        case always
        case never
        /// A yes until this half of a year ends. Becomes `waiting` then.
        case forNow(HalfYear)
        /// A no until this half of a year ends. Becomes `waiting` then.
        case notNow(HalfYear)

        /// The half of a year at whose end the choice expires; `nil` if it does not expire.
        package var halfYear: HalfYear? {
            switch self {
            case .waiting, .always, .never: nil
            case .forNow(let half), .notNow(let half): half
            }
        }

        /// The choice as it counts in this half of a year.
        func counted(in present: HalfYear) -> Choice {
            halfYear.map { $0 == present } ?? true ? self : .waiting
        }

        var isYes: Bool {
            switch self {
            case .always, .forNow: true
            case .waiting, .never, .notNow: false
            }
        }

        package var shown: AgeChoice {
            switch self {
            case .waiting: .ask
            case .always: .always
            case .never: .never
            case .forNow: .forNow
            case .notNow: .notNow
            }
        }
    }

    private struct Contents: Hashable {
        var settings = AgeSettings()
        /// By person, then by app, because the limits are those of a person.
        var choices: [String: [String: Choice]] = [:]
        /// The earliest half of a year at whose end a choice expires. It is kept here because every command needs it.
        var firstEnding: HalfYear?
    }

    private static let empty = Shared(Contents())
    private var contents = empty

    package init() {}

    package var settings: AgeSettings {
        get { contents.value.settings }
        set { change { $0.settings = newValue } }
    }

    package subscript(key: Key) -> Choice? {
        get { contents.value.choices[key.person]?[key.app] }
        set {
            change { contents in
                var own = contents.choices[key.person] ?? [:]
                let before = own[key.app]?.halfYear
                own[key.app] = newValue
                contents.choices[key.person] = own.isEmpty ? nil : own
                if let before, before == contents.firstEnding {
                    contents.firstEnding = contents.choices.values.lazy.flatMap(\.values).compactMap(\.halfYear).min()
                } else if let ending = newValue?.halfYear {
                    contents.firstEnding = contents.firstEnding.map { min($0, ending) } ?? ending
                }
            }
        }
    }

    private mutating func change(_ change: (inout Contents) -> Void) {
        var changed = contents.value
        change(&changed)
        contents = Shared(changed)
    }

    /// By person, then by app.
    package var entries: [(key: Key, value: Choice)] {
        contents.value.choices.flatMap { person, apps in
            apps.map { (key: Key(person: person, app: $0.key), value: $0.value) }
        }.sorted { ($0.key.person, $0.key.app) < ($1.key.person, $1.key.app) }
    }

    /// By the names of the apps.
    func choices(of person: String) -> [String: Choice] { contents.value.choices[person] ?? [:] }

    var firstEnding: HalfYear? { contents.value.firstEnding }

    /// Whether both share one object. If not, their contents may still be equal.
    func isSame(as other: AgeBook) -> Bool { contents === other.contents }

    /// Whether an app that asks for the first time can be kept. Programs may call themselves whatever they like, so
    /// without limits a program could fill the list.
    func hasRoom(forAppOf person: String) -> Bool {
        let own = choices(of: person)
        return own.count < Limits.ageAppsOfPerson
            && own.values.count { $0 == .waiting } < Limits.waitingAgeAppsOfPerson
    }
}

extension AgeBook: CustomDebugStringConvertible {
    package var debugDescription: String { "\(settings), \(entries)" }
}
