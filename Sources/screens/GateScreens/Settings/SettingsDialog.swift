package import GateModel
import GateTexts

/// A small window of gate-settings with fields to fill in.
package enum SettingsDialog: Hashable, Sendable {
    case logIn
    /// A new person with a password and no Unix user.
    case register
    /// Changes a person on the list; `nil`: adds one.
    case person(GatePerson?)
    /// A new password, with the old one.
    case changePassword
    /// A new password for this person, without the old one.
    case resetPassword(String)
    /// The confirmation that this person's date of birth is right, with a new password.
    case confirmPerson(GatePerson)
    /// An administrator's claim on one of these entitlements.
    case grant([Choice])
    case passcode
    /// Parent mode on another device of the household, with a reason.
    case openDevice(HouseholdMember)
    /// What stands before a gated action.
    case gate(GateFacts)
    /// What stands before an app.
    case app(AppDialog)
    /// The ages that bound the ranges that apps are told.
    case ages(AgeSettings)

    package enum Field: Hashable, Sendable {
        case text(Key, label: String, hint: String)
        case secret(Key, label: String)
        case choice(Key, label: String, choices: [Choice])
    }

    package struct Choice: Hashable, Sendable {
        /// The value that stands for this choice, such as `child`, or an entitlement's name in the policy.
        package let name: String
        package let title: String

        package init(_ name: String, title: String) {
            (self.name, self.title) = (name, title)
        }
    }

    package enum Key: Hashable, Sendable {
        case name
        case birth
        case role
        case user
        case password
        case newPassword
        case again
        case entitlement
        case holder
        case end
        case duration
        case reason
        case question
        case limit
        case weekdays
        case weekend
        case nextAge
        case nextQuestion
        case lastAge
        case lastQuestion
        case inParentMode
        case answeredBy
        case keep
        case ages
    }

    /// What the person has typed and chosen.
    package struct Filled: Sendable {
        package var texts: [Key: String]
        package var secrets: [Key: GateSecret]

        package init(texts: [Key: String] = [:], secrets: [Key: GateSecret] = [:]) {
            self.texts = texts
            self.secrets = secrets
        }

        func text(_ key: Key) -> String { texts[key] ?? "" }
        func secret(_ key: Key) -> GateSecret { secrets[key] ?? GateSecret([]) }
    }

    package enum Request: Hashable, Sendable {
        case logIn(name: String, password: GateSecret)
        case register(GatePerson, password: GateSecret)
        case setPerson(GatePerson)
        case changePassword(name: String, old: GateSecret?, new: GateSecret)
        case confirm(GatePerson, newPassword: GateSecret)
        case addClaim(entitlement: String, holder: Claim.Holder, end: WallTime?)
        case setPasscode(GateSecret)
        case openDevice(HouseholdMember, ModeOverride)
        case changeGate(ChosenGate)
        case setAges(AgeSettings)
    }

    package struct Mistake: Error, Hashable {
        package let text: String
    }

    package var title: String {
        switch self {
        case .logIn: localized("Sign in")
        case .register: localized("Add a person with a password")
        case .person(nil): localized("Add a person")
        case .person(let person?): localized("Change {name}", ["name": person.name.replacingHidden])
        case .changePassword: localized("Change a password")
        case .resetPassword(let name): localized("A new password for {name}", ["name": name.replacingHidden])
        case .confirmPerson(let person): localized("Confirm {name}", ["name": person.name.replacingHidden])
        case .grant: localized("Unlock by hand")
        case .passcode: localized("Set the passcode")
        case .openDevice(let member): localized("Open {name}", ["name": member.name.replacingHidden])
        case .gate(let gate): gate.summary.readableTitle.replacingHidden
        case .app(let app): app.title
        case .ages: localized("Age ranges")
        }
    }

    /// The text above the fields. May be empty.
    package var text: String {
        switch self {
        case .logIn, .changePassword, .resetPassword: ""
        case .register:
            localized(
                "With a date of birth, this is a child, and the age decides about the questions. Without it, a grown-up."
            )
        case .person(let person):
            localized(
                "A child's age decides about the questions. Grown-ups answer in their own session. Unless you are an administrator, you are asked for the passcode."
            ) + (person.map(Self.passwordWarning) ?? "")
        case .confirmPerson(let person):
            localized(
                "{person}. If that is right, choose a new password that only this person knows.",
                ["person": PeopleWords.kind(of: person)])
        case .grant: localized("This unlocks it without a purchase.")
        case .passcode: localized("The passcode is a secret that grown-ups know and children do not.")
        case .openDevice: localized("Parent mode begins there at once. The reason is kept in its journal.")
        case .gate:
            localized(
                "This replaces everything that is asked now. Before you agree, you see how easily it is guessed."
            )
        case .app(let app): app.text
        case .ages: localized("A range begins at each of these ages.")
        }
    }

    /// Warns about changing a person who is not confirmed, because that ends their password. Empty for anybody else.
    private static func passwordWarning(_ person: GatePerson) -> String {
        guard person.isPasswordDoubtful else { return "" }
        return " " + localized("The password is removed, because anybody could have chosen it.")
    }

    package var fields: [Field] {
        let name = Field.text(.name, label: localized("Name"), hint: "")
        let newOnes: [Field] = [
            .secret(.newPassword, label: localized("New password")),
            .secret(.again, label: localized("Type it again")),
        ]
        switch self {
        case .logIn: return [name, .secret(.password, label: localized("Password"))]
        case .register:
            return [name, .text(.birth, label: localized("Date of birth"), hint: Self.exampleDate)] + newOnes
        case .person(let person):
            return (person == nil ? [name] : []) + [
                .choice(.role, label: localized("Who"), choices: Self.roles),
                .text(.birth, label: localized("Date of birth"), hint: Self.exampleDate),
                .text(.user, label: localized("User of this computer"), hint: localized("empty: none")),
            ]
        case .changePassword: return [name, .secret(.password, label: localized("Old password"))] + newOnes
        case .resetPassword, .confirmPerson: return newOnes
        case .grant(let choices):
            return [
                .choice(.entitlement, label: localized("Entitlement"), choices: choices),
                .text(.holder, label: localized("Person"), hint: localized("empty: the whole device")),
                .text(.end, label: localized("Last day"), hint: localized("empty: for good")),
            ]
        case .passcode:
            return [
                .secret(.newPassword, label: localized("New passcode, six digits or more")),
                .secret(.again, label: localized("Type it again")),
            ]
        case .openDevice:
            return [
                .choice(.duration, label: localized("How long"), choices: Self.durations),
                .text(.reason, label: localized("Reason"), hint: ""),
            ]
        case .gate(let gate): return GateDialog.fields(gate)
        case .app(let app): return app.fields
        case .ages: return [.text(.ages, label: localized("Ages"), hint: Self.text(AgeSettings.usualGates))]
        }
    }

    /// Whether the field is seen with what stands in the fields now.
    package func shows(_ key: Key, _ filled: Filled) -> Bool {
        switch self {
        case .gate: GateDialog.shows(key, filled)
        case .app: AppDialog.shows(key, filled)
        case .logIn, .register, .person, .changePassword, .resetPassword, .confirmPerson, .grant, .passcode,
            .openDevice, .ages:
            true
        }
    }

    private static var roles: [Choice] {
        [
            Choice("child", title: RoleWords.child), Choice("grown-up", title: RoleWords.grownUp),
            Choice("shared", title: RoleWords.shared),
        ]
    }

    /// What stands in the fields at first. A field without a value here is empty, and a list shows its first choice.
    package func initial(_ habits: WritingHabits = .ofPerson) -> [Key: String] {
        if case .gate(let gate) = self { return GateDialog.initial(gate) }
        if case .app(let app) = self { return app.initial }
        if case .ages(let settings) = self { return [.ages: Self.text(settings.gates)] }
        guard case .person(let person?) = self else { return [:] }
        var texts: [Key: String] = [.user: person.user?.name ?? ""]
        switch person.kind {
        case .grownUp: texts[.role] = "grown-up"
        case .shared: texts[.role] = "shared"
        case .child(let born):
            texts[.role] = "child"
            texts[.birth] = born.map { habits.date(atStartOf: "\($0)") } ?? ""
        }
        return texts
    }

    /// How long another device can be opened.
    private static var durations: [Choice] {
        [15, 30, 60, 120].map { Choice("\($0)", title: DurationWords.text(.seconds($0 * 60))) }
    }

    static var exampleDate: String {
        localized("for example {date}", ["date": WritingHabits.ofPerson.date(atStartOf: "2015-03-02")])
    }

    package var button: String {
        switch self {
        case .logIn: localized("Sign in")
        case .register: localized("Add")
        case .person(nil): localized("Add")
        case .person: localized("Change")
        case .changePassword, .resetPassword, .ages: localized("Change")
        case .confirmPerson: localized("Confirm")
        case .grant: localized("Unlock")
        case .passcode: localized("Set")
        case .openDevice: localized("Open")
        case .gate, .app: localized("Continue")
        }
    }

    /// A button below the fields that leads on without them; `nil` if there is none.
    package var furtherButton: SettingsButton? { if case .app(let app) = self { app.release } else { nil } }

    /// The request to the daemon that the filled fields make. Nothing is sent here.
    ///
    /// - Throws: `Mistake` if a field is empty or wrong.
    package func request(_ filled: Filled, habits: WritingHabits = .ofPerson) throws(Mistake) -> Request {
        switch self {
        case .logIn:
            return .logIn(name: try Self.name(filled), password: try Self.given(filled, .password))
        case .register:
            let birth = try Self.date(filled.text(.birth), habits)
            let person = GatePerson(
                name: try Self.name(filled), kind: birth.map { .child(born: $0) } ?? .grownUp)
            return .register(person, password: try Self.twice(filled))
        case .person(let person):
            let name = if let person { person.name } else { try Self.name(filled) }
            return .setPerson(try Self.person(name, filled, habits))
        case .changePassword:
            return .changePassword(
                name: try Self.name(filled), old: try Self.given(filled, .password), new: try Self.twice(filled))
        case .resetPassword(let name):
            return .changePassword(name: name, old: nil, new: try Self.twice(filled))
        case .confirmPerson(let person):
            return .confirm(person, newPassword: try Self.twice(filled))
        case .grant:
            let holder = filled.text(.holder)
            // Until the end of that day in UTC, as with gatectl.
            let end = try Self.date(filled.text(.end), habits).map {
                WallTime(unixMilliseconds: ($0.daysSince1970 + 1) * LocalClock.dayMilliseconds)
            }
            return .addClaim(
                entitlement: filled.text(.entitlement), holder: holder.isEmpty ? .device : .account(holder), end: end)
        case .passcode:
            return .setPasscode(try Self.twice(filled))
        case .openDevice(let member):
            guard !filled.text(.reason).isEmpty else { throw Mistake(text: localized("The reason is missing.")) }
            let minutes = Int64(filled.text(.duration)).map { Duration.seconds($0 * 60) }
            return .openDevice(
                member, ModeOverride(mode: .parent, duration: minutes, reason: filled.text(.reason)))
        case .gate(let gate):
            return .changeGate(ChosenGate(gate.summary, try GateDialog.setting(filled)))
        case .app(let app): return .changeGate(try app.change(filled))
        case .ages(let settings): return .setAges(AgeSettings(isOn: settings.isOn, gates: try Self.gates(filled)))
        }
    }

    /// `13, 16, 18`
    private static func text(_ gates: [Int]) -> String { gates.map(String.init).joined(separator: ", ") }

    private static func gates(_ filled: Filled) throws(Mistake) -> [Int] {
        let gates = filled.text(.ages).split { $0.isWhitespace || ",;，、".contains($0) }.map { Int($0) ?? 0 }
        guard AgeSettings.areGates(gates) else {
            throw Mistake(
                text: localized(
                    "Write one to three ages from 2 to 25, at least two years apart, like {ages}.",
                    ["ages": text(AgeSettings.usualGates)]))
        }
        return gates
    }

    private static func person(
        _ name: String, _ filled: Filled, _ habits: WritingHabits
    ) throws(Mistake) -> GatePerson {
        let birth = try date(filled.text(.birth), habits)
        let kind: GatePerson.Kind
        switch filled.text(.role) {
        case "grown-up": kind = .grownUp
        case "shared": kind = .shared
        case _: kind = .child(born: birth)
        }
        guard birth == nil || kind == .child(born: birth) else {
            throw Mistake(text: localized("A date of birth is only for children."))
        }
        // The daemon looks the number up.
        let user = filled.text(.user).isEmpty ? nil : GatePerson.UnixUser(name: filled.text(.user), uid: 0)
        return GatePerson(name: name, kind: kind, user: user)
    }

    private static func name(_ filled: Filled) throws(Mistake) -> String {
        guard !filled.text(.name).isEmpty else { throw Mistake(text: localized("The name is missing.")) }
        return filled.text(.name)
    }

    private static func given(_ filled: Filled, _ key: Key) throws(Mistake) -> GateSecret {
        guard filled.secret(key).byteCount > 0 else { throw Mistake(text: localized("That was empty.")) }
        return filled.secret(key)
    }

    /// The new secret, typed twice the same.
    static func twice(_ filled: Filled) throws(Mistake) -> GateSecret {
        let new = try given(filled, .newPassword)
        guard filled.secret(.again) == new else {
            throw Mistake(text: localized("They don't match. Try again."))
        }
        return new
    }

    /// The date in the field; `nil` if the field is empty.
    static func date(_ text: String, _ habits: WritingHabits) throws(Mistake) -> CivilDate? {
        guard !text.isEmpty else { return nil }
        guard let date = CivilDate(habits.iso(dateAtStartOf: text)) else {
            throw Mistake(
                text: localized(
                    "Write the date like {date}.", ["date": habits.date(atStartOf: "2015-03-02")]))
        }
        return date
    }
}
