import Foundation
import GateModel
import ProcessSupport
import RevenueCatSupport
import Testing

/// A real `gate-revenuecat` whose `providers.yaml` changes while it runs.
@Suite("Reloading the configuration of gate-revenuecat", .serialized, .waitsForProcesses)
struct RevenueCatReloadTests {
    private static let policy = """
        entitlements: {premium: {title: Premium}, gold: {title: Gold}}
        paywall: {entitlement: premium, provider: revenuecat}
        roles: {provider: {users: [\(PollingService.uid)]}}

        """

    @Test("on SIGHUP other users are polled; a file with mistakes changes nothing; without users the program ends")
    func reload() async throws {
        let api = try DocumentedAPI([.signed(etag: "e1", entitlement: "gold")]) { BootTime(nanoseconds: 0) }
        let (serving, settings) = try await PollingService.serve(api)
        defer { serving.cancel() }
        let gate = try RunningGate(
            policy: Self.policy, files: ["providers.yaml": PollingService.providers(settings)], isOpenToOthers: true)
        let service = try PollingService.start(gate)
        func says(_ text: String) throws {
            while let line = try service.nextLineAnywhere() {
                if line.text.contains(text) { return }
            }
            throw service.failure("it never says “\(text)”")
        }
        func isActive(_ entitlement: String) throws -> Bool {
            let lines = try gate.gatectl("entitlements").output.split(separator: "\n")
            return lines.contains { $0.hasPrefix(entitlement) && $0.contains("subscribed") }
        }
        try eventually("gold is active") { try isActive("gold") }
        #expect(api.questions.map(\.path) == ["/v1/subscribers/anna"])

        // With a mistake in the file the service goes on as before: while a paywall is open it asks at once.
        try gate.writeConfiguration(Array("revenuecat: {users: [}".utf8), to: "providers.yaml")
        service.signal(SIGHUP)
        try says("providers.yaml:1")
        try says("The previous one stays in force.")
        #expect(!service.hasEnded)
        let screen = try RelayScreen(gate)
        let waiting = try gate.gatectlWithoutTerminal("paywall", "require")
        _ = try screen.shown()
        api.answers(with: .signed(etag: "e2", entitlement: "premium"))
        let paid = try waiting.ended()
        #expect(paid.status == 0 && paid.output.contains("paid"), "\(paid.errors)")
        #expect(Set(api.questions.map(\.path)) == ["/v1/subscribers/anna"])

        // The same configuration again is no reason to ask. Another user is.
        try gate.writeConfiguration(PollingService.providers(settings), to: "providers.yaml")
        service.signal(SIGHUP)
        try says("Users to ask for: 1")
        let count = api.questions.count
        let users = ["anna", "ben"]
        try gate.writeConfiguration(PollingService.providers(settings, users: users), to: "providers.yaml")
        #expect(try gate.gatectl("reload").status == 0)
        api.answers(with: .signed(etag: "e3", entitlement: "gold"))
        service.signal(SIGHUP)
        try says("Users to ask for: 2")
        try eventually("both are asked for") {
            Set(api.questions.dropFirst(count).map(\.path)) == ["/v1/subscribers/anna", "/v1/subscribers/ben"]
        }
        try eventually("gold is active") { try isActive("gold") }

        try gate.writeConfiguration(PollingService.providers(settings, users: []), to: "providers.yaml")
        service.signal(SIGHUP)
        let ended = try service.ended()
        #expect(ended.status == 0 && ended.errors.contains("There is nothing to ask."), "\(ended.errors)")
        #expect(try isActive("gold"), "what was said stays")
    }
}
