import GateModel
import GateProtocol
import GateTexts

struct SignInText: Hashable {
    let state: SignInState

    /// `anna is signed in  11:59:59 left`
    func line(now: BootTime) -> String {
        let authenticating = state.isAuthenticating ? "  " + localized("a name and a password are being checked") : ""
        guard let session = state.session else {
            let nobody =
                state.needsAuthentication
                ? localized("nobody is signed in, but a sign-in is required") : localized("nobody is signed in")
            return nobody + authenticating
        }
        let name = VisibleText.line(session.name)
        let who =
            session.isChild
            ? localized("{name} is signed in (a child)", ["name": name])
            : localized("{name} is signed in", ["name": name])
        return "\(who)\(DurationWords.leftBehind(now.duration(to: session.deadline)))\(authenticating)"
    }

    /// Whether the line is worth showing to people who asked about something else.
    var isNotable: Bool { state.session != nil || state.needsAuthentication || state.isAuthenticating }
}

enum PersonText {
    /// `mia`, `child`, `born 2015-03-02`, `11 years old`, `user mia (1001)`.
    static func columns(_ listed: ListedPerson, today: CivilDate) -> [String] {
        let person = listed.person
        var columns = [VisibleText.line(person.name)]
        switch person.kind {
        case .grownUp: columns.append(localized("grown-up"))
        case .shared: columns.append(localized("shared", context: "a user"))
        case .child(let born):
            columns.append(localized("child", context: "a person"))
            if let born {
                let date = WritingHabits.ofPerson.date(atStartOf: "\(born)")
                columns.append(localized("born {date}", ["date": date]))
            }
            if let age = person.age(on: today) {
                columns.append(localized("{count} year old", plural: "{count} years old", count: age))
            }
        }
        if let user = person.user {
            let names: KeyValuePairs = ["user": VisibleText.line(user.name), "uid": "\(user.uid)"]
            columns.append(
                listed.isUserUnknown
                    ? localized("user {user} is not {uid}: unknown", names) : localized("user {user} ({uid})", names))
        }
        if person.hasPassword, person.kind != .shared { columns.append(localized("signs in", context: "a person")) }
        if !person.isConfirmed { columns.append(localized("not confirmed")) }
        return columns
    }

    /// A sentence about a change of a person, with the warning that the change removes a password which nobody vouched
    /// for. `text` says what is changed.
    static func passwordGoes(_ text: String) -> String {
        localized("{what}; the password is removed, because anybody could have chosen it", ["what": text])
    }
}
