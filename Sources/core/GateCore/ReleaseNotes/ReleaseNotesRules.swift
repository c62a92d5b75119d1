public import GateModel

/// Decides which entry of an app's release notes a person sees: the entry for exactly this version, or else the one for
/// the first release of the same minor version, or else none. Older and seen entries are not shown.
struct ReleaseNotesRules {
    let notes: ReleaseNotes
    let seen: Set<AppVersion>

    func entry(for version: AppVersion) -> WhatsNew? {
        guard !seen.contains(version) else { return nil }
        if let exact = entry(of: version) { return exact }
        let firstOfMinor = AppVersion(version.major, version.minor, 0)
        return seen.contains(firstOfMinor) ? nil : entry(of: firstOfMinor)
    }

    private func entry(of version: AppVersion) -> WhatsNew? {
        notes.entries.first { $0.version == version }
    }
}

/// The person and the app whose seen release notes are remembered.
public struct WhatsNewKey: Hashable, Sendable {
    public var holder: FormHolder
    public var app: String

    public init(holder: FormHolder, app: String) {
        self.holder = holder
        self.app = app
    }
}
