import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Several drafts of a form, each with its label (F-74, F-84)")
struct ManyDraftsTests {
    private static let customer = Questionnaire.life(
        "customer", version: "1",
        [
            .question("name", .string), .question("has-car", .boolean),
            .question("model", .string) { $0.enableWhen = [.when("has-car", .equal, .boolean(true))] },
            .group("driver", [.question("driver-name", .string)]) { $0.repeats = true },
        ], labelledBy: ["name", "model", "driver-name"])

    private func device(_ presenters: Peer...) throws -> Device {
        var configuration = Configuration.asking.with(Self.customer)
        configuration.gatedActions["insure"] = GatedAction(title: "Insure", requirement: .form("customer"))
        var device = Device(configuration: configuration)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)
        for presenter in presenters { try device.apply(.register(.everything), as: presenter) }
        return device
    }

    private func target(_ id: UInt64, _ cookie: PresentationCookie? = nil) -> FormTarget {
        FormTarget(name: "customer", cookie: cookie, draftID: id)
    }

    private func set(_ path: String, _ value: FormValue) throws -> FormEdit {
        .set(try .at(path), [value], attachments: [:])
    }

    private func labels(_ device: Device, _ peer: Peer) -> [UInt64: String] {
        Dictionary(uniqueKeysWithValues: device.state.forms(visibleTo: peer).map { ($0.draftID, $0.label) })
    }

    @Test(
        "four drafts of a form may be open, each with its own answers and revision; draft 0 is the default (F-84)"
    )
    func several() throws {
        var device = try device()
        let first = try device.openForm("customer", as: .anna)
        let others = try (1...3).map { number in
            try device.begin("customer", label: "Customer \(number)", as: number == 2 ? .annasOther : .anna)
        }
        #expect(first.draftID == 0 && others.map(\.draftID) == [1, 2, 3])
        #expect(Set(others.map(\.revision) + [first.revision]).count == 4)
        try device.apply(.editForm(target(2), at: nil, set("name", .string("Ben"))), as: .anna)
        for id: UInt64 in [0, 1, 3] {
            #expect(try device.state.formDraft(of: .anna, named: "customer", id: id)?.values("name") == [])
        }
        #expect(
            try device.state.formDraft(of: .anna, named: "customer", id: 2)?.values("name") == [.string("Ben")])
        #expect(try device.openForm("customer", as: .anna).draftID == 0, "it joins the one that is there")
        #expect(device.state.forms(visibleTo: .anna).map(\.draftID) == [0, 1, 2, 3])
        device.checkForms()
    }

    @Test("a command without a draft's number is refused with a number to use, if only numbered drafts exist (F-84)")
    func unnamed() throws {
        var device = try device()
        _ = try device.begin("customer", as: .anna)
        let edit = try set("name", .string("Ben"))
        let refused = device.refusal(.editForm(target(0), at: nil, edit), as: .anna)
        #expect(refused?.reason == .unknown && refused?.parameters["what"] == "draft-unnamed")
        #expect(refused?.message.contains("--draft 1") == true && refused?.parameters["number"] == "1")
        // Ben has no drafts, and learns nothing of hers.
        #expect(device.refusal(.editForm(target(0), at: nil, edit), as: .ben)?.parameters["what"] == "draft")
    }

    @Test(
        "the number of a draft is never used again, not even after it was discarded or after a restart (F-84)"
    )
    func idsAreNotReused() throws {
        var device = try device()
        _ = try device.begin("customer", as: .anna)
        try device.apply(.discardForm(target(1)), as: .anna)
        #expect(try device.begin("customer", as: .anna).draftID == 2)
        try device.apply(.discardForm(target(2)), as: .anna)
        var restarted = Device(device.stored, configuration: device.state.configuration)
        #expect(try restarted.begin("customer", as: .ben).draftID == 3)
        let rules = RestoreRules(current: restarted.stored, now: WallTime(unixMilliseconds: 0))
        #expect(rules.merged(with: device.stored).nextDraft == 4)
    }

    @Test("no command can choose the number of a draft, or create one by naming it (F-84)")
    func unknown() throws {
        var device = try device()
        try device.openForm("customer", as: .anna)
        let kept = try device.apply(.saveForm(target(0)), as: .anna).responseID()
        let commands: [Command] = [
            .openForm(target(7)), .editForm(target(7), at: nil, .reset), .saveForm(target(7)),
            .loadForm(target(7), at: nil, response: kept), .completeForm(target(7), at: nil), .discardForm(target(7)),
            .labelDraft(target(7), label: "x"),
        ]
        for command in commands {
            let refusal = device.refusal(command, as: .anna)
            #expect(refusal?.parameters == ["what": "draft-number", "name": "7", "form": "customer"], "\(command)")
        }
        #expect(device.refusal(.openForm(target(1), beginsAnother: true), as: .anna)?.code == .notFound)
        _ = try device.begin("customer", as: .anna)
        #expect(
            device.refusal(.openForm(target(1), beginsAnother: true), as: .anna)?.parameters["field"]
                == "target.draft_id")
    }

    @Test("another holder can neither reach a draft by any number nor see its label (F-84, F-74)")
    func others() throws {
        var device = try device()
        _ = try device.begin("customer", label: "Secret", as: .anna)
        let commands: [Command] = [
            .openForm(target(1)), .editForm(target(1), at: nil, .reset), .saveForm(target(1)),
            .completeForm(target(1), at: nil), .discardForm(target(1)), .labelDraft(target(1), label: "x"),
        ]
        for command in commands { #expect(device.refusal(command, as: .ben)?.reason == .unknown, "\(command)") }
        #expect(device.state.forms(visibleTo: .ben).isEmpty)
        #expect(labels(device, .root) == [1: "Secret"], "administrators see all")
        try device.apply(.discardForm(target(1), of: .anna), as: .root)
        #expect(device.state.openForms.isEmpty)
        #expect(!device.journal.contains { $0.detail.contains("Secret") }, "no journal has a label")
    }

    @Test("all of them count against the limit of their holder (F-84)")
    func limit() throws {
        var device = try device()
        try device.openForm("customer", as: .anna)
        for _ in 1..<Limits.draftsOfHolder { _ = try device.begin("customer", as: .anna) }
        let refusal = device.refusal(.openForm(target(0), beginsAnother: true), as: .anna)
        #expect(refusal?.parameters["what"] == "drafts-of-holder")
        #expect(device.refusal(.openForm(target(0), beginsAnother: true), as: .ben) == nil)
    }

    @Test(
        "a given label replaces the one from answers, is kept with the response, and can be removed (F-74)"
    )
    func given() throws {
        var device = try device()
        _ = try device.begin("customer", label: "Golf", as: .anna)
        let revision = device.state.forms(visibleTo: .anna)[0].revision
        try device.apply(.editForm(target(1), at: revision, set("name", .string("Anna"))), as: .anna)
        #expect(labels(device, .anna) == [1: "Golf"])
        let before = device.state.forms(visibleTo: .anna)[0].revision
        try device.apply(.labelDraft(target(1), label: "Golf of Anna"), as: .annasOther)
        #expect(labels(device, .anna) == [1: "Golf of Anna"])
        #expect(device.state.forms(visibleTo: .anna)[0].revision == before, "the answers are the same")
        let kept = try device.apply(.saveForm(target(1)), as: .anna).responseID()
        try device.apply(.labelDraft(target(1), label: ""), as: .anna)
        #expect(labels(device, .anna) == [1: "Anna"])
        let completed = try device.apply(.completeForm(target(1), at: before), as: .anna).responseID()
        #expect(device.state.records.responses[kept]?.summary.label == "Golf of Anna")
        #expect(device.state.records.responses[completed]?.summary.label == "Anna")
        device.checkForms()
    }

    @Test("a label is made of enabled answers in order, and of the first of several groups (F-74)")
    func byItems() throws {
        var device = try device()
        _ = try device.begin("customer", as: .anna)
        #expect(labels(device, .anna) == [1: ""])
        for (path, value, label): (String, FormValue, String) in [
            ("name", .string("Anna"), "Anna"), ("driver[0]/driver-name", .string("Tim"), "Anna, Tim"),
            ("driver[1]/driver-name", .string("Ole"), "Anna, Tim"), ("has-car", .boolean(true), "Anna, Tim"),
            ("model", .string("Golf"), "Anna, Golf, Tim"), ("has-car", .boolean(false), "Anna, Tim"),
            ("name", .string("Ben"), "Ben, Tim"),
        ] {
            try device.apply(.editForm(target(1), at: nil, set(path, value)), as: .anna)
            #expect(labels(device, .anna) == [1: label])
        }
        let restored = GateState(restoring: device.stored, configuration: device.state.configuration)
        #expect(restored.forms(visibleTo: .anna).map(\.label) == ["Ben, Tim"])
        var other = Self.customer
        other.label = [.answers(to: "driver-name")]
        try device.apply(.configure(device.state.configuration.with(other), detail: ""), as: .root)
        #expect(labels(device, .anna) == [1: "Tim"], "the form says now that another question makes it")
    }

    @Test(
        "a label made of answers is one visible line of limited length (F-74)",
        arguments: [
            ("A\nnna", "A nna"), ("\u{202E}gnp.exe  \t x", "gnp.exe x"), (" \n ", ""),
            (String(repeating: "é", count: 150), String(repeating: "é", count: 98) + "…"),
        ])
    func cleaned(answer: String, label: String) throws {
        #expect(DraftLabel.joined([answer]) == label)
        #expect(label.utf8.count <= Limits.labelByteCount && label.isSingleLine)
    }

    @Test(
        "a label that is given is one line of at most 200 bytes (F-74)",
        arguments: ["a\nb", "\u{202E}a", "\u{7F}", String(repeating: "a", count: 201)])
    func refusedLabels(label: String) throws {
        var device = try device()
        try device.openForm("customer", as: .anna)
        for command in [
            Command.labelDraft(target(0), label: label), .openForm(target(0), beginsAnother: true, label: label),
        ] {
            #expect(device.refusal(command, as: .anna)?.parameters["field"] == "label")
        }
        #expect(device.refusal(.labelDraft(target(0), label: String(repeating: "a", count: 200)), as: .anna) == nil)
    }

    @Test(
        "a presentation shows its own draft, its holder may work on others, and completing any of them ends it (F-84)"
    )
    func inPresentation() throws {
        var device = try device()
        let form = try device.authorize("insure", as: .anna).presentation()
        let wait = try device.apply(.awaitClosing(form.cookie), as: .anna).wait()
        _ = try device.apply(.openForm(target(0, form.cookie)), as: .anna)
        let other = try device.apply(.openForm(target(0, form.cookie), beginsAnother: true), as: .anna).formChange()
        #expect(other.summary.draftID == 1)
        let change = try device.apply(
            .editForm(target(1, form.cookie), at: nil, set("name", .string("Ben"))), as: .anna
        ).formChange()
        #expect(
            device.refusal(.completeForm(target(1, form.cookie), at: nil), as: .anna)?.parameters["field"]
                == "at_revision")
        #expect(
            device.refusal(.completeForm(target(1, form.cookie), at: other.summary.revision), as: .anna)?.reason
                == .changedMeanwhile)
        try device.apply(.completeForm(target(1, form.cookie), at: change.summary.revision), as: .anna)
        #expect(device.reply(to: wait) != nil && device.state.presentations(visibleTo: .root).isEmpty)
        #expect(device.state.forms(visibleTo: .anna).map(\.draftID) == [0], "the other one stays")
    }

    @Test("another user's screen reaches only the draft that it shows, and can't begin another one (F-84)")
    func onOthersScreen() throws {
        var device = try device(.mara)
        _ = try device.begin("customer", label: "Secret", as: .anna)
        _ = try device.waitFor("insure", as: .anna)
        let form = try device.claim(1, as: .mara)
        _ = try device.apply(.openForm(target(0, form.cookie)), as: .mara)
        #expect(device.state.forms(visibleTo: .mara).map(\.draftID) == [0])
        for command: Command in [
            .openForm(target(1, form.cookie)), .editForm(target(1, form.cookie), at: nil, .reset),
            .labelDraft(target(1, form.cookie), label: ""), .discardForm(target(1, form.cookie)),
        ] {
            #expect(device.refusal(command, as: .mara)?.parameters["what"] == "draft-number")
        }
        let begins = Command.openForm(target(0, form.cookie), beginsAnother: true)
        #expect(device.refusal(begins, as: .mara)?.reason == .notPermitted)
    }
}

extension Device {
    fileprivate mutating func begin(_ name: String, label: String = "", as peer: Peer) throws -> FormSummary {
        try apply(.openForm(FormTarget(name: name), beginsAnother: true, label: label), as: peer).formChange().summary
    }
}
