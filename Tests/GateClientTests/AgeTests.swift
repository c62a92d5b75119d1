import GateModel
import GateProtocol
import TTRPCTransport
import Testing

@testable import GateClient

@Suite("How old the person is, as far as an app may know (Y-01, Y-02)")
struct AgeTests {
    @Test("an app gets the range, or nothing")
    func range() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            for range in [AgeRange(low: 13, high: 15, source: .guardian), nil] {
                async let told = gate.age.range()
                try await server.expect("gate.v1.Age/QueryAgeRange").respond(QueryAgeRangeResponse(range: range))
                #expect(try await told == range)
            }
            try await server.stop()
        }
    }

    @Test("a choice and a setting return the revision from which they hold, and send what was chosen")
    func changes() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let set = gate.age.set(isOn: true, gates: [12, 16])
            let setting = try await server.expect("gate.v1.Age/SetAgeSettings")
            #expect(
                try SetAgeSettingsRequest(decoding: setting.request.payload)
                    == SetAgeSettingsRequest(isOn: true, gates: [12, 16]))
            await setting.respond(SetAgeSettingsResponse(revision: here))
            #expect(try await set == AgeChange(revision: here))
            async let chosen = gate.age.choose(.forNow, for: "chat", of: "mia")
            let choice = try await server.expect("gate.v1.Age/SetAgeChoice")
            #expect(
                try SetAgeChoiceRequest(decoding: choice.request.payload)
                    == SetAgeChoiceRequest(person: "mia", app: "chat", choice: .forNow))
            await choice.respond(SetAgeChoiceResponse(revision: here))
            #expect(try await chosen == AgeChange(revision: here))
            try await server.stop()
        }
    }

    @Test("all pages of the list of apps are read, and the settings")
    func lists() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let apps = ["chat", "game"].map { AgeApp(person: "mia", app: $0, choice: .ask, isWaiting: true) }
            async let listed = gate.age.apps()
            for (app, next) in zip(apps, ["1", ""]) {
                try await server.expect("gate.v1.Age/ListAgeApps").respond(
                    ListAgeAppsResponse([app], nextPageToken: next))
            }
            #expect(try await listed == apps)
            async let settings = gate.age.settings()
            try await server.expect("gate.v1.Age/GetAgeSettings").respond(
                GetAgeSettingsResponse(settings: AgeSettings(isOn: true, gates: [14])))
            #expect(try await settings == AgeSettings(isOn: true, gates: [14]))
            try await server.stop()
        }
    }

    @Test("a watch of age ranges begins again with a snapshot, and they are off without the daemon")
    func watch() throws {
        let here = Revision(epoch: 7, number: 5)
        let on = AgeState(settings: AgeSettings(isOn: true), waiting: [])
        var machine = WatchStateMachine(topics: [.ageRanges])
        machine.streamOpened()
        let message = WatchResponse(
            firstNumber: 5, revision: here, isSnapshot: true, mode: nil, presentations: nil, ageRanges: on)
        #expect(machine.messageReceived(message, at: nil, jitter: 1)?.ageRanges == on)
        let lost = machine.failed(GateError(.unavailable, .unspecified, "gone"), jitter: 1)
        #expect(lost?.ageRanges?.settings.isOn == false)
        machine.waited()
        #expect(machine.action == .open(after: nil))
    }
}
