import Dispatch
import Foundation
import GateModel
import ProcessSupport

/// A real `gate-revenuecat`, as a user who is a provider and nothing else, where tests may be two users.
enum PollingService {
    private static let user = OtherUser.isPossible ? OtherUser(uid: 65530) : nil

    static var uid: UInt32 { user?.uid ?? geteuid() }

    static func start(_ gate: RunningGate) throws -> ChildProcess {
        let words = [
            "--socket", gate.socket, "--config-directory", gate.configurationDirectory, "--log-level", "debug",
        ]
        guard let user else {
            return try ChildProcess(
                builtProgram("gate-revenuecat"), words + ["--server-user", NSUserName()], hasInput: false)
        }
        return try user.start(gate.copied("gate-revenuecat"), words + ["--server-user", "root"])
    }

    /// `providers.yaml`, with these users for everybody on the device.
    static func providers(_ settings: RevenueCatSettings, users: [String] = ["anna"]) -> [UInt8] {
        let key = Data(settings.rootKey ?? []).base64EncodedString()
        return Array(
            """
            revenuecat:
              public-key: \(settings.publicKey)
              root-key: "\(key)"
              url: \(settings.baseURL)
              poll: 15m
              users: {\(users.map { "\($0): device" }.joined(separator: ", "))}
              entitlements: {premium: premium, gold: gold}

            """.utf8)
    }
}

/// For a server that has to answer while tests wait for it on all of the shared threads. One of its own waits for the sockets.
final class OwnThreads: TaskExecutor {
    private let queue = DispatchQueue(label: "server", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
