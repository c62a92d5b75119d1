import CommandSupport
import GateModel
import Testing

@testable import GateCore

extension AttachmentDigest {
    /// Stands in for the digest of these bytes: the core takes digests as they come.
    static func of(_ bytes: [UInt8]) throws -> AttachmentDigest {
        let sum = bytes.reduce(0) { ($0 &* 31) &+ UInt64($1) &+ 1 }
        return try #require(
            AttachmentDigest(bytes: (0..<32).map { UInt8(truncatingIfNeeded: sum >> (8 * ($0 % 8))) }))
    }
}

extension FormValue {
    static func document(_ bytes: [UInt8], says byteCount: Int? = nil) throws -> FormValue {
        .attachment(
            FormAttachment(mediaType: "image/png", byteCount: byteCount ?? bytes.count, digest: try .of(bytes)))
    }
}

extension Device {
    /// Answers with one document, whose bytes are brought along.
    @discardableResult
    mutating func attach(
        _ name: String, _ path: String, _ bytes: [UInt8], says byteCount: Int? = nil,
        _ cookie: PresentationCookie? = nil,
        as peer: Peer
    ) throws -> Transition {
        try apply(.attaching(name, path, bytes, says: byteCount, cookie), as: peer)
    }

    var documents: [AttachmentDigest: Int] { state.records.attachments }
}

extension Command {
    static func attaching(
        _ name: String, _ path: String, _ bytes: [UInt8]..., says byteCount: Int? = nil,
        _ cookie: PresentationCookie? = nil,
        isBrought: Bool = true
    ) throws -> Command {
        let values = try bytes.map { try FormValue.document($0, says: byteCount) }
        let brought = try bytes.map { (try AttachmentDigest.of($0), $0) }
        return .editForm(
            FormTarget(name: name, cookie: cookie), at: nil,
            .set(
                try .at(path), values,
                attachments: isBrought ? Dictionary(brought, uniquingKeysWith: { first, _ in first }) : [:]))
    }
}

@Suite("Documents that answers name")
struct FormAttachmentsTests {
    private let picture: [UInt8] = [1, 2, 3]

    private func reports(_ peers: Peer...) throws -> Device {
        var device = try Device.asking()
        for peer in peers {
            try device.openForm("report", as: peer)
            try device.openForm("profile", as: peer)
        }
        return device
    }

    private func stored(_ transition: Transition) -> [[UInt8]] {
        transition.records.compactMap { if case .forms(.attachmentStored(_, let bytes)) = $0 { bytes } else { nil } }
    }

    @Test("a document is stored once, however many answers name it")
    func once() throws {
        var device = try reports(.anna, .ben)
        let first = try device.attach("report", "papers", picture, as: .anna)
        #expect(try stored(first) == [picture] && device.documents == [.of(picture): 3])
        let second = try device.attach("profile", "portrait", picture, as: .anna)
        let third = try device.attach("report", "papers", picture, as: .ben)
        #expect(stored(second).isEmpty && stored(third).isEmpty && third.isChange)
        #expect(try device.documents == [.of(picture): 3])
        device.checkForms()
    }

    @Test("a document that no answer names is not stored, nor is one whose answer is refused")
    func unnamed() throws {
        var device = try reports(.anna)
        let extra = FormEdit.set(
            try .at("papers"), [try .document(picture)], attachments: [try .of(picture): picture, try .of([9]): [9]])
        #expect(try stored(device.apply(.editForm(FormTarget(name: "report"), at: nil, extra), as: .anna)) == [picture])
        let tooLarge = try Command.attaching("report", "ticket", [1, 2, 3, 4, 5])
        #expect(device.refusal(tooLarge, as: .anna)?.reason == .badAnswer)
        let suggested = FormEdit.suggest(try .at("papers"), [try .document([7])], attachments: [try .of([7]): [7]])
        let kept = try device.apply(.editForm(FormTarget(name: "report"), at: nil, suggested), as: .anna)
        #expect(try !kept.formChange().isChanged && stored(kept).isEmpty)
        device.checkForms()
    }

    @Test("a document has the size that it has, whatever the answer says of it")
    func measured() throws {
        var device = try reports(.anna)
        try device.attach("report", "ticket", [1, 2, 3, 4], says: 1, as: .anna)
        let values = try device.values("report", "ticket", of: .anna)
        #expect(try values == [.document([1, 2, 3, 4])])
        #expect(
            try device.refusal(.attaching("report", "ticket", [1, 2, 3, 4, 5], says: 1), as: .anna)?.reason
                == .badAnswer)
        // The document is named again without its bytes and keeps its size, also within a whole response.
        try device.apply(.attaching("report", "papers", [1, 2, 3, 4], says: 0, isBrought: false), as: .anna)
        #expect(try device.values("report", "papers", of: .anna) == [.document([1, 2, 3, 4])])
        let response = QuestionnaireResponse(
            questionnaire: Questionnaire.report.canonical, status: .inProgress,
            items: [
                .answer("papers", try .document([8, 8], says: 1)),
                .answer("ticket", try .document([1, 2, 3, 4], says: 9)),
            ])
        let fill = FormEdit.fill(response, attachments: [try .of([8, 8]): [8, 8]])
        try device.apply(.editForm(FormTarget(name: "report"), at: nil, fill), as: .anna)
        #expect(try device.values("report", "papers", of: .anna) == [.document([8, 8])])
        #expect(try device.values("report", "ticket", of: .anna) == [.document([1, 2, 3, 4])])
        device.checkForms()
    }

    @Test("naming somebody else's document neither gives access to it nor shows that it exists")
    func others() throws {
        var device = try reports(.anna, .ben, .root)
        try device.attach("report", "papers", [1, 2, 3, 4, 5, 6], as: .anna)
        for peer in [Peer.ben, .root] {
            for question in ["papers", "ticket"] {
                let command = try Command.attaching("report", question, [1, 2, 3, 4, 5, 6], isBrought: false)
                let there = device.refusal(command, as: peer)
                let absent = device.refusal(
                    try .attaching("report", question, [6, 5, 4, 3, 2, 1], isBrought: false), as: peer)
                #expect(there?.code == .notFound, "\(question)")
                #expect(there == absent, "that somebody has it shows by another refusal, at \(question)")
            }
        }
        #expect(try device.state.mayRead(.of([1, 2, 3, 4, 5, 6]), .anna))
        #expect(
            try !device.state.mayRead(.of([1, 2, 3, 4, 5, 6]), .ben)
                && device.state.mayRead(.of([1, 2, 3, 4, 5, 6]), .root))
        // A peer that has the bytes may use the document.
        try device.attach("report", "papers", [1, 2, 3, 4, 5, 6], as: .ben)
        #expect(try device.state.mayRead(.of([1, 2, 3, 4, 5, 6]), .ben))
        #expect(try !device.state.mayRead(.of([5]), .root), "what is not there nobody reads")
    }

    @Test("a document that one of the holder's drafts or responses named can be named again without its bytes")
    func namedBefore() throws {
        var device = try reports(.anna)
        try device.attach("report", "papers", picture, as: .anna)
        try device.apply(.attaching("profile", "portrait", picture, isBrought: false), as: .anna)
        try device.set("report", "papers", as: .anna)
        try device.set("profile", "name", .string("Lina"), as: .anna)
        try device.complete("profile", as: .anna)
        try device.apply(.attaching("report", "papers", picture, isBrought: false), as: .anna)
        #expect(device.documents.count == 1)
        // The document is used again together with the response that named it.
        try device.apply(.loadForm(FormTarget(name: "profile"), at: nil, response: nil), as: .anna)
        #expect(try device.values("profile", "portrait", of: .anna) == [.document(picture)])
        device.checkForms()
    }

    @Test("a document is removed with the last answer that names it")
    func released() throws {
        var device = try reports(.anna, .ben)
        try device.attach("report", "papers", picture, as: .anna)
        try device.attach("report", "papers", picture, as: .ben)
        let replaced = try device.attach("report", "papers", [4], as: .anna)
        #expect(try device.documents.count == 2 && !replaced.records.contains(.forms(.attachmentRemoved(.of(picture)))))
        let cleared = try device.apply(.discardForm(FormTarget(name: "report")), as: .ben)
        #expect(try cleared.records.contains(.forms(.attachmentRemoved(.of(picture)))))
        #expect(try device.documents == [.of([4]): 1])
        // A document that is moved within one form stays.
        try device.apply(.attaching("report", "ticket", [4], isBrought: false), as: .anna)
        try device.set("report", "papers", as: .anna)
        #expect(device.documents.count == 1)
        try device.apply(.editForm(FormTarget(name: "report"), at: nil, .reset), as: .anna)
        #expect(device.documents.isEmpty)
        device.checkForms()
    }

    @Test("saved and completed responses hold their documents; what is not enabled is not in them")
    func responses() throws {
        var device = try reports(.anna)
        try device.set("profile", "name", .string("Lina"), as: .anna)
        try device.set("profile", "has-pet", .boolean(true), as: .anna)
        try device.attach("profile", "portrait", picture, as: .anna)
        try device.attach("profile", "picture-of-pet", [7, 7], as: .anna)
        let saved = try device.save("profile", as: .anna)
        try device.set("profile", "has-pet", .boolean(false), as: .anna)
        let completed = try device.complete("profile", as: .anna)
        #expect(device.documents.count == 2, "what was saved names both")
        try device.apply(.withdrawResponse(saved), as: .anna)
        #expect(try device.documents == [.of(picture): 3])
        try device.apply(.withdrawResponse(completed), as: .anna)
        #expect(device.documents.count == 1, "it stays, marked")
        try device.apply(.withdrawResponse(completed), as: .root)
        #expect(device.documents.isEmpty)
        device.checkForms()
    }

    @Test("a document is removed when a reload drops the last answer that names it")
    func reloaded() throws {
        var device = try reports(.anna)
        try device.attach("report", "papers", picture, as: .anna)
        var changed = Questionnaire.report
        changed.items.removeFirst()
        try device.apply(.configure(Configuration.asking.with(changed), detail: "r"), as: .daemon)
        #expect(device.documents.isEmpty)
        device.checkForms()
    }

    // MARK: - Limits

    /// This many documents of the largest size, all of them different.
    private func large(_ seed: UInt8, count: Int = FormAttachment.maximumByteCount) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        bytes[0] = seed
        return bytes
    }

    @Test("documents have a maximum size, and there is a limit for all of one holder and for all together")
    func limits() throws {
        var device = try Device.asking()
        let huge = large(0, count: FormAttachment.maximumByteCount + 1)
        try device.openForm("report", as: .anna)
        let refused = try device.refusal(.attaching("report", "papers", huge), as: .anna)
        #expect(refused?.code == .resourceExhausted || refused?.reason == .badAnswer)
        let perHolder = Limits.attachmentByteCountOfHolder / FormAttachment.maximumByteCount
        for user in 0..<UInt8(Limits.attachmentByteCountOfAll / Limits.attachmentByteCountOfHolder) {
            let peer = Peer(connection: 100 + UInt64(user), uid: 5000 + UInt32(user), pid: 1, roles: .app)
            for number in 0..<UInt8(perHolder) {
                try device.keep(large(user * 16 + number + 1), as: peer)
            }
            let refusal = device.refusalOfKeeping(large(user * 16 + 15), as: peer)
            #expect(refusal?.code == .resourceExhausted && refusal?.reason == .limit)
        }
        device.checkForms()
        // The room left in all is less than a new user's share.
        let room = Limits.attachmentByteCountOfAll - device.documents.values.reduce(0, +)
        var left = room
        var newcomer = Peer(connection: 200, uid: 6000, pid: 1, roles: .app)
        var seed: UInt8 = 200
        while left >= FormAttachment.maximumByteCount {
            try device.keep(large(seed), as: newcomer)
            (seed, left) = (seed + 1, left - FormAttachment.maximumByteCount)
            newcomer = Peer(connection: newcomer.connection + 1, uid: newcomer.uid + 1, pid: 1, roles: .app)
        }
        #expect(device.refusalOfKeeping(large(250), as: newcomer)?.reason == .limit)
        try device.keep(large(251, count: left), as: newcomer)
        #expect(device.refusalOfKeeping(large(252, count: 1), as: newcomer)?.reason == .limit)
    }

    @Test("replacing a document needs no more room than the new one takes")
    func replacing() throws {
        var device = try Device.asking()
        for number in 0..<UInt8(Limits.attachmentByteCountOfHolder / FormAttachment.maximumByteCount) {
            try device.keep(large(number + 1), as: .anna)
        }
        try device.keep(large(100, count: 1 << 20), as: .anna)
        try device.openForm("report", as: .anna)
        try device.apply(.attaching("report", "papers", large(100, count: 1 << 20), isBrought: false), as: .anna)
        #expect(device.documents.values.reduce(0, +) == Limits.attachmentByteCountOfHolder)
        for id in device.state.responses(visibleTo: .anna).map(\.id).suffix(1) {
            try device.apply(.withdrawResponse(id), as: .anna)
        }
        #expect(try device.refusal(.attaching("report", "papers", large(101, count: 1 << 20)), as: .anna) == nil)
    }

    @Test("a document counts for each holder that keeps it")
    func counted() throws {
        var device = try Device.asking()
        for number in 0..<UInt8(Limits.attachmentByteCountOfHolder / FormAttachment.maximumByteCount) {
            try device.keep(large(number + 1), as: .anna)
        }
        try device.keep(large(99), as: .ben)
        #expect(device.refusalOfKeeping(large(99), as: .anna)?.reason == .limit, "though it is stored already")
    }
}

extension Device {
    /// Keeps a document in a saved response.
    fileprivate mutating func keep(_ bytes: [UInt8], as peer: Peer) throws {
        try openForm("report", as: peer)
        try attach("report", "papers", bytes, as: peer)
        try save("report", as: peer)
        try apply(.discardForm(FormTarget(name: "report")), as: peer)
    }

    fileprivate func refusalOfKeeping(_ bytes: [UInt8], as peer: Peer) -> GateError? {
        var copy = self
        do {
            try copy.keep(bytes, as: peer)
            return nil
        } catch {
            return error as? GateError
        }
    }
}
