import Foundation
import Testing

/// Sources/clients/po/extract, which finds the texts for translators.
@Suite("Texts are found for translators (L-05)")
struct ExtractionTests {
    private func extract(_ source: String, in folder: String = "Sources/clients/gatectl/Questions") throws -> (
        Int32, String
    ) {
        let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: root) }
        try FileManager.default.createDirectory(at: root.appending(path: folder), withIntermediateDirectories: true)
        try source.write(to: root.appending(path: "\(folder)/A.swift"), atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = RepositoryFiles.root.appending(path: "Sources/clients/po/extract")
        process.arguments = ["\(folder)/A.swift"]
        process.currentDirectoryURL = root
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    @Test("texts, plurals and values are extracted, also from several lines")
    func found() throws {
        let (status, text) = try extract(
            #"""
            let a = localized("Hello, {name}.", ["name": name])
            let b = localized(
                "{count} \"door\"", plural: "{count} doors", count: 2)
            """#)
        #expect(status == 0)
        #expect(text.contains("#, python-brace-format\nmsgid \"Hello, {name}.\"\nmsgstr \"\""))
        #expect(text.contains(#"msgid "{count} \"door\""#))
        #expect(text.contains("msgid_plural \"{count} doors\"\nmsgstr[0]"))
    }

    @Test("a literal of several lines is extracted as the text that it means")
    func paragraphs() throws {
        let source = #"""
            let help = localized(
                """
                The file "status" is \
                read.

                Nothing changes.
                """)
            localized(name)
            """#
        let (status, text) = try extract(source)
        #expect(text.contains("A.swift:8:"), "the lines are still counted: \(text)")
        #expect(status != 0)
        let (_, extracted) = try extract(source.replacing("localized(name)", with: ""))
        #expect(extracted.contains(#"msgid "The file \"status\" is read.\n\nNothing changes.""#), "\(extracted)")
    }

    @Test(
        "a sentence outside localized, and one that can't be translated, are refused",
        arguments: [
            #"note("That was empty. Try again.")"#, #"note("It is \(name).")"#, #"localized("Hello, \(name)")"#,
            #"localized(text)"#, "localized(\"\"\"\n    Hello, \\(name)\n    \"\"\")",
        ])
    func refused(source: String) throws {
        let (status, text) = try extract(source)
        #expect(status != 0)
        #expect(text.contains("A.swift:1:"), "\(text)")
    }

    @Test("a sentence in a literal of several lines is refused, except in the discussion of a help page")
    func severalLines() throws {
        let body = "\"\"\"\n    Done. What to do next:\n      gatectl toggle\n    \"\"\"\n"
        let (status, text) = try extract("let next = \(body)", in: "Sources/clients/gatectl/Terminal")
        #expect(status != 0)
        #expect(text.contains("A.swift:2: \"Done. What to do next:\""), "\(text)")
        #expect(try extract("let help = Help(discussion: \(body))", in: "Sources/clients/gatectl/Terminal").0 == 0)
        #expect(try extract("let next = \(body)", in: "Sources/clients/gatectl/Doctor").0 == 0)
    }

    @Test("a sentence in a verb's file is refused, also in an error, but not in its help")
    func verbs() throws {
        let verbs = "Sources/clients/gatectl/Verbs"
        #expect(try extract(#"session.output.note("Nothing was found here.")"#, in: verbs).0 != 0)
        #expect(try extract("let error = GateError(.internal,\n    \"The daemon did not answer.\")", in: verbs).0 != 0)
        #expect(try extract(#"@Flag(help: "Read it from a file.") var stdin = false"#, in: verbs).0 == 0)
        #expect(try extract("@Flag(\n    help: \"Read it from a file.\")\nvar stdin = false", in: verbs).0 == 0)
    }

    @Test("texts for programs and administrators alone may stay English")
    func others() throws {
        #expect(try extract(#"print("That is a journal. Read it.")"#, in: "Sources/clients/gatectl/Doctor").0 == 0)
        #expect(try extract("/// \"A quoted sentence.\"\n// localized(…) \"It is said.\"").0 == 0)
    }
}
