import GateModel
import GateProtocol

// MARK: Parts

extension SplitMix {
    fileprivate mutating func version() -> AppVersion { AppVersion(integer(), integer(), integer()) }

    mutating func whatsNewNotice() -> WhatsNewNotice {
        WhatsNewNotice(
            app: text(),
            entry: WhatsNew(
                version: version(), title: localizedText(),
                features: array {
                    WhatsNew.Feature(
                        image: $0.text(), colour: $0.text(), title: $0.localizedText(),
                        subtitle: $0.localizedText())
                },
                primary: WhatsNew.PrimaryAction(title: localizedText(), haptic: any(of: WhatsNew.Haptic.self)),
                secondary: optional {
                    WhatsNew.SecondaryAction(
                        title: $0.localizedText(), haptic: $0.any(of: WhatsNew.Haptic.self), colour: $0.text(),
                        url: $0.optional { "u\($0.text())" })
                }))
    }
}

// MARK: ReleaseNotes

extension ShowReleaseNotesRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            app: random.text(), version: random.version(), notes: random.array { $0.whatsNewNotice().entry },
            presenting: random.any(of: Presenting.self))
    }
}
extension ShowReleaseNotesResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            revision: random.revision(),
            result: random.bool()
                ? .outcome(random.any(of: WhatsNewOutcome.self)) : .presentation(random.presentation()))
    }
}
extension GetReleaseNotesRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(app: random.text(), version: random.version(), notes: random.array { $0.whatsNewNotice().entry })
    }
}
extension GetReleaseNotesResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(entry: random.optional { $0.whatsNewNotice() }) }
}
extension AcknowledgeReleaseNotesRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(app: random.text(), version: random.version(), notes: random.array { $0.whatsNewNotice().entry })
    }
}
extension AcknowledgeReleaseNotesResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(revision: random.revision()) }
}
extension ResetReleaseNotesRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(app: random.optional { "a\($0.text())" }) }
}
extension ResetReleaseNotesResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(revision: random.revision(), count: random.number())
    }
}
extension ListReleaseNotesRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(pageSize: random.number(), pageToken: random.text())
    }
}
extension ListReleaseNotesResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            apps: random.array {
                ReleaseNotesSummary(
                    app: $0.text(), newest: $0.version(), entryCount: $0.number(), seen: $0.array { $0.version() })
            },
            nextPageToken: random.text())
    }
}
