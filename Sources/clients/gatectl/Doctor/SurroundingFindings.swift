import GateModel

/// Checks of what is around the daemon: disk, status page, clock, roles, presenters and Gate's own screen.
extension InstallationFacts {
    /// With less free space a commit may fail, and then nothing can be granted.
    private static let leastRoomBytes: UInt64 = 16 << 20

    var stateFinding: Finding? {
        guard isDefaultSocket else { return nil }
        switch stateDirectory {
        case .missing:
            return Finding(
                subject: "state", found: "\(stateDirectoryPath) is not there yet; gated makes it when it first starts",
                verdict: .unknown)
        case .unreadable(let why):
            return Finding(
                subject: "state", found: "\(stateDirectoryPath) can't be looked at: \(why)", verdict: .unknown)
        case .there(.directory, let owner, let permissions):
            return stateFinding(owner: owner, permissions: permissions)
        case .there(.socket, _, _), .there(.other, _, _):
            return Finding(
                subject: "state", found: "\(stateDirectoryPath) is no directory",
                verdict: .failed(
                    mend: "Remove it, then run \(asRoot("systemctl restart gated")), which makes a new one."))
        }
    }

    private func stateFinding(owner: UInt32, permissions: UInt16) -> Finding {
        let found = "\(stateDirectoryPath) belongs to uid \(owner), mode \(octal(permissions))"
        if let serverUserID, owner != serverUserID {
            return Finding(
                subject: "state", found: found,
                verdict: .failed(
                    mend:
                        "gated can't keep anything there. Give it to gated's user: \(asRoot("chown -R \(serverUser): \(stateDirectoryPath)"))."
                ))
        }
        if permissions & 0o022 != 0 {
            return Finding(
                subject: "state", found: found,
                verdict: .failed(
                    mend:
                        "Others can write there, so gated does not start. Forbid that: \(asRoot("chmod go-w \(stateDirectoryPath)"))."
                ))
        }
        if let roomBytes, roomBytes < Self.leastRoomBytes {
            return Finding(
                subject: "state", found: "the disk of \(stateDirectoryPath) has \(roomBytes >> 20) MiB left",
                verdict: .failed(
                    mend: "Make room: while it is full nothing can be granted. Look at `df \(stateDirectoryPath)`."))
        }
        return Finding(subject: "state", found: found, verdict: .ok)
    }

    /// Programs that can't trust the page behave as in child mode.
    var pageFinding: Finding? {
        guard isDefaultSocket, case .success = daemonVersion else { return nil }
        return switch page {
        case .live: Finding(subject: "page", found: "the status page is live", verdict: .ok)
        case .closed(let why):
            Finding(
                subject: "page", found: why,
                verdict: .failed(
                    mend:
                        "Programs that read the page see child mode. \(asRoot("systemctl restart gated")) makes a new one."
                ))
        }
    }

    /// Subscriptions and receipts expire by the wall clock.
    var clockFinding: Finding? {
        let mend = Finding.Verdict.failed(
            mend:
                "Purchases are valid by this clock. Set it: \(asRoot("timedatectl set-ntp true")), or \(asRoot("timedatectl set-time"))."
        )
        if now < Self.release {
            return Finding(
                subject: "clock", found: "it says \(seconds(now)), which is before Gate was released", verdict: mend)
        }
        // Services that keep the time may set it back a little.
        if let newestEntry, now.unixMilliseconds < newestEntry.unixMilliseconds - 60_000 {
            return Finding(
                subject: "clock",
                found:
                    "it says \(seconds(now)), but the journal's newest entry is from \(seconds(newestEntry))",
                verdict: mend)
        }
        return Finding(subject: "clock", found: "it says \(seconds(now))", verdict: .ok)
    }

    private func seconds(_ time: WallTime) -> String {
        WallTimeText.utc(WallTime(unixMilliseconds: time.unixMilliseconds / 1000 * 1000))
    }

    /// 2026-01-01T00:00:00Z.
    private static let release = WallTime(unixMilliseconds: 1_767_225_600_000)

    /// A role for an unknown user is probably a typing mistake.
    var namesFinding: Finding? {
        let names = needs.unknownUsers.map { "user \($0)" } + needs.unknownGroups.map { "group \($0)" }
        guard !names.isEmpty else { return nil }
        return Finding(
            subject: "roles",
            found: "the policy gives roles to \(names.joined(separator: ", ")), which this device does not have",
            verdict: .failed(
                mend:
                    "Correct the policy, or create them with \(asRoot("useradd")) or \(asRoot("groupadd")); then \(asRoot("gatectl reload"))."
            ))
    }

    var presenterFinding: Finding? {
        let grownUps = needs.grownUpPresenters + grownUpUsers
        if needs.grownUps, grownUps.isEmpty {
            let found = "a gated action asks a question for grown-ups only, and nobody may show it"
            guard canSeePeople else {
                return Finding(
                    subject: "presenter",
                    found: "\(found) except grown-ups on the list of people, which only administrators see",
                    verdict: .unknown)
            }
            return Finding(
                subject: "presenter", found: found,
                verdict: .failed(
                    mend:
                        "Put a grown-up on the list of people, \(asRoot("gatectl people set NAME --grown-up")); or name users in the policy, under `roles: grown-up-presenter: users:`, then \(asRoot("gatectl reload"))."
                ))
        }
        guard let presenterCount else { return nil }
        guard presenterCount == 0 else {
            return Finding(subject: "presenter", found: "\(presenterCount) running", verdict: .ok)
        }
        guard needs.grownUps else {
            return Finding(
                subject: "presenter", found: "none is running, so programs show their questions themselves",
                verdict: .unknown)
        }
        return Finding(
            subject: "presenter",
            found: "a gated action asks a question for grown-ups only, and no presenter is running",
            verdict: .failed(
                mend:
                    "Start `gatectl present` as \(grownUps.joined(separator: " or ")), on a screen that they see."
            ))
    }

    /// `nil` if Gate's own screen is not installed.
    var ownScreenFinding: Finding? {
        guard isDefaultSocket, let ownScreen else { return nil }
        let isNamed = needs.grownUpPresenters.contains { $0 == "gate-screen" || $0 == "a member of gate-screen" }
        func finding(_ found: String, _ verdict: Finding.Verdict) -> Finding {
            Finding(subject: "gate-screen.service", found: found, verdict: verdict)
        }
        switch (ownScreen.isEnabled, isNamed) {
        case (false, false):
            return finding(
                "not enabled, so passcodes are asked by a grown-up's presenter or by the program that needs them",
                .unknown)
        case (false, true):
            return finding(
                "the policy names gate-screen, but the unit is not enabled",
                .failed(mend: "Run \(asRoot("gatectl screen on")), or \(asRoot("gatectl screen off")) to do without."))
        case (true, false):
            return finding(
                "enabled, but the policy does not name gate-screen, so it never shows a question",
                .failed(mend: "Run \(asRoot("gatectl screen on")), which adds it to the policy."))
        case (true, true): break
        }
        guard ownScreen.hasCompositor else {
            return finding(
                "there is no /usr/bin/cage, which shows its windows",
                .failed(mend: "Install it: \(asRoot("apt install cage"))."))
        }
        guard ownScreen.isActive else {
            return finding("not active", .failed(mend: "`systemctl status gate-screen.service` says why."))
        }
        return ownScreen.hasWord == false
            ? finding(
                "active, but without a secret word that tells it from an imitation: choose one with \(asRoot("gatectl screen word"))",
                .unknown)
            : finding("active", .ok)
    }
}
