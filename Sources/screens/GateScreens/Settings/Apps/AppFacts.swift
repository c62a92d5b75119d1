import GateForms
import GateModel

/// An app of the menu, or a guarded program, as listed by `gatectl apps list --for-window`.
package struct AppFacts: Hashable, Sendable {
    /// What keeps an app from being started without Gate, once it is guarded.
    package enum Hold: String, Hashable, Sendable {
        /// The kernel.
        case kernel
        /// The kernel, until a person has been allowed to start it once. That person can read its code, and so copy it.
        case hands
        /// Nothing. It can't be guarded.
        case nothing
    }

    /// Whether the device guards the app as the policy says.
    package enum Standing: Hashable, Sendable {
        /// It starts without Gate. Can go to: beingGuarded.
        case free
        /// It starts without Gate, and can't be guarded. The last one, unless its packages change.
        case unguardable
        /// The policy guards it, and the device does not yet. Can go to: guarded, problem, free.
        case beingGuarded
        /// The policy guards it, and the device can't, as `AppFacts.problem` says. Can go to: guarded, free.
        case problem
        /// It starts only through Gate. Can go to: beingReleased.
        case guarded
        /// The policy no longer guards it, and the device still does. Can go to: free, beingGuarded.
        case beingReleased
    }

    /// The name, like "supertux2".
    package var name: String
    /// The gated action that guards it, or would, like "app.supertux2". All entries of a guarded package have the same.
    package var action: String
    /// The title in the menu.
    package var title: String
    /// The icon of its menu entry: a name, or an absolute path. May be empty.
    package var icon: String
    /// Whether the device guards it now.
    package var isGuarded: Bool
    /// Whether the policy says that it is guarded.
    package var isListed: Bool
    /// What keeps it from being started without Gate, or would if it were guarded.
    package var holds: Hold
    /// Why `holds` is not `kernel`, in whole sentences.
    package var reasons: [String]
    /// What is wrong, as a sentence. Empty if nothing is.
    package var problem: String

    package init(
        _ name: String, action: String? = nil, title: String, icon: String = "", isGuarded: Bool = false,
        isListed: Bool = false,
        holds: Hold = .kernel, reasons: [String] = [], problem: String = ""
    ) {
        (self.name, self.action, self.title, self.icon) = (name, action ?? "app.\(name)", title, icon)
        (self.isGuarded, self.isListed, self.holds) = (isGuarded, isListed, holds)
        (self.reasons, self.problem) = (reasons, problem)
    }

    /// - Parameter line: a JSON object.
    /// - Returns: `nil` if the line is no app. Keys of later versions are skipped.
    package init?(line: [UInt8]) {
        guard let node = try? FHIRNode(json: line), let name = node["name"]?.text else { return nil }
        self.init(
            name, action: node["action"]?.text, title: node["title"]?.text ?? name, icon: node.string("icon"),
            isGuarded: node["guarded"]?.boolean == true, isListed: node["isListed"]?.boolean == true,
            holds: Hold(rawValue: node.string("holds")) ?? .nothing, reasons: node["reasons"]?.texts ?? [],
            problem: node.string("problem"))
    }

    /// - Parameter isChosen: whether the policy has a gated action for it, as last reported by the daemon. The list of
    ///   apps may be older or newer than that.
    package func standing(isChosen: Bool) -> Standing {
        switch (isChosen || isListed, isGuarded) {
        case (true, true): .guarded
        case (true, false): problem.isEmpty ? .beingGuarded : .problem
        case (false, true): .beingReleased
        case (false, false): holds == .nothing ? .unguardable : .free
        }
    }
}

/// What gate-settings knows of the apps of this device.
package enum AppsFacts: Hashable, Sendable {
    /// The package that makes the device guard apps is not installed.
    case packageMissing
    case list([AppFacts])
}

extension SettingsFacts {
    func isChosen(_ app: AppFacts) -> Bool { gate(of: app) != nil }

    /// The gated action that guards an app; `nil` if the policy has none, or it is not known.
    func gate(of app: AppFacts) -> GateFacts? { gates.value?.first { $0.summary.name == app.action } }

    /// Whether the device guards every app as the policy says, as far as it can.
    var areAppsSettled: Bool {
        guard case .known(.list(let list)) = apps else { return true }
        return list.allSatisfy { app in
            switch app.standing(isChosen: isChosen(app)) {
            case .free, .unguardable, .problem, .guarded: true
            case .beingGuarded, .beingReleased: false
            }
        }
    }
}
