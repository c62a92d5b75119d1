import Foundation
import GateModel
import ProcessSupport
import ReceiptSupport

/// A gate where somebody has to be signed in, and premium filters are sold, by an App Store of the tests' own.
struct SellingGate {
    let gate: RunningGate
    let store: SignedTransactions

    /// - Parameters:
    ///   - more: is added to policy.yaml.
    ///   - launcher: as `RunningGate` has it.
    init(
        _ more: String = "", isOpenToOthers: Bool = false, options: [String] = [], launcher: [String] = []
    ) throws {
        let year = Date.now.addingTimeInterval(-365 * 86_400)..<Date.now.addingTimeInterval(365 * 86_400)
        store = try SignedTransactions(
            chain: StoreKitChain(.init(rootValidity: year, intermediateValidity: year, leafValidity: year)))
        gate = try RunningGate(
            policy: """
                sign-in: {required: true}
                entitlements: {premium: {title: Premium}}
                gated-actions:
                  premium.filters:
                    title: Premium filters
                    requires: {all: [signed-in, {entitlement: premium}]}
                \(more)

                """,
            files: [
                "providers.yaml": Array(
                    """
                    storekit:
                      bundle-ids: [\(store.bundleID)]
                      roots: [roots/test.cer]
                      products: {gate.premium: premium}

                    """.utf8),
                "roots/test.cer": try store.chain.root.derBytes,
            ], isOpenToOthers: isOpenToOthers, options: options, launcher: launcher)
    }

    /// Makes an account; returns its password.
    func register(_ name: String) throws -> String {
        let password = "pass-" + UUID().uuidString
        let result = try gate.gatectl("register", name, "--password-file", "-", input: password + "\n")
        guard result.status == 0 else { throw ProcessFailure(result.errors) }
        return password
    }

    func logIn(_ name: String, _ password: String) throws -> ChildProcess.Result {
        try gate.gatectl("login", name, "--password-file", "-", input: password + "\n")
    }

    /// Hands over a signed transaction; its first line is what came of it.
    ///
    /// - Parameter seconds: after which it expires, from now.
    func submit(expiresAfter seconds: Double, original: String = "1", _ words: String...) throws -> ChildProcess.Result
    {
        let file = gate.directory + "/" + UUID().uuidString + ".jws"
        try Data(transaction(expiresAfter: seconds, original: original).utf8).write(to: URL(filePath: file))
        return try ChildProcess(
            builtProgram("gatectl"),
            ["entitlements", "submit", file] + words + ["--socket", gate.socket, "--server-user", NSUserName()],
            hasInput: false
        ).ended()
    }

    /// A subscription, signed just now.
    func transaction(expiresAfter seconds: Double, original: String = "1") throws -> String {
        let now = Int64(Date.now.timeIntervalSince1970 * 1000)
        return try store.transaction(
            original: original, purchasedAt: WallTime(unixMilliseconds: now - 1000),
            expiresAt: WallTime(unixMilliseconds: now + Int64(seconds * 1000)),
            signedAt: WallTime(unixMilliseconds: now))
    }

    /// Who is signed in, what is active, and the mode, for programs.
    func status() throws -> String { try gate.gatectl("status", "--json").output }

    /// Whether premium is active, asked without a presentation.
    func isPremium() throws -> Bool {
        try gate.gatectl("entitlements").output.contains(#/premium +subscribed/#)
    }
}

extension RunningGate {
    /// `gatectl` without a terminal, so that it can't ask anybody itself.
    func gatectlWithoutTerminal(_ arguments: String...) throws -> ChildProcess {
        var words = arguments
        let end = words.firstIndex(of: "--") ?? words.endIndex
        words.insert(contentsOf: ["--socket", socket, "--server-user", NSUserName()], at: end)
        return try ChildProcess("/usr/bin/setsid", ["-w", builtProgram("gatectl")] + words, hasInput: false)
    }
}
