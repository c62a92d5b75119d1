import GateModel

/// Checks of the list of people, and of where each child's questions are answered.
extension InstallationFacts {
    /// The names of the Unix users in whose sessions grown-ups of the list answer.
    var grownUpUsers: [String] {
        guard case .success(let people) = people else { return [] }
        return people.filter { $0.person.kind == .grownUp && !$0.isUserUnknown }.compactMap(\.person.user?.name)
    }

    /// Whether the list can be read. Programs of children can't.
    var canSeePeople: Bool {
        if case .success = people { true } else { false }
    }

    /// A failure for each person whom Gate does not recognize.
    var peopleFindings: [Finding] {
        guard case .success(let people) = people else { return [] }
        return people.filter(\.isUserUnknown).compactMap { listed in
            guard let user = listed.person.user else { return nil }
            let name = VisibleText.line(listed.person.name)
            let command = ShellText.quoted(["gatectl", "people", "set", listed.person.name, "--user", user.name])
            return Finding(
                subject: "people",
                found: "\(name) is not recognized: the user \(VisibleText.line(user.name)) is not \(user.uid) here",
                verdict: .failed(
                    mend:
                        "If it is still \(name)'s: \(asRoot(command)); if not, name another user, or take it away with --no-user."
                ))
        }
    }

    /// A check for each user who is no grown-up, or a remark that this user may not see the list.
    var askingFindings: [Finding] {
        if let asking { return asking.findings }
        guard isDefaultSocket, case .success = daemonVersion, !canSeePeople else { return [] }
        return [
            Finding(
                subject: "questions",
                found: "only administrators and grown-ups can see where each child's are answered", verdict: .unknown)
        ]
    }
}
