import GateModel

/// Which entry of an app's release notes is shown to somebody (F-58a): that of exactly this version, else that of the first
/// release of the same minor version, else none; never an older one, and none twice.
struct ReleaseNotesRules {
    let notes: ReleaseNotes
    /// The versions whose entries were seen.
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
