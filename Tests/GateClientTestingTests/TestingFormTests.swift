import GateClient
import GateClientTesting
import Testing

/// Forms and what is new, as an app's author tries them: the library, the wire and the rules.
@Suite("Forms in the tests of apps")
struct TestingFormTests {
    private static let policy = """
        mode: {challenge: arithmetic-choice}
        gated-actions:
          link.open: {title: Open a web page, requires: {challenge: arithmetic-choice}}
          chat.open: {title: Chat, requires: {form: pets}}
        """

    private static let files = [
        "questionnaires.d/pets.yaml": """
        resourceType: Questionnaire
        id: pets
        title: Pets
        version: "1"
        status: active
        item:
          - {linkId: has-pet, type: boolean, text: Do you have one, required: true}
          - {linkId: name, type: string, text: Its name, enableWhen: [{question: has-pet, operator: "=", answerBoolean: true}]}
          - {linkId: picture, type: attachment, text: A picture}
        """,
        "release-notes.d/org.example.draw.yaml": """
        app: org.example.draw
        versions:
          1.2.0:
            title: New
            features: [{title: Layers}]
            secondary: {title: More, url: "https://example.org/new"}
        """,
    ]

    @Test(
        "a form can have several labelled drafts at once, and one may begin with an earlier response (F-84, F-74)"
    )
    func manyDrafts() async throws {
        try await TestingDevice.with(policy: Self.policy, files: Self.files) { device in
            let (gate, other) = (device.client(), device.client())
            let first = try await gate.forms.open("pets")
            let second = try await gate.forms.begin("pets", label: "Rex")
            #expect(first.draftID == 0 && second.draftID == 1 && second.label == "Rex")
            try await second.set("has-pet", to: true)
            try await second.set("name", to: "Rex")
            try await first.set("has-pet", to: false)
            let same = try await other.forms.open("pets", draft: 1)
            #expect(try same.value(at: "name", as: String.self) == "Rex" && same.label == "Rex")
            try await same.setLabel("Rex the dog")
            #expect(same.label == "Rex the dog" && same.revision == second.revision)
            let listed = try await gate.forms.drafts(of: "pets")
            #expect(listed.map(\.draftID) == [0, 1] && listed.map(\.label) == ["", "Rex the dog"])
            #expect(try await gate.forms.drafts(of: "none").isEmpty)

            var updates = first.updates.makeAsyncIterator()
            _ = await updates.next()
            let kept = try await second.complete()
            #expect(try await gate.forms.response(kept.id).summary.label == "Rex the dog")
            try await first.set("has-pet", to: true)
            #expect(await updates.next() != nil, "the other one is still watched")

            // The beginnings to choose from: an earlier response, and an open draft.
            let (ways, holder) = try await gate.forms.beginnings(with: "pets", of: first.holder)
            #expect(holder == first.holder && ways.usual == 1 && ways.isChoice)
            try #require(ways.all.count == 3)
            let again = try await gate.forms.open("pets", ways.all[2])
            #expect(again.draftID == 2)
            #expect(try again.value(at: "name", as: String.self) == "Rex")
            #expect(try await gate.forms.open("pets", ways.all[1]).draftID == 0)
            #expect(try await gate.forms.open("pets", ways.all[0]).draftID == 3)
            await #expect(throws: GateError.self) { try await gate.forms.open("pets", draft: 9) }
            await #expect(throws: GateError.self) { try await gate.forms.begin("pets", label: "two\nlines") }
        }
    }

    @Test("two apps work on one draft, skip disabled questions, and the completed form opens the gate (F-44)")
    func form() async throws {
        try await TestingDevice.with(policy: Self.policy, files: Self.files) { device in
            let (gate, other) = (device.client(), device.client())
            #expect(try await gate.authorization.check("chat.open").outcome == .personNeeded)
            let form = try await gate.forms.open("pets")
            #expect(form.next(after: nil) == "has-pet" && form.next(after: "has-pet") == "picture")
            try await form.set("has-pet", to: true)
            #expect(form.next(after: "has-pet") == "name")

            let same = try await other.forms.open("pets")
            try await same.set("name", to: "Rex")
            #expect(same.revision == form.revision + 1)
            try await form.refresh()
            #expect(try form.value(at: "name", as: String.self) == "Rex")
            var changes = gate.formUpdates.makeAsyncIterator()
            #expect(await changes.next()?.map(\.revision) == [form.revision])

            let picture = (0..<120_000).map { UInt8(truncatingIfNeeded: $0) }
            try await form.attach("picture", bytes: picture, mediaType: "image/png", title: "Rex.png")
            let answer = try #require(form.values(at: "picture").first)
            guard case .attachment(let attachment) = answer else {
                Issue.record("\(answer) is no document")
                return
            }
            #expect(attachment.byteCount == picture.count)
            #expect(try await gate.forms.download(attachment.digest) == picture)

            let id = try await form.complete().id
            #expect(try await other.forms.response(id).response.status == .completed)
            #expect(try await gate.authorization.check("chat.open").outcome == .granted)
            try await gate.forms.withdrawResponse(id)
            #expect(try await gate.authorization.check("chat.open").outcome == .personNeeded)
        }
    }

    @Test("news are shown once; the second button's link is opened only if the gate grants it (F-57, F-58)")
    func whatsNew() async throws {
        try await TestingDevice.with(policy: Self.policy, files: Self.files) { device in
            let gate = device.client()
            let version = AppVersion(1, 2, 4)
            #expect(try await gate.releaseNotes.unseen(app: "org.example.draw", version: version)?.entry.title == "New")
            #expect(try await gate.showWhatsNew(app: "org.example.draw", version: version) == .shown)
            #expect(try await gate.showWhatsNew(app: "org.example.draw", version: version) == .nothingNew)
            #expect(try await gate.releaseNotes.reset().entryCount == 1)

            var opened: [String] = []
            let outcome = try await gate.showWhatsNew(
                app: "org.example.draw", version: version,
                presenting: { shown in
                    if case .whatsNew = shown.content { return .answer(.acknowledged(.secondary)) }
                    return .dismiss
                }, opening: { opened.append($0) })
            #expect(outcome == .secondaryChosen && opened == ["https://example.org/new"])
            #expect(try await gate.releaseNotes.unseen(app: "org.example.draw", version: version) == nil)
        }
    }
}
