import CommandSupport
import GateModel
import Testing

@testable import GateCore

/// Suggestions that are being fetched, or wait (F-75, F-76).
@Suite("Pending suggestions")
struct PendingSuggestionTests {
    private var device: Device

    /// Anna has an open profile, and `shop` is another program of hers.
    init() throws {
        device = try Device.asking()
        try device.openForm("profile", as: .anna)
        try device.set("profile", "street", .string("Lane"), as: .anna)
    }

    private static let shop = Peer.annasOther
    private static let target = FormTarget(name: "profile")

    private var pending: [String] {
        let summary = device.state.forms(visibleTo: .anna).first { $0.name == "profile" }
        return summary.map { device.state.pendingSuggestions(for: $0) }?.map { suggestion in
            "\(suggestion.path): "
                + (suggestion.isBeingFetched
                    ? "fetched" : suggestion.answers.map(\.displayText).joined(separator: ", "))
        } ?? []
    }

    private var revision: UInt64 { device.revision("profile", of: .anna) ?? 0 }

    @discardableResult
    private mutating func announce(
        _ path: String, for seconds: Int = 10, at revision: UInt64? = nil, as peer: Peer = shop
    ) throws -> Transition {
        try device.apply(
            .announceSuggestion(Self.target, at: revision, .at(path), for: .seconds(seconds)), as: peer)
    }

    @discardableResult
    private mutating func suggest(_ path: String, _ texts: String..., at revision: UInt64? = nil) throws -> FormChange {
        let edit = FormEdit.suggest(try .at(path), texts.map { .string($0) }, attachments: [:])
        return try device.apply(.editForm(Self.target, at: revision, edit), as: Self.shop).formChange()
    }

    private mutating func set(_ path: String, _ texts: String..., at revision: UInt64? = nil) throws {
        let edit = FormEdit.set(try .at(path), texts.map { .string($0) }, attachments: [:])
        try device.apply(.editForm(Self.target, at: revision, edit), as: .anna)
    }

    private mutating func edit(_ edit: FormEdit) throws {
        try device.apply(.editForm(Self.target, at: nil, edit), as: .anna)
    }

    private func values(_ path: String) throws -> [FormValue] { try device.values("profile", path, of: .anna) ?? [] }

    // MARK: - While it is being fetched

    @Test("an announced value appears as being fetched, and disappears at its deadline (F-76)")
    mutating func deadline() throws {
        let before = revision
        let change = try announce("name").formChange()
        #expect(!change.isChanged && change.summary.revision > before)
        try announce("house", for: 20)
        #expect(pending == ["name: fetched", "house: fetched"])
        let told = try #require(device.state.forms(visibleTo: .anna).first)
        #expect(device.state.pendingSuggestions(for: told).first?.deadline == device.state.nextDeadline)
        let announced = revision
        device.now = device.now.advanced(by: .seconds(10))
        try device.apply(.deadlineReached, as: .daemon)
        #expect(pending == ["house: fetched"] && revision > announced, "anyone who shows it reads it anew")
        device.now = device.now.advanced(by: .seconds(10))
        try device.apply(.deadlineReached, as: .daemon)
        #expect(pending.isEmpty && device.state.nextDeadline == nil)
        device.checkForms()
    }

    @Test("a fetched value fills an empty question or waits as a suggestion; an empty result removes the announcement")
    mutating func answers() throws {
        try announce("name")
        #expect(try suggest("name", "Lina").isChanged)
        #expect(try pending.isEmpty && values("name") == [.string("Lina")])
        try announce("name")
        #expect(try !suggest("name", "Otto").isChanged)
        #expect(try pending == ["name: Otto"] && values("name") == [.string("Lina")])
        try announce("name")
        #expect(pending == ["name: fetched"])
        try suggest("name", "Lina")
        #expect(pending.isEmpty, "there is nothing to take")
        try announce("name")
        try suggest("name")
        #expect(pending.isEmpty, "nothing was found")
    }

    @Test("an announcement ends with its connection, a change of what it depends on, its draft, or a restart")
    mutating func ends() throws {
        try announce("name", as: Self.shop)
        try announce("house", as: .anna)
        #expect(device.state.connections.isSuperset(of: [Self.shop.connection, Peer.anna.connection]))
        try device.apply(.peerDisconnected, as: Self.shop)
        #expect(pending == ["house: fetched"])
        try set("street", "Road")
        #expect(pending.isEmpty)
        for edit in [FormEdit.reset, .fill(QuestionnaireResponse(status: .inProgress), attachments: [:])] {
            try announce("name")
            try self.edit(edit)
            #expect(pending.isEmpty)
        }
        try announce("name")
        try device.apply(.discardForm(Self.target), as: .anna)
        try device.openForm("profile", as: .anna)
        #expect(pending.isEmpty)
        try announce("name")
        try device.apply(.start, as: .daemon)
        #expect(pending.isEmpty && device.state.nextDeadline == nil)
    }

    @Test("only questions that could be answered can be announced")
    mutating func refusals() throws {
        func reason(_ path: String, at revision: UInt64? = nil) throws -> GateError.Reason? {
            let path = try FormPath.at(path)
            return device.refusal(
                .announceSuggestion(Self.target, at: revision, path, for: .seconds(1)), as: Self.shop)?.reason
        }
        #expect(try reason("pet") == .notAnswerable && reason("rocket") == .unknown)
        #expect(try reason("friend[1]/friend-name") == .unknown && reason("friend") == .badAnswer)
        try set("street")
        #expect(try reason("house") == .notAnswerable, "its parent is not answered")
        #expect(try reason("name", at: 1) == .changedMeanwhile)
    }

    // MARK: - While it waits

    @Test("a suggestion stays beside a person's entry until the person takes it (F-75)")
    mutating func taking() throws {
        try set("name", "Lina")
        let entered = revision
        #expect(try !suggest("name", "Otto").isChanged)
        #expect(try pending == ["name: Otto"] && values("name") == [.string("Lina")] && revision > entered)
        try suggest("name", "Ida")
        #expect(pending == ["name: Ida"], "the newest takes its place")
        try set("name", "Eva")
        #expect(pending == ["name: Ida"], "another entry leaves it there")
        try set("name", "Ida")
        #expect(try pending.isEmpty && values("name") == [.string("Ida")])
        device.checkForms()
    }

    @Test(
        "a suggestion that fills a field while somebody types into it waits beside the entry, and may be taken (F-75)")
    mutating func whileTyping() throws {
        let begun = revision
        #expect(try suggest("name", "Otto").isChanged)
        try set("name", "Lina", at: begun)
        #expect(try values("name") == [.string("Lina")] && pending == ["name: Otto"])
        try set("name", "Otto")
        #expect(pending.isEmpty)
        try set("name", "Eva")
        #expect(pending == ["name: Otto"], "it may be taken again")
        try set("name")
        #expect(try values("name") == [.string("Otto")] && pending.isEmpty)
        try set("name")
        #expect(try values("name").isEmpty && pending.isEmpty)
    }

    @Test("clearing a field takes the suggestion that waits for it, and clearing again empties it")
    mutating func leftEmpty() throws {
        try set("name", "Lina")
        try suggest("name", "Otto")
        try set("name")
        #expect(try pending.isEmpty && values("name") == [.string("Otto")])
        try set("name")
        #expect(try values("name").isEmpty)
    }

    @Test("a suggestion is dropped when an answer that it depends on changes, or its question is no longer asked")
    mutating func parents() throws {
        try set("house", "7")
        try suggest("house", "8")
        try set("name", "Lina")
        #expect(pending == ["house: 8"], "nothing hangs on that")
        try set("street", "Road")
        #expect(pending.isEmpty)
        try edit(.set(.at("has-pet"), [.boolean(true)], attachments: [:]))
        try set("pet", "Rex")
        try suggest("pet", "Bello")
        #expect(pending == ["pet: Bello"])
        try edit(.set(.at("has-pet"), [.boolean(false)], attachments: [:]))
        #expect(pending.isEmpty)
    }

    @Test("a suggestion moves with its group, and is removed with it")
    mutating func groups() throws {
        for (index, name) in ["Uli", "Eva", "Ben"].enumerated() {
            try set("friend[\(index)]/friend-name", name)
            try suggest("friend[\(index)]/friend-name", "\(name)!")
        }
        try announce("name")
        try edit(.remove(.at("friend[1]")))
        #expect(pending == ["name: fetched", "friend[0]/friend-name: Uli!", "friend[1]/friend-name: Ben!"])
        try edit(.remove(.at("friend[0]")))
        #expect(pending == ["name: fetched", "friend[0]/friend-name: Ben!"])
        try edit(.remove(.at("friend[0]")))
        #expect(pending == ["name: fetched"], "the last one was emptied")
    }

    @Test("a document is not kept as a suggestion, and an invalid answer is refused")
    mutating func dropped() throws {
        let bytes: [UInt8] = [7]
        func document(_ bytes: [UInt8]) throws -> FormEdit {
            .set(try .at("portrait"), [try .document(bytes)], attachments: [try .of(bytes): bytes])
        }
        try edit(document(bytes))
        let other = FormEdit.suggest(try .at("portrait"), [try .document([8])], attachments: [try .of([8]): [8]])
        try device.apply(.editForm(Self.target, at: nil, other), as: Self.shop)
        #expect(pending.isEmpty)
        try set("name", "Lina")
        let wrong = FormEdit.suggest(try .at("name"), [.integer(1)], attachments: [:])
        #expect(device.refusal(.editForm(Self.target, at: nil, wrong), as: Self.shop)?.reason == .badAnswer)
        device.checkForms()
    }

    @Test("suggestions never refuse an entry or a completion, and their size is limited")
    mutating func undisturbed() throws {
        try set("name", "Lina")
        let read = revision
        try suggest("name", "Otto")
        try announce("house")
        try set("street", "Road", at: read)
        let shown = revision
        try suggest("street", "Lane")
        try suggest("street", "Alley")
        device.now = device.now.advanced(by: .seconds(60))
        try device.apply(.completeForm(Self.target, at: shown), as: .anna)
        #expect(device.state.responses(visibleTo: .anna).count == 1)

        try device.openForm("profile", as: .anna)
        try set("name", "Lina")
        let long = String(repeating: "a", count: 300 << 10)
        #expect(throws: GateError.self) { try suggest("name", long) }
        #expect(pending.isEmpty)
        for index in 0..<Limits.pendingSuggestionsOfDraft {
            try set("friend[\(index)]/friend-name", "\(index)")
            try suggest("friend[\(index)]/friend-name", "x")
        }
        let path = try FormPath.at("name")
        let refusal = device.refusal(
            .announceSuggestion(Self.target, at: nil, path, for: .seconds(1)), as: Self.shop)
        #expect(refusal?.reason == .limit && refusal?.parameters["what"] == "pending-suggestions")
    }

    @Test("a changed form drops its announcements")
    mutating func reformed() throws {
        try announce("name")
        var other = Questionnaire.profile
        other.version = "3"
        try device.apply(.configure(Configuration.asking.with(other), detail: ""), as: .daemon)
        #expect(pending.isEmpty)
        device.checkForms()
    }
}
