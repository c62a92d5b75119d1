import GateModel

/// The state of the sign-in, for people.
struct SignInText: Hashable {
    let state: SignInState

    /// `anna is signed in  11:59:59 left`
    func line(now: BootTime) -> String {
        let authenticating = state.isAuthenticating ? "  a name and a password are being checked" : ""
        guard let session = state.session else {
            let needed = state.needsAuthentication ? ", and somebody has to be" : ""
            return "nobody is signed in\(needed)\(authenticating)"
        }
        let child = session.isChild ? " (a child)" : ""
        let left = DurationText.clock(now.duration(to: session.deadline))
        return "\(VisibleText.line(session.name)) is signed in\(child)  \(left) left\(authenticating)"
    }

    /// Whether there is something to tell somebody who has not asked about it.
    var isNotable: Bool { state.session != nil || state.needsAuthentication || state.isAuthenticating }
}

/// An account, for people.
enum AccountText {
    /// `anna`, `child`, `born 2015-03-02`, `11 years old`.
    static func columns(_ account: GateAccount, today: CivilDate) -> [String] {
        let name = VisibleText.line(account.name)
        let note = account.isConfirmed ? nil : "not confirmed"
        switch account.kind {
        case .grownUp: return [name, "grown-up"] + [note].compactMap(\.self)
        case .child(let born):
            let age = account.age(on: today).map { "\($0) \($0 == 1 ? "year" : "years") old" }
            return [name, "child", "born \(born)"] + [age, note].compactMap(\.self)
        }
    }
}
