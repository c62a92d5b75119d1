import ArgumentParser
import GateModel
import GateTexts
import Glibc

/// A verb of `gatectl household` that gate-household carries out, so gatectl does not need its libraries.
protocol HouseholdProgramVerb: ParsableCommand {
    /// Passed on unchanged.
    var arguments: [String] { get }
}

extension HouseholdProgramVerb {
    func run() throws {
        let error = HouseholdProgram.replaceThisProcess([Self.configuration.commandName ?? ""] + arguments)
        Output(isJSON: arguments.contains("--json")).report(error)
        throw ExitCode(error.exitStatus)
    }
}

enum HouseholdProgram {
    static let name = "gate-household"

    /// Where the program is looked for: beside gatectl and in system folders. Not in PATH, since this runs as root.
    static func places(beside folder: String) -> [String] {
        [folder, "\(folder)/../sbin", "/usr/local/sbin", "/usr/sbin"].map { "\($0)/\(name)" }
    }

    /// - Returns: only if the program did not start: the reason.
    static func replaceThisProcess(_ arguments: [String]) -> GateError {
        let folder = ThisProgram.folder ?? "/usr/bin"
        guard let path = places(beside: folder).first(where: { access($0, X_OK) == 0 }) else {
            return GateError(
                .notFound, .notSetUp,
                saying: localized(
                    "The program {name} is not installed, and a household needs it. Install the package gate-household.",
                    ["name": name]))
        }
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        execv(path, &words)
        return GateError(
            .notFound, .notSetUp,
            saying: localized(
                "'{program}' can't be started: {problem}.",
                ["program": path, "problem": String(cString: strerror(errno))]))
    }
}

struct HouseholdCreateVerb: HouseholdProgramVerb {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a household, with this device as the first one.")

    @Argument(parsing: .captureForPassthrough, help: "As `gate-household help create` has them.")
    var arguments: [String] = []
}

struct HouseholdInviteVerb: HouseholdProgramVerb {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Invite one more device: prints a code for it, and waits until it has joined.")

    @Argument(parsing: .captureForPassthrough, help: "As `gate-household help invite` has them.")
    var arguments: [String] = []
}

struct HouseholdJoinVerb: HouseholdProgramVerb {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Join a household, with a code of `gatectl household invite`.")

    @Argument(parsing: .captureForPassthrough, help: "As `gate-household help join` has them.")
    var arguments: [String] = []
}

struct HouseholdLeaveVerb: HouseholdProgramVerb {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: "Forget the household on this device.")

    @Argument(parsing: .captureForPassthrough, help: "As `gate-household help leave` has them.")
    var arguments: [String] = []
}

struct HouseholdRevokeVerb: HouseholdProgramVerb {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a device, or a guardian's: nobody listens to it any more.")

    @Argument(parsing: .captureForPassthrough, help: "As `gate-household help revoke` has them.")
    var arguments: [String] = []
}

struct HouseholdRenameVerb: HouseholdProgramVerb {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Give a device another name.")

    @Argument(parsing: .captureForPassthrough, help: "As `gate-household help rename` has them.")
    var arguments: [String] = []
}

struct HouseholdRenewVerb: HouseholdProgramVerb {
    static let configuration = CommandConfiguration(
        commandName: "renew", abstract: "Make the list of devices and the certificates anew before they end.")

    @Argument(parsing: .captureForPassthrough, help: "As `gate-household help renew` has them.")
    var arguments: [String] = []
}

struct HouseholdPublishVerb: HouseholdProgramVerb {
    static let configuration = CommandConfiguration(
        commandName: "publish", abstract: "Give all devices of the household one policy.")

    @Argument(parsing: .captureForPassthrough, help: "As `gate-household help publish` has them.")
    var arguments: [String] = []
}
