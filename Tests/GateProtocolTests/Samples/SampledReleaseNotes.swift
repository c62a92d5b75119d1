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
extension PlainReleaseNotesRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(app: random.text(), version: random.version(), notes: random.array { $0.whatsNewNotice().entry })
    }
}
extension GetReleaseNotesResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(entry: random.optional { $0.whatsNewNotice() }) }
}
extension ResetReleaseNotesRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(app: random.optional { "a\($0.text())" }) }
}
extension ReleaseNotesSummary: SampledElement {
    static func sample(using random: inout SplitMix) -> Self {
        ReleaseNotesSummary(
            app: random.text(), newest: random.version(), entryCount: random.number(),
            seen: random.array { $0.version() })
    }
}
