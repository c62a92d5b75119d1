import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Answers that forms share by the definition of their items (F-72, F-73)")
struct PartsTests {
    private static let person = "https://gate.example/parts/person"
    private static let address = "https://gate.example/parts/address"
    private static let given = "https://gate.example/parts/person#person.given"
    private static let photo = "https://gate.example/parts/photo"

    /// A form with a person, who has an address, and with drivers, who are people too.
    private static let order = Questionnaire.life(
        "order", version: "1",
        [
            .group(
                "holder",
                [
                    .question("family", .string), .question("first", .string) { $0.definition = given },
                    .question("number", .string) {
                        $0.isReadOnly = true
                        $0.initial = [.string("A-1")]
                    },
                    .group(
                        "home",
                        [.question("country", .string), .question("city", .string) { $0.parents = ["country"] }]
                    ) { $0.definition = address },
                ]
            ) { $0.definition = person },
            .question("station", .string) { $0.parents = ["city"] },
            .group(
                "driver", [.question("family-name", .string), .question("called", .string) { $0.definition = given }]
            ) {
                $0.repeats = true
                $0.definition = person
                $0.constraints.maximumOccurs = 3
            },
            .question("photo", .attachment) { $0.definition = photo },
        ])

    /// Another form that asks for a person and an address, in other words.
    private static let club = Questionnaire.life(
        "club", version: "1",
        [
            .group(
                "member",
                [
                    .question("name", .string) { $0.definition = given }, .question("family", .string),
                    .question("age", .integer),
                    .group("where", [.question("country", .string), .question("city", .integer)]) {
                        $0.definition = address
                    },
                ]
            ) { $0.definition = person },
            .question("nickname", .string) {
                $0.definition = given
                $0.repeats = true
            },
            .question("plain", .string),
            .question("portrait", .attachment) { $0.definition = photo },
        ])

    private func device() throws -> Device {
        var configuration = Configuration.asking.with(Self.order).with(Self.club)
        configuration.gatedActions["insure"] = GatedAction(title: "Insure", requirement: .form("order"))
        var device = Device(configuration: configuration)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)
        return device
    }

    /// Anna with her address.
    private func fill(_ device: inout Device, as peer: Peer) throws {
        try device.openForm("order", as: peer)
        try device.set("order", "family", .string("Schmidt"), as: peer)
        try device.set("order", "first", .string("Anna"), as: peer)
        try device.set("order", "country", .string("DE"), as: peer)
        try device.set("order", "city", .string("Bonn"), as: peer)
    }

    private func take(
        _ device: inout Device, _ name: String, _ path: String, _ parts: UInt64..., as peer: Peer
    ) throws -> FormChange {
        try device.apply(
            .editForm(FormTarget(name: name), at: nil, .take(try .at(path), parts: parts)), as: peer
        ).formChange()
    }

    private func savePart(
        _ device: inout Device, _ path: String, over id: UInt64? = nil, label: String = "", as peer: Peer
    ) throws -> UInt64 {
        let reply = try device.apply(
            .savePart(FormTarget(name: "order"), try .at(path), over: id, label: label), as: peer
        ).reply
        guard case .keptPart(let kept) = reply else { throw UnexpectedReply(reply: reply) }
        return kept
    }

    private func labels(_ device: Device, _ definition: String, as peer: Peer) -> [String] {
        device.state.parts(visibleTo: peer).filter { $0.definition == definition }.map(\.label)
    }

    @Test("F-72: a person and an address from a completed form are offered to every form that asks for one")
    func keptByCompletion() throws {
        var device = try device()
        try fill(&device, as: .anna)
        try device.complete("order", as: .anna)
        #expect(labels(device, Self.person, as: .anna) == ["Schmidt, Anna, A-1"])
        #expect(labels(device, Self.address, as: .anna) == ["DE, Bonn"])
        #expect(device.state.parts(visibleTo: .anna).allSatisfy { !$0.isNamed })
        let parts = device.state.parts(visibleTo: .anna)
        let person = try #require(parts.first { $0.definition == Self.person })
        try device.openForm("club", as: .anna)
        let change = try take(&device, "club", "member", person.id, as: .anna)
        // Items are matched by definition first, then by linkId. The number is not asked for here, and no city is a
        // number.
        #expect(try device.values("club", "name", of: .anna) == [.string("Anna")])
        #expect(try device.values("club", "family", of: .anna) == [.string("Schmidt")])
        #expect(try device.values("club", "country", of: .anna) == [.string("DE")])
        #expect(try device.values("club", "city", of: .anna) == [])
        #expect(change.cleared.map(\.description) == ["number", "city"])
        device.checkForms()
    }

    @Test(
        "F-72: equal answers are kept once; fewer are not kept, and more replace an unnamed part")
    func once() throws {
        var device = try device()
        for _ in 0..<2 {
            try fill(&device, as: .anna)
            try device.complete("order", as: .anna)
        }
        #expect(device.state.parts(visibleTo: .anna).count == 2, "the person and the address")
        try device.openForm("club", as: .anna)
        try device.set("club", "name", .string("Anna"), as: .anna)
        try device.set("club", "country", .string("DE"), as: .anna)
        try device.complete("club", as: .anna)
        #expect(labels(device, Self.person, as: .anna) == ["Schmidt, Anna, A-1"])
        try device.openForm("order", as: .ben)
        try device.set("order", "country", .string("FR"), as: .ben)
        try device.complete("order", as: .ben)
        #expect(labels(device, Self.address, as: .ben) == ["FR"])
        try device.openForm("order", as: .ben)
        try device.set("order", "country", .string("FR"), as: .ben)
        try device.set("order", "city", .string("Lyon"), as: .ben)
        try device.complete("order", as: .ben)
        #expect(labels(device, Self.address, as: .ben) == ["FR, Lyon"])
        device.checkForms()
    }

    @Test("F-72: the holder of a part can save it, overwrite it, name it and remove it")
    func edited() throws {
        var device = try device()
        try fill(&device, as: .anna)
        let id = try savePart(&device, "holder", as: .anna)
        #expect(labels(device, Self.person, as: .anna) == ["Schmidt, Anna, A-1"])
        try device.set("order", "first", .string("Anne"), as: .anna)
        #expect(try savePart(&device, "holder", over: id, as: .anna) == id)
        #expect(
            labels(device, Self.person, as: .anna) == ["Schmidt, Anne, A-1"], "what the answers made, they make anew")
        try device.apply(.labelPart(id, label: "The boss"), as: .anna)
        try device.set("order", "first", .string("Anni"), as: .anna)
        _ = try savePart(&device, "holder", over: id, as: .anna)
        #expect(labels(device, Self.person, as: .anna) == ["The boss"], "what somebody gave stays")
        try device.apply(.labelPart(id, label: ""), as: .anna)
        #expect(labels(device, Self.person, as: .anna) == ["Schmidt, Anni, A-1"])
        #expect(device.refusal(.labelPart(id, label: "a\nb"), as: .anna)?.reason == .invalidRequest)
        let over = Command.savePart(FormTarget(name: "order"), try .at("home"), over: id, label: "")
        #expect(device.refusal(over, as: .anna)?.parameters["rule"] == "other-definition")
        try device.apply(.removePart(id), as: .anna)
        #expect(device.state.parts(visibleTo: .anna).isEmpty)
        #expect(device.refusal(.removePart(id), as: .anna)?.parameters == ["what": "part", "name": "\(id)"])
        #expect(try savePart(&device, "holder", as: .anna) == id + 1, "no number comes twice")
        device.checkForms()
    }

    @Test("F-73: taking several parts into a list makes a group of each, and the first one fills the empty group")
    func repeated() throws {
        var device = try device()
        try fill(&device, as: .anna)
        let anna = try savePart(&device, "holder", as: .anna)
        try device.set("order", "driver[0]/called", .string("Ben"), as: .anna)
        let ben = try savePart(&device, "driver[0]", as: .anna)
        try device.apply(.discardForm(FormTarget(name: "order")), as: .anna)
        try device.openForm("order", as: .anna)
        // An item called like the family name elsewhere is not the family name here.
        let change = try take(&device, "order", "driver", anna, ben, as: .anna)
        #expect(change.cleared.map(\.description) == ["family", "number", "home"])
        #expect(try device.values("order", "driver[0]/called", of: .anna) == [.string("Anna")])
        #expect(try device.values("order", "driver[1]/called", of: .anna) == [.string("Ben")])
        _ = try take(&device, "order", "driver[0]", ben, as: .anna)
        #expect(try device.values("order", "driver[0]/called", of: .anna) == [.string("Ben")])
        _ = try take(&device, "order", "driver", anna, as: .anna)
        #expect(try device.values("order", "driver[2]/called", of: .anna) == [.string("Anna")])
        let fourth = Command.editForm(FormTarget(name: "order"), at: nil, .take(try .at("driver"), parts: [anna]))
        let before = device.state
        #expect(device.refusal(fourth, as: .anna)?.reason == .badAnswer)
        #expect(device.state == before)
        device.checkForms()
    }

    @Test(
        "F-72: taking a part keeps read-only answers, clears dependent ones, and changes nothing the second time"
    )
    func rules() throws {
        var device = try device()
        try fill(&device, as: .anna)
        let bonn = try savePart(&device, "home", as: .anna)
        let anna = try savePart(&device, "holder", as: .anna)
        try device.set("order", "station", .string("Bonn-Mehlem"), as: .anna)
        #expect(try !take(&device, "order", "home", bonn, as: .anna).isChanged)
        #expect(try !take(&device, "order", "holder", anna, as: .anna).isChanged)
        #expect(try device.values("order", "number", of: .anna) == [.string("A-1")])
        try device.set("order", "city", .string("Mainz"), as: .anna)
        try device.set("order", "station", .string("Mainz Süd"), as: .anna)
        let change = try take(&device, "order", "home", bonn, as: .anna)
        #expect(change.isChanged && change.cleared.map(\.description) == ["station"])
        #expect(try device.values("order", "city", of: .anna) == [.string("Bonn")])
        device.checkForms()
    }

    @Test("F-72: taking a part replaces the answer of a question, or is added if it takes several")
    func questions() throws {
        var device = try device()
        try fill(&device, as: .anna)
        let name = try savePart(&device, "first", as: .anna)
        try device.openForm("club", as: .anna)
        try device.set("club", "nickname", .string("Anni"), as: .anna)
        _ = try take(&device, "club", "nickname", name, as: .anna)
        #expect(try device.values("club", "nickname", of: .anna) == [.string("Anni"), .string("Anna")])
        #expect(try !take(&device, "club", "nickname", name, as: .anna).isChanged)
        _ = try take(&device, "club", "name", name, as: .anna)
        #expect(try device.values("club", "name", of: .anna) == [.string("Anna")])
        device.checkForms()
    }

    @Test("F-72: a part that can't be made, or does not fit its place, is refused and changes nothing")
    func refusals() throws {
        var device = try device()
        try fill(&device, as: .anna)
        let home = try savePart(&device, "home", as: .anna)
        let other = try savePart(&device, "holder", as: .anna)
        try device.openForm("club", as: .anna)
        func rule(_ name: String, _ edit: FormEdit) -> String? {
            device.refusal(.editForm(FormTarget(name: name), at: nil, edit), as: .anna)?.parameters["rule"]
        }
        #expect(try rule("club", .take(.at("plain"), parts: [home])) == "no-definition")
        #expect(try rule("club", .take(.at("member"), parts: [home])) == "other-definition")
        #expect(try rule("club", .take(.at("member"), parts: [])) == "one-part")
        #expect(try rule("order", .take(.at("driver[0]"), parts: [])) == "one-part")
        let twice = Command.editForm(
            FormTarget(name: "order"), at: nil, .take(try .at("driver"), parts: [other, other]))
        #expect(device.refusal(twice, as: .anna)?.parameters["field"] == "part_ids")
        func saving(_ name: String, _ path: String) throws -> String? {
            let command = Command.savePart(FormTarget(name: name), try .at(path), over: nil, label: "")
            return device.refusal(command, as: .anna)?.parameters["rule"]
        }
        #expect(try saving("club", "plain") == "no-definition" && saving("club", "member") == "nothing-answered")
        let old = Command.editForm(FormTarget(name: "club"), at: 1, .take(try .at("where"), parts: [home]))
        #expect(device.refusal(old, as: .anna)?.reason == .changedMeanwhile)
    }

    @Test("F-72: nobody can read, take, name or remove another holder's parts; administrators see all")
    func others() throws {
        var device = try device()
        try fill(&device, as: .anna)
        let annas = try savePart(&device, "holder", as: .anna)
        try fill(&device, as: .ben)
        #expect(device.state.parts(visibleTo: .ben).isEmpty)
        #expect(device.state.parts(visibleTo: .root).map(\.id) == [annas])
        #expect(throws: GateError.noPart(annas)) { try device.state.part(annas, for: .ben) }
        #expect(try device.state.part(annas, for: .root).summary.holder == .anna)
        let target = FormTarget(name: "order")
        for command: Command in [
            .editForm(target, at: nil, .take(try .at("holder"), parts: [annas])), .labelPart(annas, label: "mine"),
            .removePart(annas), .savePart(target, try .at("holder"), over: annas, label: ""),
        ] {
            #expect(device.refusal(command, as: .ben) == .noPart(annas), "\(command)")
        }
        // Into their own draft administrators take only their own parts.
        try fill(&device, as: .root)
        let taking = Command.editForm(target, at: nil, .take(try .at("holder"), parts: [annas]))
        #expect(device.refusal(taking, as: .root) == .noPart(annas))
        try device.apply(.removePart(annas), as: .root)
        #expect(device.state.parts(visibleTo: .anna).isEmpty)
    }

    @Test("F-72: a document stays as long as a part names it, and its holder alone may read it")
    func documents() throws {
        var device = try device()
        let picture: [UInt8] = [1, 2, 3]
        let digest = try AttachmentDigest.of(picture)
        try device.openForm("order", as: .anna)
        try device.attach("order", "photo", picture, as: .anna)
        let photo = try savePart(&device, "photo", as: .anna)
        try device.apply(.discardForm(FormTarget(name: "order")), as: .anna)
        #expect(device.state.mayRead(digest, .anna) && !device.state.mayRead(digest, .ben))
        device.checkForms()
        try device.openForm("club", as: .anna)
        _ = try take(&device, "club", "portrait", photo, as: .anna)
        #expect(try device.values("club", "portrait", of: .anna) == [.document(picture)])
        try device.apply(.removePart(photo), as: .anna)
        device.checkForms()
        try device.apply(.discardForm(FormTarget(name: "club")), as: .anna)
        #expect(device.state.records.attachments.isEmpty)
        device.checkForms()
    }

    @Test("F-72: beyond the limit the oldest unnamed parts are removed, and named ones never")
    func room() throws {
        var device = try device()
        try device.openForm("order", as: .anna)
        for number in 0..<Limits.partsOfHolder {
            try device.set("order", "first", .string("Name \(number)"), as: .anna)
            if number == 0 {
                try device.complete("order", as: .anna)
                try device.openForm("order", as: .anna)
            } else if number > 1 {
                _ = try savePart(&device, "first", as: .anna)
            }
        }
        #expect(device.state.parts(visibleTo: .anna).count { !$0.isNamed } == 1, "the person")
        for _ in 0..<2 { _ = try savePart(&device, "first", as: .anna) }
        let parts = device.state.parts(visibleTo: .anna)
        #expect(parts.count == Limits.partsOfHolder && parts.allSatisfy(\.isNamed))
        let saving = Command.savePart(FormTarget(name: "order"), try .at("first"), over: nil, label: "")
        #expect(device.refusal(saving, as: .anna)?.parameters["what"] == "parts-of-holder")
        try device.complete("order", as: .anna)
        #expect(device.state.parts(visibleTo: .anna) == parts, "completing does not fail for it, and nothing goes")
        try fill(&device, as: .ben)
        _ = try savePart(&device, "first", as: .ben)
    }

    @Test("F-72: a part that is too large is not kept, and its form can still be completed")
    func tooLarge() throws {
        var device = try device()
        try device.openForm("order", as: .anna)
        try device.set("order", "first", .string(String(repeating: "x", count: Limits.partByteCount)), as: .anna)
        let saving = Command.savePart(FormTarget(name: "order"), try .at("first"), over: nil, label: "")
        #expect(device.refusal(saving, as: .anna)?.parameters["what"] == "part-bytes")
        try device.complete("order", as: .anna)
        #expect(device.state.parts(visibleTo: .anna).isEmpty)
    }

    @Test("F-72: a backup brings parts back, and numbers continue after the higher one")
    func restored() throws {
        var device = try device()
        try fill(&device, as: .anna)
        _ = try savePart(&device, "holder", as: .anna)
        let backup = device.stored
        _ = try savePart(&device, "home", as: .anna)
        let merged = RestoreRules(current: device.stored, now: WallTime(unixMilliseconds: 0)).merged(with: backup)
        #expect(merged.parts == backup.parts && merged.nextPart == 3)
    }

    @Test("F-72: parts go with an account, and nobody who gets its name has them")
    func removedAccount() throws {
        var device = try device()
        try device.register("lina")
        try device.logIn("lina", as: .anna)
        try fill(&device, as: .anna)
        _ = try savePart(&device, "holder", as: .anna)
        #expect(device.state.parts(visibleTo: .anna).count == 1)
        try device.apply(.removePerson(name: "lina"), as: .root)
        try device.register("lina")
        try device.logIn("lina", as: .anna)
        #expect(device.state.parts(visibleTo: .anna).isEmpty && device.state.records.parts.isEmpty)
        device.checkForms()
    }
}
