import Foundation
import GateModel
import ProcessSupport
import RevenueCatSupport

/// A real `gate-revenuecat`, as a user who is a provider and nothing else, where tests may be two users.
enum PollingService {
    private static let user = OtherUser.isPossible ? OtherUser(uid: 65530) : nil

    static var uid: UInt32 { user?.uid ?? geteuid() }

    /// Serves until the task is cancelled, ahead of the tests: they keep the shared threads busy for minutes, and `gate-revenuecat`
    /// asks once more after half a minute.
    static func serve(
        _ api: DocumentedAPI
    ) async throws -> (serving: Task<Void, Never>, settings: RevenueCatSettings) {
        let serving = Task(priority: .high) { await api.run() }
        return (serving, try await Task(priority: .high) { try await api.settings() }.value)
    }

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
