import GateModel

/// One entry of the journal, for people:
/// `2026-01-01T00:00:00.000Z  rev 12  answered wrong  uid 1000 pid 4242  child  detail`.
struct AuditLine {
    let entry: AuditEntry

    func text(colours: Colours) -> String {
        let actor =
            entry.actor.map { "uid \($0.uid) pid \($0.pid)\(Self.through($0.broker))\(Self.word(of: $0.guardian))" }
            ?? "gated"
        let columns = [
            entry.time.utcText, "rev \(entry.number)", Self.words(entry.kind), actor,
            colours.paint(entry.mode.rawValue, for: entry.mode),
        ]
        return (columns + (entry.detail.isEmpty ? [] : [VisibleText.line(entry.detail)])).joined(separator: "  ")
    }

    /// The guardian whose signed command the actor delivered: ` for guardian "Anna"`.
    static func word(of guardian: GuardianName?) -> String {
        guardian.map { " for guardian \(VisibleText.quoted($0.name))" } ?? ""
    }

    /// The broker that asked for another program: ` through uid 104 "gatectl"`.
    static func through(_ broker: Broker?) -> String {
        broker.map { " through uid \($0.uid)\($0.program.isEmpty ? "" : " \(VisibleText.quoted($0.program))")" } ?? ""
    }

    /// `answeredWrong` becomes `answered wrong`.
    static func words(_ kind: AuditEntry.Kind) -> String {
        kind.rawValue.reduce(into: "") { words, character in
            words += character.isUppercase ? " \(character.lowercased())" : String(character)
        }
    }
}
