import ArgumentParser
import GateClient
import GateModel
import GatePolicy
import GateProtocol
import Glibc

struct DoctorVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Say what is wrong with this installation, and the mend.")

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var policy: PolicyOptions

    func perform(_ session: Session) async throws(GateError) {
        let facts = await InstallationFacts.gather(
            session.gate, serverUser: connection.serverUser, policy: policy)
        for finding in facts.findings {
            session.output.line(session.output.isJSON ? finding.json : finding.line)
        }
        let failures = facts.findings.count { $0.isFailure }
        guard failures == 0 else {
            throw GateError(
                .failedPrecondition, .unspecified, failures == 1 ? "One check failed." : "\(failures) checks failed.")
        }
    }
}

extension InstallationFacts {
    static func gather(
        _ gate: GateClient, serverUser: String, policy: PolicyOptions
    ) async -> InstallationFacts {
        let path = gate.options.socketPath
        let directory = directory(of: path)
        return InstallationFacts(
            socketPath: path, isDefaultSocket: path == GateClientOptions.defaultSocketPath,
            socket: file(at: path), directoryPath: directory, directory: file(at: directory),
            serverUser: serverUser, serverUserID: GateClientOptions.TrustedServers.userID(of: serverUser),
            ownUserID: geteuid(), hasAdministratorGroup: LocalAccounts.groupID(named: "gate-admin") != nil,
            units: units(["gated.socket", "gated.service"]),
            locksBeforeSleep: units(["gate-lock.service"], "is-enabled")?.first?.isActive,
            configDirectory: policy.configDirectory, policy: policyFiles(policy, serverUser: serverUser),
            secrets: await result { () throws(GateError) in try await gate.secrets() }, ownVersion: Gatectl.version,
            daemonVersion: await result { () throws(GateError) in try await gate.version().version },
            statistics: await result { () throws(GateError) in
                let counts = try await gate.statistics()
                return "\(counts.transitions) changes in \(counts.commits) commits since the start, "
                    + counts.uptime.shortText + " ago"
            },
            damage: await result { () throws(GateError) in try await damage(gate) },
            accountCount: await result { () throws(GateError) in try await gate.accounts().count },
            unreachableProviders: await result { () throws(GateError) in
                try await gate.call(Methods.Entitlements.get, GetEntitlementsRequest()).providers
                    .compactMap(EntitlementText.line)
            },
            asksRevenueCat: units(["gate-revenuecat.service"])?.first?.isActive)
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

    /// The newest word about damage in the newest thousand entries.
    private static func damage(_ gate: GateClient) async throws(GateError) -> String? {
        var setAside: String?
        for try await response in gate.audit(last: 1000) {
            for entry in response.entries {
                if entry.kind == .storeDamaged { setAside = entry.detail }
                if entry.kind == .recovered { setAside = nil }
            }
        }
        return setAside
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
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
            let asksForSecret = policy.configuration.modeChallenge.bands.contains { $0.challenge.kind.isSecret }
            let needs = Needs(
                signIn: policy.configuration.signIn.isRequired, revenueCat: policy.providers.revenueCat != nil)
            return .valid(files: policy.files, asksForSecret: asksForSecret, needs: needs)
        } catch {
            return .wrong(first: error.problems.first?.description ?? "", count: error.problems.count)
        }
    }

    private static func units(
        _ names: [String], _ question: String = "is-active"
    ) -> [(name: String, isActive: Bool)]? {
        guard access("/run/systemd/system", F_OK) == 0 else { return nil }
        var units: [(name: String, isActive: Bool)] = []
        for name in names {
            guard let status = exitStatus(of: ["systemctl", question, "--quiet", name]) else { return nil }
            units.append((name, status == 0))
        }
        return units
    }

    /// `nil` where it can't be started.
    private static func exitStatus(of arguments: [String]) -> CInt? {
        var process = pid_t()
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        guard posix_spawnp(&process, arguments[0], nil, nil, &pointers, environ) == 0 else { return nil }
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return nil }
        }
        // The upper byte of the lower half is the exit status; the lower seven bits name a signal.
        return status & 0x7f == 0 ? (status >> 8) & 0xff : nil
    }
}
