import GateClient
import GateModel
import GatePolicy
import GateScreens
import GateTexts

extension GateClient {
    /// The most gated actions whose outlook and rule are fetched. Each takes two calls.
    private static let maximumOutlooks = 100

    /// Puts a fetched part into the machine.
    typealias Taking = @Sendable (inout SettingsStateMachine) -> Void

    private static let nothing: Taking = { _ in }

    /// Fetches a part.
    ///
    /// - Parameters:
    ///   - generation: the machine's generation before the call.
    ///   - apps: reads the apps of this device, which the daemon does not know.
    func fetched(_ part: SettingsPart, _ generation: Int, _ apps: AppsReading) async -> Taking {
        switch part {
        case .apps:
            await taken(generation, { $0.came(\.apps, $1, generation: $2) }) { () async throws(GateError) in
                try await apps.read()
            }
        case .gates:
            await taken(generation, { $0.came(\.gates, $1, generation: $2) }) { () async throws(GateError) in
                try await gates()
            }
        case .grants:
            await taken(generation, { $0.came(\.grants, $1, generation: $2) }) { () async throws(GateError) in
                try await authorization.keptGrants()
            }
        case .usage:
            await taken(generation, { $0.came(\.usage, $1, generation: $2) }) { () async throws(GateError) in
                try await usage.times(days: WeekPlot.dayCount)
            }
        case .ages:
            await taken(generation, { $0.came(\.ages, $1, generation: $2) }) { () async throws(GateError) in
                AgeFacts(try await age.settings(), try await age.apps())
            }
        case .people:
            await taken(generation, { $0.came(\.people, $1, generation: $2) }) { () async throws(GateError) in
                try await people.list()
            }
        case .providers:
            await taken(generation, { $0.came(\.providers, $1, generation: $2) }) { () async throws(GateError) in
                try await entitlements.providers()
            }
        case .claims:
            await taken(generation, { $0.came(\.claims, $1, generation: $2) }) { () async throws(GateError) in
                try await entitlements.claims()
            }
        case .offers:
            await taken(generation, { $0.came(\.offers, $1, generation: $2) }) { () async throws(GateError) in
                try await entitlements.offers()
            }
        case .forms:
            await taken(generation, { $0.came(\.forms, $1, generation: $2) }) { () async throws(GateError) in
                try await forms.list()
            }
        case .responses:
            await taken(generation, { $0.came(\.responses, $1, generation: $2) }) { () async throws(GateError) in
                try await forms.responses()
            }
        case .lockouts:
            await taken(generation, { $0.came(\.lockouts, $1, generation: $2) }) { () async throws(GateError) in
                let lockouts = try await authorization.lockouts()
                return lockouts.map { LockoutFacts($0, at: .now()) }
            }
        case .secrets:
            await taken(generation, { $0.came(\.secrets, $1, generation: $2) }) { () async throws(GateError) in
                try await secrets.state().kinds
            }
        // `followDevices` watches the household instead.
        case .household: Self.nothing
        case .policy:
            await taken(generation, { $0.came(\.policy, $1, generation: $2) }) { () async throws(GateError) in
                guard let summary = try await control.policy().summary else {
                    throw GateError(.unimplemented, .notBuilt, localized("This version of Gate can't do that yet."))
                }
                let gates = try await authorization.gatedActions()
                return PolicyFacts(summary, odds: PolicyFiles.odds(of: summary, gates, for: options))
            }
        }
    }

    private func taken<Value: Sendable>(
        _ generation: Int,
        _ take: @escaping @Sendable (inout SettingsStateMachine, Result<Value, GateError>, Int) -> Void,
        _ ask: () async throws(GateError) -> Value
    ) async -> Taking {
        let result: Result<Value, GateError>
        do throws(GateError) {
            result = .success(try await ask())
        } catch {
            result = .failure(error)
        }
        return { take(&$0, result, generation) }
    }

    private func gates() async throws(GateError) -> [GateFacts] {
        var gates: [GateFacts] = []
        for summary in try await authorization.gatedActions() {
            guard gates.count < Self.maximumOutlooks else {
                gates.append(GateFacts(summary, outlook: nil))
                continue
            }
            let outlook = try await authorization.check(summary.name)
            let rule = try await authorization.rule(of: summary)
            // The daemon's words have the settings of questions, and its conditions do not.
            let hasSettings = rule.requirement.map { $0.text != summary.requirement } ?? false
            gates.append(GateFacts(summary, outlook: outlook, rule: rule, hasSettings: hasSettings))
        }
        return gates
    }
}
