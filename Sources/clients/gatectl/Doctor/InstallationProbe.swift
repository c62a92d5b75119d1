import GateClient
import GateModel
import GatePolicy
import GateProtocol
import Glibc

extension InstallationFacts {
    static func gather(
        _ gate: GateClient, serverUser: String, policy: PolicyOptions
    ) async -> InstallationFacts {
        let path = gate.options.socketPath
        let directory = directory(of: path)
        // First, because a socket-activated daemon is active only after somebody has called it.
        let version = await result { () throws(GateError) in try await gate.control.version().version }
        // If the daemon does not answer that, each further question would wait in vain.
        func ask<Success>(_ body: () async throws(GateError) -> Success) async -> Result<Success, GateError> {
            if case .failure(let error) = version { return .failure(error) }
            return await result(body)
        }
        let statistics = await ask { () throws(GateError) in try await gate.control.statistics() }
        let journal = await ask { () throws(GateError) in try await JournalWords(gate) }
        let people = await ask { () throws(GateError) in try await gate.people.listed() }
        var facts = InstallationFacts(
            socketPath: path, isDefaultSocket: path == GateClientOptions.defaultSocketPath,
            socket: file(at: path), directoryPath: directory, directory: file(at: directory),
            serverUser: serverUser, serverUserID: GateClientOptions.TrustedServers.userID(of: serverUser),
            ownUserID: geteuid(), hasAdministratorGroup: LocalAccounts.groupID(named: "gate-admin") != nil,
            units: units(["gated.socket", "gated.service"]),
            locksBeforeSleep: units(["gate-lock.service"], "is-enabled")?.first?.isActive,
            configDirectory: policy.configDirectory, policy: policyFiles(policy, serverUser: serverUser),
            secrets: await ask { () throws(GateError) in try await gate.secrets.state().kinds },
            ownVersion: Gatectl.version, daemonVersion: version,
            statistics: statistics.map { counts in
                "\(counts.transitions) \(counts.transitions == 1 ? "change" : "changes") in \(counts.commits) "
                    + "\(counts.commits == 1 ? "commit" : "commits") since the start, \(counts.uptime.shortText) ago"
            },
            damage: journal.map(\.quarantinedFile),
            accountCount: people.map { $0.count { $0.person.hasPassword } }, people: people,
            unreachableProviders: await ask { () throws(GateError) in
                try await gate.call(Methods.Entitlements.get, GetEntitlementsRequest()).providers
                    .compactMap(EntitlementText.line)
            },
            asksRevenueCat: units(["gate-revenuecat.service"])?.first?.isActive)
        facts.isInSandbox = gate.options.usesPortal
        facts.hasRevenueCatUnit = units(["gate-revenuecat.service"], "cat")?.first?.isActive
        // The daemon knows the choices, too. Without it, the files are read.
        let summary = await ask { () throws(GateError) in
            try await gate.call(Methods.Control.policy, GetPolicyRequest()).policy
        }
        if case .success(let summary?) = summary {
            facts.mistakesOfPolicy = summary.mistakes
        } else {
            facts.mistakesOfPolicy = (try? policy.policy(serverUser: serverUser))?.broken.flatMap(\.lines) ?? []
        }
        facts.stateDirectory = file(at: facts.stateDirectoryPath)
        facts.roomBytes = room(at: facts.stateDirectoryPath)
        facts.now = wallTime()
        facts.newestEntry = try? journal.get().newest
        facts.presenterCount = try? statistics.get().presenters
        facts.page = page(gate)
        let present = try? policy.policy(serverUser: serverUser)
        facts.windows = windows(present?.roles, people)
        if facts.isDefaultSocket, let present, case .success(let listed) = people,
            case .success(let secrets) = facts.secrets
        {
            let inForce = try? await present.inForce(gate)
            facts.asking = .ofThisDevice(
                inForce ?? present, secrets: secrets, people: listed, users: DeviceUser.all())
        }
        facts.ownScreen = ownScreen()
        facts.timeBridge = TimeBridge.ofThisDevice
        facts.guardedApps = .ofThisDevice
        if case .failure = version { facts.lastWords = lastWords() }
        return facts
    }

    static func ownScreen() -> OwnScreen? {
        guard Session.hasScreenUnit else { return nil }
        let word: Bool? = geteuid() == 0 ? access(ScreenWord.path, F_OK) == 0 : nil
        return OwnScreen(
            isEnabled: units([Session.screenUnit], "is-enabled")?.first?.isActive ?? false,
            isActive: units([Session.screenUnit])?.first?.isActive ?? false,
            hasCompositor: access("/usr/bin/cage", X_OK) == 0, hasWord: word)
    }

    private static func result<Success>(
        _ body: () async throws(GateError) -> Success
    ) async -> Result<Success, GateError> {
        do throws(GateError) {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }

    private static func page(_ gate: GateClient) -> Page {
        do throws(GateError) {
            _ = try gate.statusPage.checkedStatus()
            return .live
        } catch {
            return .closed(error.message)
        }
    }

    private static func wallTime() -> WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(unixMilliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    private static func room(at path: String) -> UInt64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    /// The last critical message that systemd's journal has of gated.
    private static func lastWords() -> String? {
        guard access("/run/systemd/system", F_OK) == 0,
            let log = Program.output(of: [
                "journalctl", "--unit=gated.service", "--priority=crit", "--lines=1", "--output=cat", "--no-pager",
                "--quiet",
            ])
        else { return nil }
        return log.split(separator: "\n").last.map { VisibleText.line(String($0.prefix(400))) }
    }

    private static func directory(of path: String) -> String {
        guard let folder = path.cut(atLast: "/")?.before else { return "." }
        return folder.isEmpty ? "/" : folder
    }

    private static func file(at path: String) -> File {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            return errno == ENOENT ? .missing : .unreadable(String(cString: strerror(errno)))
        }
        let kind: File.Kind =
            switch status.st_mode & S_IFMT {
            case S_IFSOCK: .socket
            case S_IFDIR: .directory
            default: .other
            }
        return .there(kind: kind, owner: status.st_uid, permissions: UInt16(status.st_mode & 0o7777))
    }

    private static func policyFiles(_ options: PolicyOptions, serverUser: String) -> PolicyFiles {
        do throws(PolicyError) {
            let policy = try options.policy(serverUser: serverUser)
            guard !policy.files.isEmpty else { return .missing }
            let questions = ChallengeForAge.list(of: policy.configuration.modeChallenge)
            return .valid(
                files: policy.files, asksForSecret: questions.contains(where: \.isSecret), needs: Needs(of: policy))
        } catch {
            return .wrong(first: error.problems.first?.description ?? "", count: error.problems.count)
        }
    }

    /// `nil` if systemd does not run here, or does not answer: without D-Bus it answers only root.
    static func units(
        _ names: [String], _ question: String = "is-active"
    ) -> [(name: String, isActive: Bool)]? {
        guard access("/run/systemd/system", F_OK) == 0,
            Program.exitStatus(of: ["systemctl", "show", "--property=Version"]) == 0
        else { return nil }
        var units: [(name: String, isActive: Bool)] = []
        for name in names {
            guard let status = Program.exitStatus(of: ["systemctl", question, "--quiet", name]) else { return nil }
            units.append((name, status == 0))
        }
        return units
    }
}

/// What the newest thousand entries of the journal say about the installation.
private struct JournalWords {
    /// Where a damaged store was set aside; `nil` if none was, or Gate has been recovered since.
    var quarantinedFile: String?
    var newest: WallTime?

    init(_ gate: GateClient) async throws(GateError) {
        for try await batch in gate.control.auditBatches(last: 1000) {
            for entry in batch.entries {
                if entry.kind == .storeDamaged { quarantinedFile = entry.detail }
                if entry.kind == .recovered { quarantinedFile = nil }
                newest = entry.time
            }
        }
    }
}
