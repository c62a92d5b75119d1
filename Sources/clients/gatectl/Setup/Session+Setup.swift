import GateClient
import GateModel
import Glibc

/// What `gatectl setup` reads from the device, and what it does to it.
struct SetupDevice: Sendable {
    let session: Session
    let policy: PolicyOptions
    let serverUser: String
    /// Whether this is the device's daemon. Set-up with a daemon on another socket, as for a trial, must not change the
    /// device's links, software and screens.
    let isDefaultSocket: Bool
    /// Lines as in /etc/passwd in place of the device's; `nil`: the device's.
    let passwd: String?

    var software: SoftwareGate { SoftwareGate(options: policy) }

    func situation() async throws(GateError) -> SetupSituation {
        var situation = SetupSituation()
        if let passwd {
            situation.users = DeviceUser.all(passwd: passwd, groups: "")
        } else if isDefaultSocket {
            situation.users = DeviceUser.all()
        }
        situation.people = try await session.gate.people.list()
        situation.secrets = try await session.gate.secrets.state().kinds
        situation.asksForCode = Self.asksForCode(try await session.gate.control.policy())
        guard isDefaultSocket, geteuid() == 0 else { return situation }
        for user in situation.users {
            switch LinkGate.isOn(for: user) {
            case true?: situation.linkUsers.insert(user.name)
            case false?: break
            case nil: session.output.note(LinkGate.unreadText(of: user))
            }
        }
        // Without windows nobody would see the question that comes before a link.
        if InstallationFacts.isPresenterInstalled {
            situation.links =
                LinkGate.missingPackage.map { .unavailable(package: $0) } ?? (situation.linkUsers.isEmpty ? .off : .on)
        }
        situation.software = software.offer
        situation.time = TimeBridge.offer
        situation.screen =
            switch InstallationFacts.ownScreen() {
            case nil: .unavailable(package: InstallationFacts.isPresenterInstalled ? nil : "gate-presenter")
            case let screen? where !screen.hasCompositor: .unavailable(package: "cage")
            case let screen?: screen.isEnabled ? .on : .off
            }
        situation.hasScreenWord = access(ScreenWord.path, F_OK) == 0
        return situation
    }

    /// Whether people and secrets are as they were found. Another `gatectl setup` changes them, and the answers to this
    /// one were given without knowing of that.
    func isStill(_ situation: SetupSituation) async throws(GateError) -> Bool {
        let people = try await session.gate.people.list()
        let secrets = try await session.gate.secrets.state().kinds
        return people == situation.people && secrets == situation.secrets
    }

    /// - Parameters:
    ///   - passcode: for the step that sets it.
    ///   - prompt: where a person can be asked once more; `nil`: nowhere.
    func perform(
        _ step: SetupStep, passcode: GateSecret?, users: [DeviceUser], _ prompt: LinePrompt?
    ) async throws(GateError) {
        let file = ScreenPolicyFile(options: policy, serverUser: serverUser)
        switch step {
        case .person(let person, _): _ = try await session.gate.people.set(person)
        case .removal(let name): _ = try await session.gate.people.remove(name)
        case .passcode:
            if let passcode { _ = try await session.set(passcode, orAsk: prompt) }
        case .authenticator:
            if let prompt { _ = try await session.enrolTOTP(asking: prompt) }
        case .links(let name, let isOn):
            if let user = users.first(where: { $0.name == name }) { try LinkGate.set(isOn, for: user) }
        case .software(isOn: true): try await software.turnOn(session, serverUser: serverUser)
        case .software(isOn: false): try await software.turnOff(session)
        case .time(let isOn): try TimeBridge.turn(isOn)
        case .screen(isOn: true): _ = try await session.turnScreenOn(file)
        case .screen(isOn: false): _ = try await session.turnScreenOff(file)
        case .screenWord(let word): try session.keepScreenWord(word)
        }
    }

    /// Where the questions of everybody who is no grown-up are answered by now; `nil` if that can't be found out.
    func table(users: [DeviceUser]) async throws(GateError) -> AskingTable? {
        guard !users.isEmpty, let files = try? policy.policy(serverUser: serverUser) else { return nil }
        return AskingTable.ofThisDevice(
            try await files.inForce(session.gate), secrets: try await session.gate.secrets.state().kinds,
            people: try await session.gate.people.listed(), users: users)
    }

    /// Whether an authenticator's code is asked for anywhere, as the lines of the policy in force say it.
    static func asksForCode(_ policy: EffectivePolicy) -> Bool {
        policy.lines.contains { line in
            line.split { !$0.isLetter && $0 != "-" }.contains(Substring(Challenge.Kind.totp.rawValue))
        }
    }
}
