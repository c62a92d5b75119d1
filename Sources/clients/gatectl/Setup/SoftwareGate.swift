import GateClient
import GateModel
import GatePolicy
import GateProtocol
import GateTexts
import Glibc

/// Puts installing programs behind parent mode. It writes three files: the rule for polkit from docs/polkit.md, with
/// the actions that install programs; a policy file with the gated action, and the role broker for polkit; and a
/// setting for gated's unit. polkit still asks for everything that it asked for before, so nothing becomes easier.
struct SoftwareGate {
    static let gatedAction = "software.install"

    var example = "/usr/share/doc/gate/examples/polkit/00-gate.rules"
    var actionsFolder = "/usr/share/polkit-1/actions"
    var rulePath = "/etc/polkit-1/rules.d/00-gate-software.rules"
    var unitPath = "/etc/systemd/system/gated.service.d/gate-software.conf"
    let options: PolicyOptions

    var policyPath: String { "\(options.configDirectory)/policy.d/gate-software.yaml" }

    /// The user that polkit's daemon runs as.
    static let polkitUser = "polkitd"

    /// The actions by which packages are installed and removed, by the file that declares them.
    private static let actions: KeyValuePairs = [
        "org.freedesktop.packagekit.policy": [
            "org.freedesktop.packagekit.package-install", "org.freedesktop.packagekit.package-install-untrusted",
            "org.freedesktop.packagekit.package-reinstall", "org.freedesktop.packagekit.package-downgrade",
            "org.freedesktop.packagekit.package-remove",
        ],
        "org.freedesktop.Flatpak.policy": [
            "org.freedesktop.Flatpak.app-install", "org.freedesktop.Flatpak.runtime-install",
            "org.freedesktop.Flatpak.app-uninstall", "org.freedesktop.Flatpak.configure-remote",
        ],
    ]

    private var actionsHere: [String] {
        Self.actions.filter { access("\(actionsFolder)/\($0.key)", F_OK) == 0 }.flatMap(\.value)
    }

    var offer: SetupSituation.Offer {
        if access(rulePath, F_OK) == 0 { return .on }
        let isPossible =
            !actionsHere.isEmpty && LocalAccounts.userID(named: Self.polkitUser) != nil
            && SystemFile.text(of: example).flatMap { Self.rule($0, for: actionsHere) } != nil
        return isPossible ? .off : .unavailable(package: nil)
    }

    /// The example's rule for these actions, without administrators; `nil` if it is not the example that is known here.
    static func rule(_ example: String, for actions: [String]) -> String? {
        let table = actions.map {
            "        \"\($0)\": { gate: \"\(gatedAction)\", granted: polkit.Result.NOT_HANDLED }"
        }
        var (hasTable, hasRule) = (false, false)
        let lines = example.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            if line.contains("\"org.example.free-space\":") {
                hasTable = true
                return [table.joined(separator: ",\n")]
            }
            if line.contains("polkit.addRule(function (action, subject) {") {
                hasRule = true
                return [
                    String(line),
                    "        if (subject.isInGroup(\"sudo\")) { return polkit.Result.NOT_HANDLED; }",
                ]
            }
            return [String(line)]
        }
        guard hasTable, hasRule, !actions.isEmpty else { return nil }
        return "// Written by `gatectl setup`, which also removes this file.\n" + lines.joined(separator: "\n")
    }

    /// The policy's file: the gated action, and polkit's daemon as a broker, unless the policy has these already.
    func policy(beside present: Policy) throws(GateError) -> String {
        var lines = ["# Written by `gatectl setup`: programs are installed only in parent mode."]
        let brokers = present.roles.brokers
        if !brokers.users.contains(Self.polkitUser), !brokers.groups.contains(Self.polkitUser) {
            // A policy may have each list only once.
            guard brokers.users.isEmpty || brokers.groups.isEmpty else {
                throw GateError(
                    .failedPrecondition, .unspecified,
                    saying: localized(
                        "The policy lists users and groups for `broker` already. Add the user polkitd there, and run this again."
                    ))
            }
            lines += ["roles:", "  broker: {\(brokers.users.isEmpty ? "users" : "groups"): [\(Self.polkitUser)]}"]
        }
        if present.configuration.gatedActions[Self.gatedAction] == nil {
            lines += [
                "gated-actions:", "  \(Self.gatedAction):",
                "    title: {en: Install a program, de: Ein Programm installieren, ru: Установить программу, zh-CN: 安装软件}",
                "    requires: {mode: parent}",
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    func turnOn(_ session: Session, serverUser: String) async throws(GateError) {
        try Session.requireRoot()
        guard let rule = SystemFile.text(of: example).flatMap({ Self.rule($0, for: actionsHere) }) else {
            throw GateError(
                .failedPrecondition, .unspecified,
                saying: localized("{path} is missing, or is not Gate's.", ["path": example]))
        }
        let present: Policy
        do throws(PolicyError) {
            present = try options.policy(serverUser: serverUser)
        } catch {
            throw GateError(
                .failedPrecondition, .unspecified,
                saying: localized(
                    "The policy has mistakes: {mistake} Mend it first.",
                    ["mistake": error.problems.first?.description ?? ""]))
        }
        try SystemFile.write(try policy(beside: present), to: policyPath)
        do throws(GateError) {
            _ = try await session.gate.call(Methods.Control.reload, ReloadRequest())
            try SystemFile.write("[Service]\nProtectProc=default\n", to: unitPath)
            try await restart(session)
            // The rule comes last, since polkit refuses these actions by it until the rest is there.
            try SystemFile.write(rule, to: rulePath)
        } catch {
            for path in [rulePath, unitPath, policyPath] { _ = try? SystemFile.remove(path) }
            _ = try? await session.gate.call(Methods.Control.reload, ReloadRequest())
            throw error
        }
    }

    func turnOff(_ session: Session) async throws(GateError) {
        try Session.requireRoot()
        for path in [rulePath, policyPath, unitPath] { try SystemFile.remove(path) }
        try await restart(session)
    }

    /// Restarts the daemon, because only then the unit's setting counts: whether it sees other users' processes, as a
    /// broker's requests need. Its socket stays open.
    private func restart(_ session: Session) async throws(GateError) {
        guard Program.exitStatus(of: ["systemctl", "daemon-reload"]) == 0,
            Program.exitStatus(of: ["systemctl", "restart", "gated.service"]) == 0
        else {
            throw GateError(
                .unavailable, .unspecified,
                saying: localized("gated does not start again. Look at `systemctl status gated`."))
        }
        // The old connection is gone. This call finds that out, so that the next one makes a new connection.
        _ = try? await session.gate.control.version()
    }
}
