import GateModel
import GateTexts

enum HouseholdText {
    /// The device's name, mode, when it was last heard, and notes. `isHeard`: this device receives others' states.
    static func row(_ device: HouseholdDevice, isHeard: Bool, now: WallTime, colours: Colours) -> [String] {
        let heard = device.report == nil && !isHeard ? "" : heard(device, now: now)
        return [VisibleText.line(device.member.name), mode(device, now: now, colours: colours), heard] + notes(device)
    }

    private static func mode(_ device: HouseholdDevice, now: WallTime, colours: Colours) -> String {
        guard let report = device.report else { return "" }
        let mode = colours.paint(report.mode.rawValue, for: report.mode)
        guard let end = report.parentUntil, now < end else { return mode }
        return mode + DurationWords.leftBehind(.milliseconds(end.unixMilliseconds - now.unixMilliseconds))
    }

    private static func heard(_ device: HouseholdDevice, now: WallTime) -> String {
        guard let report = device.report else { return localized("never connected") }
        if report.isOnline { return localized("connected") }
        if device.isThisDevice { return localized("not connected") }
        return localized("not connected; last heard {time}", ["time": WallTimeText.shown(report.updated)])
    }

    private static func notes(_ device: HouseholdDevice) -> [String] {
        var notes: [String] = []
        if device.isThisDevice { notes.append(localized("this device")) }
        if let number = device.report?.policyNumber {
            notes.append(localized("policy {number}", ["number": "\(number)"]))
        }
        if device.report?.hasTwin == true, !device.member.isRevoked {
            notes.append(localized("two devices have its key"))
        }
        if device.member.isRevoked { notes.append(localized("revoked")) }
        if let guardian = device.member.guardian, !device.member.isRevoked {
            notes.append(localized("{name} commands from it", ["name": VisibleText.line(guardian)]))
        }
        return notes.isEmpty ? [] : [notes.joined(separator: ", ")]
    }

    static func row(_ answer: DeviceAnswer, colours: Colours) -> [String] {
        if answer.isDone {
            return [
                VisibleText.line(answer.member.name), localized("done"),
                colours.paint(answer.mode.rawValue, for: answer.mode),
            ]
        }
        let reason = HouseholdWords.sentence(ofCheck: answer.check) ?? VisibleText.line(answer.message)
        return [VisibleText.line(answer.member.name), localized("not done"), reason]
    }

    static func unanswered(_ member: HouseholdMember) -> [String] {
        [VisibleText.line(member.name), localized("not done"), localized("It has not answered.")]
    }

    /// The columns of another device's question: its number, the asking device, the subject, the program, and when.
    static func row(_ request: HouseholdRequest, now: WallTime) -> [String] {
        let asked = request.asked
        let summary = PresentationSummary(
            id: request.id, purpose: request.purpose, kind: .challenge(.confirm), deadline: .never, style: .sheet,
            isDismissible: true, stage: .waiting, asked: asked)
        let words = AskedWords(summary)
        let title = VisibleText.line(words.title)
        let details = VisibleText.line(words.details)
        return [
            "\(request.id)", VisibleText.line(asked.device), details.isEmpty ? title : ListText.pair(title, details),
            asked.program.isEmpty ? "" : VisibleText.quoted(asked.program), WallTimeText.shown(request.askedAt),
        ]
    }

    static func noDevice(_ word: String, among members: [HouseholdMember]) -> GateError {
        let near = NearestNames.of(word, among: members.map(\.name)).map(VisibleText.line)
        let text = localized("The household has no device '{name}'.", ["name": VisibleText.line(word)])
        return GateError(
            .notFound, .unknown,
            saying: near.isEmpty
                ? text
                : text + " " + localized("Did you mean {names}?", ["names": ListText.things(near)]))
    }
}
