/// A layer of the policy, from the weakest to the strongest: if two layers set the same thing, the later one counts.
/// The place of `unrecognized` in this order is not known.
@nonexhaustive
public enum PolicyLayer: Hashable, Sendable, CaseIterable {
    /// The defaults that Gate and other packages install: `/usr/share/gate/policy.d`.
    case shipped
    /// What grown-ups have chosen with `gatectl gates set`.
    case choices
    /// The policy that the household has for all its devices.
    case household
    /// The device's own files: `/etc/gate`.
    case device
    /// A layer that this version does not know.
    case unrecognized

    /// If two layers set the same thing, the one with the higher rank counts.
    package var rank: Int {
        switch self {
        case .unrecognized: 0
        case .shipped: 1
        case .choices: 2
        case .household: 3
        case .device: 4
        }
    }
}

/// Where a setting of the policy was written.
public struct PolicyOrigin: Hashable, Sendable {
    /// The layer that the setting is part of.
    public var layer: PolicyLayer
    /// The file, or what stands for it: "choice of link.open", "household policy 7: policy.d/bedtime.yaml".
    public var file: String
    /// The line, from 1; `nil` if there is no line to look at, as for a choice.
    public var line: Int?

    package init(layer: PolicyLayer, file: String, line: Int? = nil) {
        self.layer = layer
        self.file = file
        self.line = line
    }
}

extension PolicyOrigin: CustomStringConvertible {
    /// `FILE:LINE`, or the file alone.
    public var description: String { line.map { "\(file):\($0)" } ?? file }
}

/// A setting of the policy, and where it was written.
public struct PolicySettingOrigin: Hashable, Sendable {
    /// The setting by its keys, like "mode.lease" or "roles.presenter.users".
    public var setting: String
    /// Where it was written.
    public var origin: PolicyOrigin

    package init(setting: String, origin: PolicyOrigin) {
        self.setting = setting
        self.origin = origin
    }
}
