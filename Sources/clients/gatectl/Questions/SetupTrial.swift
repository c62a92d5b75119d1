import GateClient
import GateModel
import GateTexts
import Glibc

/// Tries what happens if a child asks for parent mode. `setup` does this at the end, as a user who is not an
/// administrator.
enum SetupTrial: Hashable {
    case asked(Challenge.Kind)
    case refused(String)
    case letIn

    /// Tries it. Everything is undone: afterwards the device is in child mode.
    static func run(_ options: GateClientOptions) async -> SetupTrial {
        let identity = ForeignIdentity()
        let gate = GateClient(options)
        let trial = await outcome(of: gate)
        identity?.giveBack()
        // An administrator withdraws the question. A dismissal would count as a try of the user who asked.
        let administrator = GateClient(options)
        _ = try? await administrator.mode.override(.child, reason: "gatectl setup has tried whether a child gets in")
        await administrator.close()
        await gate.close()
        return trial
    }

    private static func outcome(of gate: GateClient) async -> SetupTrial {
        do throws(GateError) {
            switch try await gate.mode.beginToggle() {
            case .settled(let state): return state.mode == .child ? .refused(localized("Nothing happens.")) : .letIn
            case .open(let open):
                guard let challenge = open.challenge else {
                    return .refused(localized("It is shown something that is not a question."))
                }
                return .asked(challenge.kind)
            }
        } catch {
            return .refused(RefusalText.sentence(error))
        }
    }

    var text: String {
        switch self {
        case .asked(.passcode): localized("A child who wants parent mode is asked for the passcode.")
        case .asked(.totp): localized("A child who wants parent mode is asked for the code of the authenticator.")
        case .asked(let kind):
            localized(
                "A child who wants parent mode is asked: {kind}. That is what the policy says, and it can be guessed: `gatectl policy check` says how easily.",
                ["kind": kind.rawValue])
        case .refused(let message): localized("A child who wants parent mode is told: {message}", ["message": message])
        case .letIn: localized("A child can enter parent mode without a question.")
        }
    }
}

/// Makes this process look to the daemon like the user nobody for a while. Only root can do that.
struct ForeignIdentity {
    private let groups: [gid_t]
    private let group: gid_t

    /// The ids of the user and the group nobody, on every Linux.
    private static let nobody: UInt32 = 65534

    /// `nil` if this process does not run as root, or something failed: then it keeps its identity.
    init?() {
        guard geteuid() == 0 else { return nil }
        group = getegid()
        let count = getgroups(0, nil)
        guard count >= 0 else { return nil }
        var groups = [gid_t](repeating: 0, count: Int(count))
        guard getgroups(count, &groups) == count else { return nil }
        self.groups = groups
        guard setgroups(0, nil) == 0, setegid(Self.nobody) == 0, seteuid(Self.nobody) == 0 else {
            giveBack()
            return nil
        }
    }

    func giveBack() {
        seteuid(0)
        setegid(group)
        setgroups(groups.count, groups)
    }
}
