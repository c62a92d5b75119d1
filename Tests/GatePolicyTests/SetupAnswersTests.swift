import Foundation
import GateModel
import GatePolicy
import Testing

@Suite("The answers to gatectl setup in a file (U-05)")
struct SetupAnswersTests {
    private static let today = CivilDate(year: 2026, month: 11, day: 29)!

    private func read(_ text: String, name: String = "family.yaml") throws -> SetupAnswers {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString)-\(name)")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try SetupAnswersReader.read(
            file: file.path, users: ["thomas", "mia", "kiosk", "lab-01"], today: Self.today)
    }

    /// The mistakes of a file, without its name.
    private func mistakes(_ text: String) throws -> [String] {
        do {
            _ = try read(text)
            return []
        } catch let error as PolicyError {
            return error.problems.map { "\($0.line ?? 0): \($0.message)" }
        }
    }

    private static let all = SetupAnswers(
        people: [
            "thomas": .grownUp, "mia": .child(born: CivilDate(year: 2015, month: 3, day: 2)), "kiosk": .shared,
            "lab-01": .nobody,
        ], passcodeFile: "/root/passcode", links: true, software: false, screen: true,
        screenWord: try? ScreenWord("blue whale"))

    @Test("each answer is read, in YAML and in JSON")
    func everything() throws {
        let yaml = """
            people:
              thomas: grown-up
              mia: {child: 2015-03-02}
              kiosk: shared
              lab-01: nobody
            passcode-file: /root/passcode
            links: true
            software: false
            screen: true
            screen-word: blue  whale
            """
        #expect(try read(yaml) == Self.all)
        let json = """
            {"people": {"thomas": "grown-up", "mia": {"child": "2015-03-02"}, "kiosk": "shared", "lab-01": "nobody"},
             "passcode-file": "/root/passcode", "links": true, "software": false, "screen": true,
             "screen-word": "blue whale"}
            """
        #expect(try read(json, name: "family.json") == Self.all)
    }

    @Test("what a file does not say has no answer, and an empty file says nothing")
    func nothing() throws {
        #expect(try read("") == SetupAnswers())
        #expect(try read("people:\n") == SetupAnswers())
        #expect(try read("people: {mia: child}\n") == SetupAnswers(people: ["mia": .child(born: nil)]))
    }

    @Test("every mistake is said with its line, and nothing else of the file counts")
    func mistakes() throws {
        let found = try mistakes(
            """
            people:
              thomas: parent
              maya: child
              mia: {child: tomorrow}
              kiosk: {child: 2027-01-01}
            link: true
            software: yes
            screen-word: x
            """)
        #expect(found.count == 7)
        for (line, words) in [
            (2, "'parent' is no role"),
            (3, "'maya' is no user of a person on this device. There are: thomas, mia, kiosk, lab-01."),
            (4, "like 2015-03-02, not 'tomorrow'"), (5, "not '2027-01-01'"), (6, "Did you mean 'links'?"),
            (7, "'software' is true or false, not 'yes'"), (8, "2 to 40 characters"),
        ] {
            #expect(found.contains { $0.hasPrefix("\(line): ") && $0.contains(words) }, "\(line): \(found)")
        }
        #expect(try mistakes("links: true\nlinks: false\n").first?.hasPrefix("2: ") == true)
        #expect(try mistakes("[people]\n").first?.contains("the keys of the answers to gatectl setup") == true)
        #expect(try mistakes("people: [mia]\n").first?.contains("like {mia: child}, not a list") == true)
        #expect(throws: PolicyError.self) {
            try SetupAnswersReader.read(file: "/nonexistent/family.yaml", users: [], today: Self.today)
        }
    }
}
