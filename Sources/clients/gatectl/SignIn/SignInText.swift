import GateModel
import GateTexts

/// The state of the sign-in, for people.
struct SignInText: Hashable {
    let state: SignInState

    /// `anna is signed in  11:59:59 left`
    func line(now: BootTime) -> String {
        let authenticating = state.isAuthenticating ? "  " + localized("a name and a password are being checked") : ""
        guard let session = state.session else {
            let nobody =
                state.needsAuthentication
                ? localized("nobody is signed in, and somebody has to be") : localized("nobody is signed in")
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

enum AccountText {
    /// `anna`, `child`, `born 2015-03-02`, `11 years old`.
    static func columns(_ account: GateAccount, today: CivilDate) -> [String] {
        let name = VisibleText.line(account.name)
        let note = account.isConfirmed ? nil : localized("not confirmed")
        switch account.kind {
        case .grownUp: return [name, localized("grown-up")] + [note].compactMap(\.self)
        case .child(let born):
            let age = account.age(on: today).map {
                localized("{count} year old", plural: "{count} years old", count: $0)
            }
            let birth = WritingHabits.ofPerson.date(atStartOf: "\(born)")
            return [name, localized("child", context: "an account"), localized("born {date}", ["date": birth])]
                + [age, note].compactMap(\.self)
        }
    }
}
