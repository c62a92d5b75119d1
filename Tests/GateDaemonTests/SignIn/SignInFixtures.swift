import Foundation
import GateModel
import GateProtocol
import Synchronization

@testable import GateDaemon

extension LiveGate {
    /// A policy with a required sign-in and premium for sale.
    static let signInPolicy = """
        mode: {challenge: arithmetic-choice}
        roles:
          presenter: {users: [screen]}
          grown-up-presenter: {users: [mother]}
          provider: {users: [shop]}
        sign-in: {required: true, session: 12h, maximum-session: 30d}
        entitlements: {premium: {title: Premium}}
        gated-actions:
          link.open: {title: Open a web page, requires: {challenge: arithmetic-choice}}
          filters: {title: Premium filters, requires: {all: [signed-in, {entitlement: premium}]}}

        """
}

extension Connected {
    func register(_ name: String, _ password: String, _ kind: GatePerson.Kind = .grownUp) async throws(GateError) {
        _ = try await call(Methods.SignIn.register, .init(name, password, kind))
    }

    func logIn(_ name: String, _ password: String) async throws(GateError) -> SignInState {
        try await call(Methods.SignIn.logIn, LogInRequest(name, password)).state
    }

    func refusalToLogIn(_ name: String, _ password: String) async -> GateError? {
        await refusal(of: Methods.SignIn.logIn, LogInRequest(name, password))
    }

    func signIn() async throws(GateError) -> SignInState {
        try await call(Methods.SignIn.get, GetSignInRequest()).state
    }

    func premium() async throws(GateError) -> Entitlement.Status? {
        try await call(Methods.Entitlements.get, GetEntitlementsRequest()).state.premium
    }
}

extension RegisterAccountRequest {
    init(_ name: String, _ password: String, _ kind: GatePerson.Kind = .grownUp) {
        self.init(account: GatePerson(name: name, kind: kind), password: GateSecret(password.utf8))
    }
}

extension LogInRequest {
    init(_ name: String, _ password: String) {
        self.init(name: name, password: GateSecret(password.utf8))
    }
}

extension ChangePasswordRequest {
    init(_ name: String, from old: String?, to new: String) {
        self.init(name: name, oldPassword: old.map { GateSecret($0.utf8) }, newPassword: GateSecret(new.utf8))
    }
}

extension EntitlementsState {
    var premium: Entitlement.Status? { entitlements.first { $0.id == "premium" }?.source?.status }
}

/// Keeps the threads that hash passwords busy until it is pulled.
final class Plug: Sendable {
    private let isPulled = DispatchSemaphore(value: 0)
    private let threadCount: Int

    /// Returns when the threads have no other work, and can begin none.
    init(in authority: Authority, threads: Int = DaemonLimits().passwordsAtOnce) async {
        threadCount = threads
        await authority.plug(self)
    }

    func pull() {
        for _ in 0..<threadCount { isPulled.signal() }
    }

    fileprivate func hold() { isPulled.wait() }
    fileprivate var threads: Int { threadCount }
}

extension Authority {
    fileprivate func plug(_ plug: Plug) {
        for _ in 0..<plug.threads {
            _ = passwords.submit(for: .daemon) {
                plug.hold()
            } then: {
            }
        }
    }
}
