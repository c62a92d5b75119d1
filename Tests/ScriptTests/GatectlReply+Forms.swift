import Foundation
import GateModel
import GateScripting

// What `gatectl --json` says of forms, and of what is new.

extension GatectlReply {
    /// Of a FormHolder.
    var formHolder: FormHolder? {
        text("account").map { .account($0) } ?? number("uid").map { .user(UInt32($0)) }
    }

    /// Of what `set`, `suggest`, `remove`, `fill`, `reset`, `load` and `reuse` print.
    var formChange: ShownFormChange? {
        guard let change = self["change"], let revision = change["summary"]?.number("revision") else { return nil }
        return ShownFormChange(
            revision: UInt64(revision), isChanged: change.isTrue("isChanged"),
            cleared: change.fields["cleared"] as? [String] ?? [])
    }

    /// Of a FormSummary.
    func shownForm(in world: ScriptWorld) -> ShownForm? {
        guard let name = text("name"), let holder = self["holder"]?.formHolder, let revision = number("revision")
        else { return nil }
        return ShownForm(
            name: name, holder: world.name(of: holder), revision: UInt64(revision),
            draft: UInt64(number("draftId") ?? 0), label: text("label") ?? "")
    }

    /// Of a ResponseSummary.
    func shownResponse(in world: ScriptWorld) -> ShownResponse? {
        guard let id = number("id"), let name = text("name"), let holder = self["holder"]?.formHolder,
            let status = responseStatus
        else { return nil }
        return ShownResponse(
            id: UInt64(id), name: name, version: text("version") ?? "", holder: world.name(of: holder), status: status,
            label: text("label") ?? "")
    }

    /// The fields of a PartSummary.
    func shownPart(in world: ScriptWorld) -> ShownPart? {
        guard let id = number("id"), let holder = self["holder"]?.formHolder, let definition = text("definition")
        else { return nil }
        return ShownPart(
            id: UInt64(id), label: text("label") ?? "", definition: definition, holder: world.name(of: holder))
    }

    private var responseStatus: QuestionnaireResponse.Status? {
        switch text("status") {
        case "STATUS_IN_PROGRESS": .inProgress
        case "STATUS_COMPLETED": .completed
        case "STATUS_ENTERED_IN_ERROR": .enteredInError
        case _: nil
        }
    }

    // MARK: - What is new

    /// Of a WhatsNew.
    var whatsNew: WhatsNewNotice? {
        guard let version = text("version").flatMap({ AppVersion($0) }) else { return nil }
        let features = objects("features").map { feature in
            WhatsNew.Feature(
                image: feature.text("image") ?? "", colour: feature.text("colour") ?? "",
                title: LocalizedText(feature.text("title") ?? ""),
                subtitle: LocalizedText(feature.text("subtitle") ?? ""))
        }
        return WhatsNewNotice(
            app: text("app") ?? "",
            entry: WhatsNew(
                version: version, title: LocalizedText(text("title") ?? ""), features: features,
                primary: WhatsNew.PrimaryAction(title: LocalizedText(self["primary"]?.text("title") ?? "")),
                secondary: self["secondary"].map {
                    WhatsNew.SecondaryAction(title: LocalizedText($0.text("title") ?? ""))
                }))
    }

    var whatsNewOutcome: WhatsNewOutcome? {
        switch text("outcome") {
        case "WHATS_NEW_OUTCOME_NOTHING_NEW": .nothingNew
        case "WHATS_NEW_OUTCOME_SHOWN": .shown
        case "WHATS_NEW_OUTCOME_SECONDARY_CHOSEN": .secondaryChosen
        case _: nil
        }
    }

    /// Of a ReleaseNotesSummary.
    var shownNews: ShownNews? {
        guard let app = text("app"), let newest = text("newest").flatMap({ AppVersion($0) }) else { return nil }
        let seen = fields["seen"] as? [String] ?? []
        return ShownNews(app: app, newest: newest, seen: seen.compactMap { AppVersion($0) })
    }
}
