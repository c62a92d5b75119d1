import ArgumentParser
import Foundation
import GateModel
import Testing

@testable import gatectl

@Suite("The verbs about apps (X-04)")
struct AppVerbsTests {
    private func requirement(_ options: String...) throws -> String? {
        let verb = try AppsGuardVerb.parse(["chess"] + options)
        return try verb.choice.requirement(within: verb.clock, orElse: AppsGuardVerb.usual)
    }

    @Test("without a word about it, a child asks a grown-up, and grown-ups don't in parent mode")
    func usual() throws {
        let usual = try requirement()
        #expect(usual == AppsGuardVerb.usual)
        #expect(usual?.hasPrefix("{any: [{mode: parent}, ") == true)
    }

    @Test("an allowance or a schedule alone asks nobody; with a question both count")
    func clock() throws {
        #expect(try requirement("--allowance", "games") == "{any: [{mode: parent}, {allowance: \"games\"}]}")
        #expect(
            try requirement("--during", "free", "--allowance", "games")
                == "{any: [{mode: parent}, {all: [{during: \"free\"}, {allowance: \"games\"}]}]}")
        #expect(
            try requirement("--during", "free", "--requires", "passcode")
                == "{all: [{during: \"free\"}, {challenge: passcode}]}")
        #expect(
            try requirement("--during", "free", "--requires", "passcode", "--or-parent")
                == "{any: [{mode: parent}, {all: [{during: \"free\"}, {challenge: passcode}]}]}")
        #expect(throws: (any Error).self) { try requirement("--requires", "passcode", "--ages", "0+=passcode") }
        #expect(throws: (any Error).self) { try requirement("--answered-by", "grown-up") }
    }

    @Test("an app is named as the list names it, or by the file of its entry")
    func names() throws {
        #expect(try AppName.given("org.gnome.Chess.desktop") == "org.gnome.chess")
        #expect(try AppName.given("supertux2") == "supertux2")
        #expect(throws: GateError.self) { try AppName.given("../x") }
    }

    @Test("a window calls an app by the title in its record, and by its name if it has none (X-02)")
    func title() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("gatectl-app-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let device = AppDevice(root: root.path)
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        try device.write(AppSummary(title: "Chess").text, to: device.record("org.gnome.chess", .app))
        #expect(device.title(of: "org.gnome.chess") == "Chess")
        for name in ["supertux2", "../x", ""] { #expect(device.title(of: name) == name) }
    }

    @Test("a row of the list says what stands before an app, what holds, and why; its JSON has the same")
    func row() {
        var app = ListedApp(
            name: "chess", action: "app.chess", title: LocalizedText("Chess"), icon: "", packages: ["chess"],
            isGuarded: false, rule: nil, hold: AppHold(strength: .kernel))
        #expect(app.columns { $0 } == ["chess", "Chess", "not guarded", "held by the kernel", ""])
        #expect(
            app.json
                == #"{"name":"chess","action":"app.chess","title":"Chess","packages":["chess"],"guarded":false,"isListed":false,"holds":"kernel","reasons":[]}"#
        )
        app.hold = AppHold(strength: .nothing)
        app.problem = AppProblem(.system, "base")
        #expect(
            app.columns { $0 }[3...] == [
                "can't be guarded", "The device needs the package base, so it can't be guarded.",
            ])
        app.isGuarded = true
        #expect(app.columns { $0 }[2] == "guarded, and no longer in the policy")
    }

    @Test("doctor tells if nothing holds the apps of the policy, or one of them can't be held")
    func doctor() {
        func finding(_ apps: GuardedApps) -> Finding? {
            var facts = InstallationFacts(
                socketPath: "/run/gated/gate.sock", isDefaultSocket: true, socket: .missing,
                directoryPath: "/run/gated",
                directory: .missing, serverUser: "gate", serverUserID: 990, ownUserID: 1000,
                hasAdministratorGroup: true, units: nil, locksBeforeSleep: nil, configDirectory: "/etc/gate",
                policy: .missing, secrets: .success([]), ownVersion: "1", daemonVersion: .success("1"),
                statistics: .success(""), damage: .success(nil))
            facts.guardedApps = apps
            return facts.guardedAppsFinding
        }
        #expect(finding(GuardedApps()) == nil)
        #expect(finding(GuardedApps(listed: ["chess"], isActive: true))?.verdict == .ok)
        #expect(finding(GuardedApps(listed: ["chess"]))?.isFailure == true)
        #expect(
            finding(GuardedApps(listed: ["chess"], isActive: true, problems: ["chess: There is none."]))?.found
                == "chess: There is none.")
    }
}
