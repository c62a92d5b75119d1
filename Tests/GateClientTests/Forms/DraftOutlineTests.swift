import Testing

@testable import GateClient

/// The form with this draft.
private func outline(_ response: QuestionnaireResponse) throws -> DraftOutline {
    DraftOutline(response, of: FormItems(try orderForm()))
}

private func texts(_ paths: [FormPath]) -> [String] { paths.map(\.description) }

@Suite("Moving through a form and finding items in it")
struct DraftOutlineTests {
    @Test("questions come in order, without hidden or disabled ones, groups and texts (F-44)")
    func order1() throws {
        let outline = try outline(order())
        #expect(
            texts(outline.questions) == [
                "name", "delivered", "driver[0]/driver-name", "driver[0]/licence", "count", "weight", "proof",
            ])
        #expect(outline.next(after: nil) == "name")
        #expect(outline.previous(before: nil) == "proof")
    }

    @Test("enabling a question puts it into its place in the order (F-42, F-44)")
    func enabled() throws {
        let outline = try outline(order(delivered: true))
        #expect(outline.next(after: "delivered") == "street")
        #expect(outline.previous(before: "driver[0]/driver-name") == "street")
        #expect(try outline.isEnabled("street") && outline.isEnabled("address"))
    }

    /// Two drivers; the first one has two licences, the second one none.
    private static let twoDrivers = order(
        drivers: [
            driver("Anna", licences: [licence(motorcycles, since: "2001"), licence(cars)]), driver(nil),
        ])

    @Test("each instance of a group is visited, and items below an answer follow it (F-35)")
    func nested() throws {
        let outline = try outline(Self.twoDrivers)
        #expect(
            texts(outline.questions) == [
                "name", "delivered", "driver[0]/driver-name", "driver[0]/licence", "driver[0]/licence[0]/since",
                "driver[0]/licence[1]/since", "driver[1]/driver-name", "driver[1]/licence", "count", "weight", "proof",
            ])
    }

    @Test("forwards and backwards visit the same questions", arguments: [order(), order(delivered: true), twoDrivers])
    func bothWays(response: QuestionnaireResponse) throws {
        let outline = try outline(response)
        var forwards: [FormPath] = []
        var path: FormPath?
        while let next = outline.next(after: path) {
            forwards.append(next)
            path = next
            try #require(forwards.count <= 20)
        }
        var backwards: [FormPath] = []
        path = nil
        while let previous = outline.previous(before: path) {
            backwards.append(previous)
            path = previous
            try #require(backwards.count <= 20)
        }
        #expect(forwards == outline.questions)
        #expect(backwards == outline.questions.reversed())
    }

    @Test("from a group, a text or a disabled question, next and previous go on to the nearest questions")
    func fromAnywhere() throws {
        let outline = try outline(Self.twoDrivers)
        #expect(outline.next(after: "intro") == "name")
        #expect(outline.next(after: "driver[1]") == "driver[1]/driver-name")
        #expect(outline.previous(before: "driver[1]") == "driver[0]/licence[1]/since")
        #expect(outline.next(after: "street") == "driver[0]/driver-name", "the street is disabled")
        #expect(outline.next(after: "token") == "delivered", "the token is hidden")
        #expect(outline.next(after: "driver[0]/licence[7]/since") == "driver[1]/driver-name")
        #expect(outline.next(after: "proof") == nil)
        #expect(outline.previous(before: "name") == nil)
        #expect(outline.next(after: "nonsense") == nil && outline.previous(before: "nonsense") == nil)
    }

    @Test("an index may be left out if there is only one instance; otherwise the error names the choices")
    func omitted() throws {
        let one = try outline(order(drivers: [driver("Anna")]))
        #expect(try one.values(at: "driver-name") == [.string("Anna")])
        #expect(try one.values(at: "driver/driver-name") == [.string("Anna")])
        #expect(one.next(after: "driver-name") == "driver[0]/licence")
        let two = try outline(Self.twoDrivers)
        let error = #expect(throws: GateError.self) { try two.values(at: "driver-name") }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains("driver[0], driver[1]") == true, "\(error?.message ?? "")")
        let nested = #expect(throws: GateError.self) { try two.values(at: "driver[0]/since") }
        #expect(nested?.message.contains("licence[0], licence[1]") == true, "\(nested?.message ?? "")")
        #expect(try two.values(at: "driver[1]/since") == [], "no licence, and no question below it")
    }

    @Test("a path to nothing is NOT_FOUND (F-31)", arguments: ["nonsense", "name[0]/driver-name", "address/street"])
    func unknown(path: String) throws {
        let outline = try outline(order(delivered: true))
        let error = #expect(throws: GateError.self) { try outline.values(at: try #require(FormPath(text: path))) }
        #expect(error?.code == .notFound && error?.reason == .unknown)
    }

    @Test("groups have a count of instances, and questions one of answers")
    func counts() throws {
        let outline = try outline(Self.twoDrivers)
        #expect(try outline.count(of: "driver") == 2)
        #expect(try outline.count(of: "driver[0]/licence") == 2)
        #expect(try outline.count(of: "driver[1]/licence") == 0)
        #expect(try outline.isEnabled("driver[1]") && !outline.isEnabled("driver[2]"))
        #expect(try !outline.isEnabled("street"))
    }

    @Test("an item that only a newer form has is skipped")
    func newer() throws {
        var response = order(name: "Anna")
        response.items.insert(question("new-in-this-version", .string("?")), at: 0)
        let outline = try outline(response)
        #expect(try outline.next(after: nil) == "name" && outline.values(at: "name") == [.string("Anna")])
    }

    @Test("a literal that is not a path becomes a linkId that no form has")
    func literal() {
        #expect(("driver[1]/driver-name" as FormPath).steps == [.init("driver", 1), .init("driver-name")])
        #expect(("driver[" as FormPath).steps == [.init("driver[")])
        #expect(("" as FormPath).steps == [.init("")])
    }
}
