public import ArgumentParser
import Dispatch
import FoundationEssentials
import GateDaemon
import GateModel
import GateReceipts
import GateStore
import GateStoreKit
import Glibc
public import Logging
import SystemdService
import TTRPCTransport

/// The daemon's command line.
@main
struct Gated: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gated",
        abstract: "The authority on whether a grown-up is in charge of this device.",
        discussion: """
            Serves gate.v1 over ttrpc on a Unix socket. Started by systemd with a socket, it uses that one. \
            SIGTERM stops it in order; SIGHUP reads the policy again. Where systemd says which directories are meant \
            ($STATE_DIRECTORY, $RUNTIME_DIRECTORY, $CONFIGURATION_DIRECTORY), these are the defaults.

            The policy is policy.yaml, policy.d/*.yaml, providers.yaml, questions.d/*.yaml, the forms of questionnaires.d and the \
            notes of release-notes.d in the configuration directory, above the defaults that packages have installed. One with mistakes is refused: at the start gated lists \
            them and ends with 65; at a reload it lists them, and the previous policy stays in force. Where the store was written by \
            a newer version it says how to go back, and ends with 65, too. Where gated can't serve for another reason it ends \
            with 69.
            """,
        version: GateRelease.version)

    @Option(help: ArgumentHelp("The socket to listen on.", valueName: "path"))
    var socket = ServiceSettings.standard.socket

    @Option(
        help: ArgumentHelp(
            "Where the state is kept. Must belong to this user, and nobody else may write to it.",
            valueName: "directory"))
    var stateDirectory = ServiceSettings.standard.stateDirectory

    @Option(help: ArgumentHelp("Where the status page is made.", valueName: "directory"))
    var runtimeDirectory = ServiceSettings.standard.runtimeDirectory

    @Option(
        help: ArgumentHelp(
            "Where the policy is. It must belong to root or this user, and nobody else may write to it.",
            valueName: "directory"))
    var configDirectory = ServiceSettings.standard.configDirectory

    @Option(
        help: ArgumentHelp(
            "Where packages install defaults, which count where the policy says nothing else. Default: /usr/share/gate/policy.d beside /etc/gate, otherwise none.",
            valueName: "directory"))
    var shippedDirectory: String?

    @Option(help: "One of: \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")).")
    var logLevel = ServiceSettings.standard.logLevel

    @Flag(help: "Print what would be in force, or what is wrong with the policy, and end.")
    var check = false

    @Flag(help: .hidden)
    var checkReceipt = false

    /// systemd starts gated without arguments. Then nothing is parsed, since that would take a sixth of the start.
    static func main() {
        keepFromDumps()
        guard CommandLine.argc <= 1 else { return main(nil) }
        do {
            try ServiceSettings.standard.serve()
        } catch {
            exit(withError: error)
        }
    }

    /// No core is dumped, because passwords pass through this process. The limit is one byte: if the kernel hands core
    /// dumps to a program, that is the only limit that prevents it.
    private static func keepFromDumps() {
        var limit = rlimit(rlim_cur: 1, rlim_max: 1)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    }

    func run() throws {
        let settings = ServiceSettings(
            socket: socket, stateDirectory: stateDirectory, runtimeDirectory: runtimeDirectory,
            configDirectory: configDirectory, shippedDirectory: shippedDirectory, logLevel: logLevel)
        if checkReceipt { return try Self.checkReceipt() }
        if check { try settings.printWhatIsInForce() } else { try settings.serve() }
    }

    /// Reads a line with a `StoreKitCheck` from standard input. Prints what the receipt says as JSON, or the check that
    /// it fails, with status 65.
    private static func checkReceipt() throws {
        guard let line = readLine(), let check = try? JSONDecoder().decode(StoreKitCheck.self, from: Data(line.utf8))
        else {
            throw ValidationError("gatectl receipt check calls this.")
        }
        let isChecked = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var (text, status) = ("", ExitCode.success)
        Task.detached {
            do throws(ReceiptError) {
                let verifier = try StoreKitVerifier(check.settings)
                text = StatementJSON.text(
                    of: try await verifier.statement(of: check.kind, Array(check.receipt.utf8), at: check.now))
            } catch {
                (text, status) = (error.description, ServiceSettings.wrongData)
            }
            isChecked.signal()
        }
        isChecked.wait()
        print(text)
        throw status
    }
}

/// The settings of the command line, with their defaults.
private struct ServiceSettings {
    static let standard = ServiceSettings()

    var socket = DaemonSocket.path
    var stateDirectory = Self.directory("STATE_DIRECTORY") ?? "/var/lib/gated"
    var runtimeDirectory = Self.directory("RUNTIME_DIRECTORY") ?? "/run/gated"
    var configDirectory = Self.directory("CONFIGURATION_DIRECTORY") ?? "/etc/gate"
    /// `nil`: the one that belongs to the configuration directory.
    var shippedDirectory: String?
    var logLevel = Logger.Level.info

    /// The first directory that systemd names in this variable (systemd.exec(5)).
    private static func directory(_ variable: String) -> String? {
        getenv(variable).flatMap { String(cString: $0).split(separator: ":").first }.map(String.init)
    }

    func serve() throws {
        let level = logLevel
        LoggingSystem.bootstrap { ServiceLog.handler(label: $0, level: level) }
        let logger = Logger(label: "gated")
        let daemon = Daemon(
            settings: Daemon.Settings(
                listeners: [Daemon.Listener(socket: .path(socket, mode: 0o666))], stateDirectory: stateDirectory,
                runtimeDirectory: runtimeDirectory),
            environment: environment, logger: logger)
        do {
            try DaemonProcess.run(daemon)
        } catch let error as BadPolicy {
            for problem in error.problems { logger.critical("\(problem)") }
            throw Self.wrongData
        } catch let error as StoreError where error.isOfAnotherVersion {
            logger.critical("\(error)")
            throw Self.wrongData
        } catch {
            logger.critical("gated has to stop: \(error)")
            throw ExitCode(69)
        }
    }

    /// The exit status for wrong data, as in `gatectl policy check`. systemd does not try again, since that can't help.
    static let wrongData = ExitCode(65)

    private var environment: Environment {
        .ofThisDevice(configDirectory: configDirectory, shippedDirectory: shippedDirectory)
    }

    func printWhatIsInForce() throws {
        let inForce: [String]
        do throws(BadPolicy) {
            inForce = try environment.policyInForce().description
        } catch {
            let text = error.problems.map { "\($0)\n" }.joined()
            _ = write(STDERR_FILENO, text, text.utf8.count)
            throw Self.wrongData
        }
        let directories = [
            "socket: \(socket)", "state directory: \(stateDirectory)", "runtime directory: \(runtimeDirectory)",
            "configuration directory: \(configDirectory)",
        ]
        for line in directories + inForce { print(line) }
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
