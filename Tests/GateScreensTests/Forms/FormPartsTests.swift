import GateClient
import GateModel
import GateScreens
import Testing

/// Answers from before, offered wherever the same is asked (F-72, F-73, S-09).
@Suite("Parts on the screen")
struct FormPartsTests {
    private static let holder = FormHolder.user(1000)

    private static func part(_ id: UInt64, _ definition: String, _ label: String) -> PartSummary {
        PartSummary(
            id: id, holder: holder, definition: definition, label: label, isNamed: false,
            savedAt: WallTime(unixMilliseconds: 0))
    }

    private static let parts = [
        part(1, "person", "Anna"), part(2, "person", "Ben"), part(3, "driver", "Carla"), part(4, "driver", "Dora"),
        part(5, "mail", "a@example.org"),
    ]

    private static func defined(_ item: QuestionnaireItem, _ definition: String) -> QuestionnaireItem {
        var item = item
        item.definition = definition
        return item
    }

    private static let items = [
        defined(.group("holder", [.question("given"), .group("more", [.question("born", .date)])]), "person"),
        QuestionnaireItem.group(
            "cover",
            [
                defined(
                    .group(
                        "driver", repeats: true, [.question("name"), .question("years", .integer)],
                        constraints: QuestionnaireItemConstraints(maximumOccurs: 2)), "driver"),
                defined(.question("mail", parents: ["note"]), "mail"), .question("note"),
                defined(.question("fixed", isReadOnly: true), "mail"), defined(.question("other"), "nothing"),
            ]),
    ]

    private static func response(
        given: String? = nil, drivers: [String?] = [nil], note: String? = nil
    ) -> [QuestionnaireResponseItem] {
        func answer(_ linkID: String, _ text: String?) -> QuestionnaireResponseItem {
            text.map { .answer(linkID, .string($0)) } ?? .answer(linkID)
        }
        return [
            .group("holder", [answer("given", given), .group("more", [.answer("born")])]),
            .group(
                "cover",
                drivers.map { .group("driver", [answer("name", $0), .answer("years")]) }
                    + [.answer("mail"), answer("note", note), .answer("fixed"), .answer("other")]),
        ]
    }

    private static func form(_ response: [QuestionnaireResponseItem] = response()) -> FormOnScreen {
        var form = FormOnScreen(items, response)
        form.screen.partsListed(parts)
        return form
    }

    private static func choice(_ form: FormOnScreen) throws -> FormChoice {
        let choices = form.fields.compactMap { field -> FormChoice? in
            guard case .choice(let choice) = field.control else { return nil }
            return choice
        }
        return try #require(choices.first)
    }

    @Test("parts are offered only at groups for which something was answered before (F-72)")
    func offered() {
        var form = FormOnScreen(Self.items, Self.response())
        #expect(form.offers.isEmpty)
        form.screen.partsListed(Self.parts)
        #expect(form.offers.map(\.path) == ["holder"] && form.offers.map(\.label) == ["holder"])
        _ = form.does(.wentOn)
        #expect(form.offers.map(\.path) == ["driver", "mail"])
        // The offer is sensitive only once another answer is there, like its field.
        #expect(form.offers.map(\.isSensitive) == [true, false])
        #expect(form.does(.askedForParts("mail")).isEmpty && form.picture().heading == "cover")
        form.reads(Self.response(note: "x"))
        #expect(form.offers.map(\.isSensitive) == [true, true])
        #expect(form.does(.askedForParts("other")).isEmpty && form.does(.askedForParts("holder")).isEmpty)
        _ = form.does(.wentOn)
        #expect(form.picture().heading == "Overview" && form.offers.isEmpty)
    }

    @Test("a group takes one part, the newest is listed first, and nothing is taken until the person confirms (F-72)")
    func one() throws {
        var form = Self.form()
        #expect(form.does(.askedForParts("holder")) == [.listParts])
        #expect(form.picture().heading == "holder" && form.picture().next == "Use" && form.picture().back == "Back")
        #expect(try Self.choice(form).labels == ["Ben", "Anna"])
        #expect(try Self.choice(form).isMultiple == false && form.fields[0].hint.isEmpty)
        #expect(!form.picture().takesNext && form.does(.tookParts).isEmpty)
        #expect(form.does(.chosen("holder", 0, isOn: true)).isEmpty)
        #expect(form.does(.chosen("holder", 1, isOn: true)).isEmpty)
        #expect(try Self.choice(form).chosen == [1] && form.picture().forward == .tookParts)
        #expect(form.picture().takesNext && form.does(.tookParts) == [.take("holder", [1])])
        #expect(form.fields.map(\.path) == ["given", "born"] && form.does(.tookParts).isEmpty)
        form.screen.partsTaken(leftOut: ["born", "home"])
        #expect(form.picture().note == "Not copied, or cleared: born, home.")
    }

    @Test("a hint says that taking a part replaces the answers there")
    func replaced() throws {
        var form = Self.form(Self.response(given: "Eva"))
        _ = form.does(.askedForParts("holder"))
        #expect(form.fields.map(\.hint) == ["It replaces your answers here."])
        _ = form.does(.wentBack)
        #expect(form.fields.map(\.path) == ["given", "born"])
    }

    @Test("a list takes one, several or all parts, in their order (F-73)")
    func several() throws {
        var form = Self.form(Self.response(drivers: ["Tim"]))
        _ = form.does(.wentOn)
        _ = form.does(.askedForParts("driver"))
        #expect(try Self.choice(form).labels == ["All of them", "Dora", "Carla"])
        #expect(try Self.choice(form).isMultiple && form.fields[0].hint.isEmpty)
        _ = form.does(.chosen("driver", 2, isOn: true))
        #expect(try Self.choice(form).chosen == [2])
        _ = form.does(.chosen("driver", 1, isOn: true))
        #expect(try Self.choice(form).chosen == [0, 1, 2])
        _ = form.does(.chosen("driver", 0, isOn: false))
        #expect(try Self.choice(form).chosen == [] && !form.picture().takesNext)
        _ = form.does(.chosen("driver", 0, isOn: true))
        #expect(form.does(.tookParts) == [.take("driver", [4, 3])])
        form.screen.partsRefused(GateError(.invalidArgument, .badAnswer, "There are too many."))
        #expect(form.picture().note == "There are too many." && form.picture().heading == "driver")
        #expect(try Self.choice(form).chosen == [0, 1, 2])
        _ = form.does(.wentBack)
        // A person who has gone elsewhere meanwhile stays there, and sees the reason.
        _ = form.does(.askedForParts("driver"))
        _ = form.does(.chosen("driver", 1, isOn: true))
        _ = form.does(.tookParts)
        _ = form.does(.wentTo(0))
        form.screen.partsRefused(GateError(.notFound, .unknown, "Gone."))
        #expect(form.picture().note == "Gone." && form.picture().heading == "holder")
        _ = form.does(.wentTo(1))
        // A full list takes no more.
        form.reads(Self.response(drivers: ["Tim", "Eva"]))
        #expect(form.offers.map(\.path) == ["mail"])
    }

    @Test("on the page of one instance, a part replaces that instance, also one that is still to be added")
    func placed() throws {
        var form = Self.form(Self.response(drivers: ["Tim"]))
        _ = form.does(.wentOn)
        _ = form.does(.opened("driver[0]"))
        #expect(form.offers.map(\.path) == ["driver[0]"] && form.offers.map(\.label) == ["driver 1"])
        _ = form.does(.wentOn)
        _ = form.does(.added("driver[1]"))
        _ = form.does(.askedForParts("driver[1]"))
        #expect(try Self.choice(form).isMultiple == false && form.picture().heading == "driver 2")
        _ = form.does(.chosen("driver[1]", 0, isOn: true))
        #expect(form.does(.tookParts) == [.take("driver[1]", [4])])
        form.reads(Self.response(drivers: ["Tim", "Dora"]))
        #expect(form.picture().heading == "driver 2" && form.fields.map(\.answer) == ["Dora", ""])
    }

    @Test("parts that are added or removed meanwhile change the list, and the choice stays")
    func changing() throws {
        var form = Self.form()
        _ = form.does(.askedForParts("holder"))
        _ = form.does(.chosen("holder", 1, isOn: true))
        form.screen.partsListed(Self.parts + [Self.part(9, "person", "Eva")])
        #expect(try Self.choice(form).labels == ["Eva", "Ben", "Anna"] && Self.choice(form).chosen == [2])
        form.screen.partsListed([Self.part(2, "person", "Ben")])
        #expect(try Self.choice(form).labels == ["Ben"] && !form.picture().takesNext)
        form.screen.partsListed([])
        #expect(form.fields.map(\.path) == ["given", "born"] && form.offers.isEmpty)
        #expect(form.picture().note == "Somebody else has changed this meanwhile. Look at it again.")
    }

    @Test("a group that disappears closes its page of parts")
    func gone() {
        var form = Self.form()
        _ = form.does(.askedForParts("holder"))
        form.reads(Array(Self.response().dropFirst()), isOwn: false)
        #expect(form.picture().heading == "cover")
    }

    @Test("taking a part removes the refusals inside its group, and no others")
    func refused() throws {
        var form = Self.form()
        _ = form.does(.typed("born", "yesterday"))
        #expect(try form.field("born").error.hasPrefix("'yesterday' is no date"))
        _ = form.does(.wentOn)
        _ = form.does(.askedForParts("driver"))
        _ = form.does(.chosen("driver", 0, isOn: true))
        _ = form.does(.tookParts)
        _ = form.does(.wentBack)
        #expect(try !form.field("born").error.isEmpty)
        _ = form.does(.askedForParts("holder"))
        _ = form.does(.chosen("holder", 0, isOn: true))
        _ = form.does(.tookParts)
        #expect(try form.field("born").error.isEmpty)
    }

    @Test("the label of a part is foreign text, and is cleaned and shown in one line")
    func foreign() throws {
        var form = FormOnScreen(Self.items, Self.response())
        form.screen.partsListed([Self.part(1, "person", "A\u{202E}nna\u{1B}[31m")])
        _ = form.does(.askedForParts("holder"))
        let label = try #require(try Self.choice(form).labels.first)
        #expect(!label.unicodeScalars.contains("\u{202E}") && !label.unicodeScalars.contains("\u{1B}"))
    }

    @Test("each page reads the parts again if the form has definitions")
    func listing() {
        var form = Self.form()
        #expect(form.does(.wentOn) == [.listParts] && form.does(.opened("driver[0]")) == [.listParts])
        var plain = FormOnScreen([.question("a")], [.answer("a")])
        #expect(plain.does(.wentOn).isEmpty)
    }
}
