import GateModel

extension InstallationFacts {
    /// The results of all checks; those that others depend on come first.
    var findings: [Finding] {
        isInSandbox ? [sandboxFinding, daemonFinding, versionFinding].compactMap(\.self) : findingsOfDevice
    }

    private var sandboxFinding: Finding {
        let found = "this is a sandbox, where gate-portal stands in for gated, at \(socketPath)"
        if case .there(.socket, _, _) = socket { return Finding(subject: "sandbox", found: found, verdict: .ok) }
        return Finding(
            subject: "sandbox", found: found,
            verdict: .failed(
                mend:
                    "Add --filesystem=xdg-run/gate:ro to the app's manifest, install gate-portal on the device, and start the app again."
            ))
    }

    private var findingsOfDevice: [Finding] {
        [serverUserFinding, administratorGroupFinding]
            + unitFindings
            + [
                lockFinding, directoryFinding, socketFinding, stateFinding, daemonFinding, versionFinding, pageFinding,
                clockFinding, storeFinding, policyFinding, leftOutFinding, namesFinding, secretsFinding,
                presenterFinding,
                windowsFinding,
                ownScreenFinding,
                accountsFinding, revenueCatFinding, providersFinding, timeBridgeFinding,
                guardedAppsFinding,
            ].compactMap(\.self) + peopleFindings + askingFindings
    }

    private var serverUserFinding: Finding {
        if let serverUserID {
            return Finding(subject: "user", found: "\(serverUser) has uid \(serverUserID)", verdict: .ok)
        }
        return Finding(
            subject: "user", found: "there is no user '\(serverUser)' for gated to run as",
            verdict: neededWhenInstalled(
                "Make it with \(asRoot("systemd-sysusers")), or name the daemon's user with --server-user."))
    }

    private var administratorGroupFinding: Finding {
        hasAdministratorGroup
            ? Finding(subject: "group", found: "the group gate-admin exists", verdict: .ok)
            : Finding(
                subject: "group", found: "there is no group gate-admin, so only root is an administrator",
                verdict: neededWhenInstalled(
                    "Make it with \(asRoot("systemd-sysusers")), or \(asRoot("groupadd --system gate-admin"))."))
    }

    private func neededWhenInstalled(_ mend: String) -> Finding.Verdict {
        isDefaultSocket ? .failed(mend: mend) : .unknown
    }

    private var unitFindings: [Finding] {
        guard isDefaultSocket, let units else { return [] }
        return units.map { unit in
            unit.isActive
                ? Finding(subject: unit.name, found: "active", verdict: .ok)
                : Finding(
                    subject: unit.name, found: "not active",
                    verdict: .failed(
                        mend:
                            "Start it with \(asRoot("systemctl enable --now \(unit.name)")). If it does not start, `systemctl status \(unit.name)` says why."
                    ))
        }
    }

    private var directoryFinding: Finding {
        switch directory {
        case .missing:
            Finding(
                subject: "directory", found: "\(directoryPath) is missing",
                verdict: .failed(mend: "Make it with \(asRoot("systemd-tmpfiles --create")), or start gated."))
        case .unreadable(let why):
            Finding(
                subject: "directory", found: "\(directoryPath) can't be looked at: \(why)",
                verdict: .failed(
                    mend: "Let everybody enter it and the directories above it, with \(asRoot("chmod a+rx"))."))
        case .there(_, let owner, let permissions) where !isTrusted(owner):
            Finding(
                subject: "directory", found: "\(directoryPath) belongs to uid \(owner), mode \(octal(permissions))",
                verdict: .failed(
                    mend:
                        "Its owner could put a false socket there. Give it to gated's user: \(asRoot("chown \(serverUser): \(directoryPath)"))."
                )
            )
        case .there(_, _, let permissions) where permissions & 0o022 != 0 && permissions & 0o1000 == 0:
            Finding(
                subject: "directory", found: "others can write to \(directoryPath), mode \(octal(permissions))",
                verdict: .failed(
                    mend: "They could put a false socket there. Forbid that: \(asRoot("chmod go-w \(directoryPath)")).")
            )
        case .there(_, let owner, let permissions):
            Finding(
                subject: "directory", found: "\(directoryPath) belongs to uid \(owner), mode \(octal(permissions))",
                verdict: .ok)
        }
    }

    private var socketFinding: Finding {
        let start =
            isDefaultSocket ? asRoot("systemctl enable --now gated.socket") : "gated with `--socket \(socketPath)`"
        return switch socket {
        case .missing:
            Finding(
                subject: "socket", found: "\(socketPath) is missing",
                verdict: .failed(mend: "Start \(start); or say where the daemon listens, with --socket or GATE_SOCKET.")
            )
        case .unreadable(let why):
            Finding(
                subject: "socket", found: "\(socketPath) can't be looked at: \(why)",
                verdict: .failed(mend: "Let everybody enter the directory: \(asRoot("chmod a+rx \(directoryPath)"))."))
        case .there(.socket, _, let permissions) where permissions & 0o222 != 0o222 && ownUserID != 0:
            Finding(
                subject: "socket", found: "not everybody may connect to \(socketPath), mode \(octal(permissions))",
                verdict: .failed(
                    mend:
                        "Every app has to be able to ask for the mode. Allow it: \(asRoot("chmod a+rw \(socketPath)"))."
                ))
        case .there(.socket, _, let permissions):
            Finding(subject: "socket", found: "\(socketPath), mode \(octal(permissions))", verdict: .ok)
        case .there(.directory, _, _), .there(.other, _, _):
            Finding(
                subject: "socket", found: "\(socketPath) is no socket",
                verdict: .failed(mend: "Remove it, then start \(start)."))
        }
    }

    private var daemonFinding: Finding {
        switch daemonVersion {
        case .success(let version): Finding(subject: "daemon", found: "gated \(version) answers", verdict: .ok)
        case .failure(let error):
            Finding(
                subject: "daemon",
                found: lastWords.map { "it does not answer; its last message was: \($0)" } ?? "it does not answer",
                verdict: .failed(mend: error.message))
        }
    }

    private var versionFinding: Finding? {
        guard case .success(let version) = daemonVersion else { return nil }
        return version == ownVersion
            ? Finding(subject: "version", found: "gatectl and gated are both \(version)", verdict: .ok)
            : Finding(
                subject: "version", found: "gatectl is \(ownVersion), gated is \(version)",
                verdict: .failed(mend: "Install both from one build, then \(asRoot("systemctl restart gated"))."))
    }

    private var storeFinding: Finding? {
        guard case .success = daemonVersion else { return nil }
        switch (statistics, damage) {
        case (.success, .success(.some(let quarantinedFile))):
            return Finding(
                subject: "store", found: "it was damaged, and was set aside as \(quarantinedFile)",
                verdict: .failed(mend: "Open Gate again with \(asRoot("gatectl recover"))."))
        case (.success(let counts), .success(.none)):
            return Finding(subject: "store", found: counts, verdict: .ok)
        case (.failure(let error), _), (_, .failure(let error)):
            return error.code == .permissionDenied
                ? Finding(subject: "store", found: "only administrators can see its state", verdict: .unknown)
                : Finding(
                    subject: "store", found: "the daemon can't tell its state", verdict: .failed(mend: error.message))
        }
    }

    private var lockFinding: Finding? {
        guard isDefaultSocket, let locksBeforeSleep else { return nil }
        return locksBeforeSleep
            ? Finding(subject: "gate-lock.service", found: "enabled", verdict: .ok)
            : Finding(
                subject: "gate-lock.service", found: "not enabled, so parent mode goes on after the device has slept",
                verdict: .failed(mend: "Enable it with \(asRoot("systemctl enable gate-lock.service"))."))
    }

    private var policyFinding: Finding {
        switch policy {
        case .missing:
            Finding(
                subject: "policy", found: "\(configDirectory) has no policy files, so every gated action is denied",
                verdict: .ok)
        case .valid(let files, _, _):
            Finding(subject: "policy", found: "no mistakes in \(files.joined(separator: ", "))", verdict: .ok)
        case .wrong(let first, let count):
            Finding(
                subject: "policy",
                found: count == 1 ? "it has one mistake" : "it has \(count) mistakes",
                verdict: .failed(mend: "\(first) Until that is corrected, \(consequenceOfWrongPolicy)."))
        }
    }

    /// Files that are left out, although the rest is in force.
    private var leftOutFinding: Finding? {
        guard let last = mistakesOfPolicy.last else { return nil }
        return Finding(
            subject: "left out of the policy",
            found: VisibleText.line(last),
            verdict: .failed(
                mend: VisibleText.line(mistakesOfPolicy[0])
                    + " Install the package again that brings the file, or say in \(configDirectory) what its gates require. What was chosen is mended with `gatectl gates set`."
            ))
    }

    /// A running daemon keeps the policy it had; one that starts has none to keep.
    private var consequenceOfWrongPolicy: String {
        guard case .failure = daemonVersion else { return "the previous policy stays in force" }
        return "gated does not start"
    }

    private var secretsFinding: Finding? {
        guard case .success(let kinds) = secrets else { return nil }
        if !kinds.isEmpty {
            let names = kinds.map(\.rawValue).joined(separator: " and ")
            return Finding(subject: "secrets", found: "\(names) set up", verdict: .ok)
        }
        if case .valid(_, asksForSecret: false, _) = policy {
            return Finding(subject: "secrets", found: "none is set up, and parent mode needs none", verdict: .ok)
        }
        return Finding(
            subject: "secrets",
            found:
                "no passcode is set up: only administrators can enter parent mode, and other gated actions ask a sum instead",
            verdict: neededWhenInstalled("Set one up with \(asRoot("gatectl setup"))."))
    }

    /// What the policy needs; nothing if there is none, or it has mistakes.
    var needs: Needs {
        switch policy {
        case .valid(_, _, let needs): needs
        case .missing, .wrong: Needs()
        }
    }

    /// If somebody must be signed in and there is no account, the screen stays covered for ever.
    private var accountsFinding: Finding? {
        guard needs.signIn, case .success(let count) = accountCount else { return nil }
        return count > 0
            ? Finding(subject: "accounts", found: "\(count) can sign in", verdict: .ok)
            : Finding(
                subject: "accounts", found: "the policy wants somebody to be signed in, but there is no account",
                verdict: .failed(mend: "Make one with \(asRoot("gatectl register NAME"))."))
    }

    private var revenueCatFinding: Finding? {
        guard isDefaultSocket, needs.revenueCat, let asksRevenueCat else { return nil }
        if !asksRevenueCat, hasRevenueCatUnit == false {
            return Finding(
                subject: "gate-revenuecat.service", found: "not installed, so nobody asks RevenueCat what was paid for",
                verdict: .failed(
                    mend: "Install it with \(asRoot("apt install gate-revenuecat")), then enable it with "
                        + "\(asRoot("systemctl enable --now gate-revenuecat.service"))."))
        }
        return asksRevenueCat
            ? Finding(subject: "gate-revenuecat.service", found: "active", verdict: .ok)
            : Finding(
                subject: "gate-revenuecat.service", found: "not active, so nothing asks RevenueCat what was paid for",
                verdict: .failed(mend: "Start it with \(asRoot("systemctl enable --now gate-revenuecat.service"))."))
    }

    private var providersFinding: Finding? {
        guard case .success(let lines) = unreachableProviders, !lines.isEmpty else { return nil }
        return Finding(
            subject: "providers", found: lines.joined(separator: "; "),
            verdict: .failed(
                mend:
                    "Earlier purchases still count. Look at \(asRoot("journalctl -u gate-revenuecat")), and at the network."
            ))
    }

    func isTrusted(_ owner: UInt32) -> Bool {
        owner == 0 || owner == serverUserID
    }

    /// A command that needs root, as the person has to type it. A daemon on a socket of its own needs no `sudo`.
    func asRoot(_ command: String) -> String {
        ownUserID == 0 || !isDefaultSocket ? "`\(command)`" : "`sudo \(command)`"
    }

    func octal(_ permissions: UInt16) -> String {
        "0" + String(permissions, radix: 8)
    }
}
