import GateClient
import GateModel
import GateScreens
import Testing

@Suite("Groups of a form on the screen")
struct FormGroupTests {
    private static let items = [
        QuestionnaireItem.group(
            "all",
            [
                .group("who", [.question("given"), .question("family")]),
                .group(
                    "driver", repeats: true,
                    [
                        .group("driver-name", [.question("driver-given"), .question("driver-family")]),
                        .question("accidents", .integer),
                    ], constraints: QuestionnaireItemConstraints(maximumOccurs: 3)),
            ])
    ]

    private static func driver(_ given: String?, accidents: Int32? = nil) -> QuestionnaireResponseItem {
        .group(
            "driver",
            [
                .group(
                    "driver-name",
                    [
                        given.map { .answer("driver-given", .string($0)) } ?? .answer("driver-given"),
                        .answer("driver-family"),
                    ]),
                accidents.map { .answer("accidents", .integer($0)) } ?? .answer("accidents"),
            ])
    }

    private static func form(_ drivers: String?...) -> FormOnScreen {
        FormOnScreen(items, response(drivers))
    }

    private static func response(_ drivers: [String?]) -> [QuestionnaireResponseItem] {
        let who = QuestionnaireResponseItem.group(
            "who", [.answer("given", .string("Anna")), .answer("family", .string("Meier"))])
        return [.group("all", [who] + drivers.map { driver($0) })]
    }

    @Test("a group of parts is one line that opens a page of its own (F-33)")
    func composite() {
        var form = Self.form(nil)
        #expect(form.lines.map(\.summary) == ["Anna, Meier"])
        _ = form.does(.opened("who"))
        #expect(form.picture().heading == "who")
        #expect(form.fields.map(\.label) == ["given", "family"])
        #expect(form.picture().next == "Done")
        #expect(form.does(.typed("given", "Eva")) == [.set("given", [.string("Eva")])])
        _ = form.does(.wentOn)
        #expect(form.picture().heading == "all")
    }

    /// A group with what a composite does not have: a number, a group and something that is hidden.
    private static func address(_ isInOneLine: Bool?) -> FormOnScreen {
        var address = QuestionnaireItem.group(
            "address",
            [
                .question("city"), .group("more", [.question("floor", .integer), .question("remarks", .text)]),
                .question("code", isHidden: true),
            ])
        address.isInOneLine = isInOneLine
        let answers: [QuestionnaireResponseItem] = [
            .answer("city", .string("Rome")),
            .group("more", [.answer("floor", .integer(3)), .answer("remarks", .string("a\nb"))]),
            .answer("code", .string("x")),
        ]
        return FormOnScreen(
            [.question("name"), address, .question("born", .date)],
            [.answer("name"), .group("address", answers), .answer("born")])
    }

    @Test("a group that its form wants in one line is one line, wherever it stands (F-81)")
    func oneLine() throws {
        var form = Self.address(true)
        // The group is no section of its own.
        #expect(form.picture().steps.count == 2)
        #expect(form.fields.map(\.label) == ["name", "born"])
        #expect(form.lines.map(\.label) == ["address"] && form.lines.map(\.summary) == ["Rome, floor: 3, a b"])
        _ = form.does(.opened("address"))
        #expect(form.picture().heading == "address" && form.picture().next == "Done")
        #expect(form.fields.map(\.label) == ["city", "floor", "remarks"])
        _ = form.does(.wentOn)
        #expect(form.fields.map(\.label) == ["name", "born"])
        // The person who completes the form also sees the answers that nobody was asked for.
        _ = form.does(.wentOn)
        #expect(form.sections.map(\.answers) == [["address: Rome, floor: 3, a b, x"]])
    }

    @Test(
        "a group that its form does not want in one line shows its questions below its title (F-81)",
        arguments: [
            nil, false,
        ])
    func severalLines(isInOneLine: Bool?) {
        var form = Self.address(isInOneLine)
        #expect(form.picture().steps.count == 4)
        _ = form.does(.wentOn)
        #expect(form.lines == [] && form.fields.map(\.label) == ["city", "floor", "remarks"])
        var who = Self.items[0].items[0]
        who.isInOneLine = isInOneLine
        let inner = FormOnScreen(
            [.group("all", [who])], [.group("all", [.group("who", [.answer("given"), .answer("family")])])])
        #expect(inner.lines.count == (isInOneLine == nil ? 1 : 0))
    }

    @Test("a repeating group is a table, and an empty instance is the one to be added (F-35)")
    func table() throws {
        let empty = try #require(Self.form(nil).table)
        #expect(empty.rows == [])
        #expect(empty.added == "driver[0]")
        let two = try #require(Self.form("Tim", "Eva").table)
        #expect(two.rows.map(\.label) == ["driver 1", "driver 2"])
        #expect(two.rows.map(\.summary) == ["Tim", "Eva"])
        #expect(two.added == "driver[2]")
        #expect(try #require(Self.form("a", "b", "c").table).added == nil)
        let counted = FormOnScreen(
            Self.items, [.group("all", [Self.driver("Tim", accidents: 2)])])
        #expect(counted.table?.rows.map(\.summary) == ["Tim, accidents: 2"])
    }

    @Test("a new instance is added with its first answer, also by an answer deeper in it")
    func added() {
        var form = Self.form("Tim")
        _ = form.does(.added("driver[1]"))
        #expect(form.picture().heading == "driver 2")
        #expect(form.fields.map(\.path) == ["driver[1]/accidents"])
        _ = form.does(.opened("driver[1]/driver-name"))
        #expect(
            form.does(.typed("driver[1]/driver-given", "Eva"))
                == [.set("driver[1]/driver-given", [.string("Eva")])])
        form.screen.changeTaken("driver[1]/driver-given", cleared: [])
        form.reads(Self.response(["Tim", "Eva"]))
        #expect(form.picture().heading == "driver-name")
        _ = form.does(.wentOn)
        #expect(form.picture().heading == "driver 2")
        #expect(form.lines.map(\.summary) == ["Eva"])
    }

    @Test("a new instance goes behind those that others have added meanwhile")
    func addedByOthers() {
        var form = Self.form("Tim")
        _ = form.does(.added("driver[1]"))
        form.reads(Self.response(["Tim", "Ben"]), isOwn: false)
        #expect(form.picture().heading == "driver 3")
        #expect(form.fields.map(\.path) == ["driver[2]/accidents"])
    }

    @Test("a row is removed by its path, and the page of a row that others removed closes")
    func removed() {
        var form = Self.form("Tim", "Eva")
        #expect(form.does(.removed("driver[1]")) == [.remove("driver[1]")])
        #expect(form.does(.removed("driver[7]")) == [])
        _ = form.does(.opened("driver[1]"))
        form.reads(Self.response(["Eva"]), isOwn: false)
        #expect(form.picture().heading == "all")
        #expect(form.picture().note == "Somebody else has changed this meanwhile. Look at it again.")
    }

    @Test("why a row can't be removed is said")
    func notRemoved() {
        var form = Self.form("Tim", "Eva")
        #expect(form.does(.removed("driver[1]")) == [.remove("driver[1]")])
        form.screen.changeRefused("driver[1]", GateError(.failedPrecondition, .badAnswer, "It has to stay."))
        #expect(form.picture().note == "It has to stay.")
        _ = form.does(.opened("driver[0]"))
        #expect(form.picture().note == "")
    }

    @Test("an issue in a group is shown at its line, and at the right one of several rows")
    func errors() {
        let issue = FormIssue(
            .error, .tooLong, at: "QuestionnaireResponse.item[0].item[2].item[0].item[0]", linkID: "driver-given",
            "Too long.")
        let form = FormOnScreen(Self.items, Self.response(["Tim", "Eva"]), issues: [issue])
        #expect(form.table?.rows.map(\.error) == ["", "driver-given: Too long."])
        #expect(form.lines.map(\.error) == [""])
    }
}
