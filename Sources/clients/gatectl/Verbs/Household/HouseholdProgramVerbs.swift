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

    /// Explains the arguments of a verb.
    static func help(_ verb: String) -> ArgumentHelp {
        ArgumentHelp(localized("See {command}.", ["command": "`\(name) help \(verb)`"]))
    }

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
        commandName: "create", abstract: localized("Create a household, with this device as the first one."))

    @Argument(parsing: .captureForPassthrough, help: HouseholdProgram.help("create"))
    var arguments: [String] = []
}

struct HouseholdInviteVerb: HouseholdProgramVerb {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: localized("Invite another device: print a code for it, and wait until it has joined."))

    @Argument(parsing: .captureForPassthrough, help: HouseholdProgram.help("invite"))
    var arguments: [String] = []
}

struct HouseholdJoinVerb: HouseholdProgramVerb {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: localized("Join a household, with a code from `gatectl household invite`."))

    @Argument(parsing: .captureForPassthrough, help: HouseholdProgram.help("join"))
    var arguments: [String] = []
}

struct HouseholdLeaveVerb: HouseholdProgramVerb {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: localized("Leave the household: this device forgets it."))

    @Argument(parsing: .captureForPassthrough, help: HouseholdProgram.help("leave"))
    var arguments: [String] = []
}

struct HouseholdRevokeVerb: HouseholdProgramVerb {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: localized("Revoke a device, or a guardian's device: no other device listens to it any more."))

    @Argument(parsing: .captureForPassthrough, help: HouseholdProgram.help("revoke"))
    var arguments: [String] = []
}

struct HouseholdRenameVerb: HouseholdProgramVerb {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: localized("Give a device another name."))

    @Argument(parsing: .captureForPassthrough, help: HouseholdProgram.help("rename"))
    var arguments: [String] = []
}

struct HouseholdRenewVerb: HouseholdProgramVerb {
    static let configuration = CommandConfiguration(
        commandName: "renew", abstract: localized("Renew the list of devices and the certificates before they expire."))

    @Argument(parsing: .captureForPassthrough, help: HouseholdProgram.help("renew"))
    var arguments: [String] = []
}

struct HouseholdPublishVerb: HouseholdProgramVerb {
    static let configuration = CommandConfiguration(
        commandName: "publish", abstract: localized("Give all devices of the household the same policy."))

    @Argument(parsing: .captureForPassthrough, help: HouseholdProgram.help("publish"))
    var arguments: [String] = []
}
